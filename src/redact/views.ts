import { compose, type DecodedView, decodeEscapes } from "./encoded.ts";
import { foldMarks } from "./folded.ts";
import { ESCAPED, MARKED, scanAll } from "./scan.ts";
import { type ScanBook, ScanText } from "./scan-text.ts";
import { scanTables } from "./tables.ts";

/** Views of views: a text may be escaped more than once. */
const MAX_VIEWS = 3;

/** Looks at a text once more as it reads: lines with escapes resolved, and all of it without characters that hide others. */
export function scanViews(scan: ScanText, book: ScanBook): void {
  if ((scan.escapes & ESCAPED) !== 0) scanEscaped(scan, book);
  const view = (scan.escapes & MARKED) === 0 ? null : foldMarks(withoutFragments(scan));
  if (view !== null) scanView(scan, book, 0, view, 1);
}

/** Fragments of JSON were looked at leaf by leaf; a find across their quotes would break them. */
function withoutFragments({ text, fragments }: ScanText): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of fragments) {
    pieces.push(text.slice(from, start), " ".repeat(end - start));
    from = end;
  }
  return pieces.join("") + text.slice(from);
}

function scanEscaped(scan: ScanText, book: ScanBook): void {
  const { text } = scan;
  let from = 0;
  while (from < text.length) {
    const stop = text.indexOf("\n", from);
    const end = stop < 0 ? text.length : stop;
    const view = decodeEscapes(text.slice(from, end));
    if (view !== null) scanView(scan, book, from, view, 1);
    from = end + 1;
  }
}

function scanView(scan: ScanText, book: ScanBook, offset: number, view: DecodedView, count: number): void {
  const inner = new ScanText(view.text, book);
  scanAll(inner, (_scan, at) => at);
  scanTables(inner);
  for (const span of inner.spans) {
    scan.add(offset + (view.places[span.start] as number), offset + (view.places[span.end] as number), span.kind);
  }
  const next = count < MAX_VIEWS ? nextView(inner) : null;
  if (next !== null) scanView(scan, book, offset, compose(view, next), count + 1);
}

function nextView({ text, escapes }: ScanText): DecodedView | null {
  return ((escapes & ESCAPED) !== 0 ? decodeEscapes(text) : null) ?? foldMarks(text);
}
