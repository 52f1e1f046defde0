import type { KeyClass } from "./keys.ts";
import { LONE_COOKIE } from "./kinds/headers.ts";
import { fitsIdentifier } from "./kinds/identifier-values.ts";
import { isSecretValue } from "./plausible.ts";
import type { Kind } from "./policy.ts";
import type { ScanText } from "./scan-text.ts";

interface Cell {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Table {
  readonly mark: string;
  readonly classes: readonly (KeyClass | null)[];
}

const MAX_CELLS = 128;
const RULE = /^[\s|+:=─━┼┬┴├┤-]+$/;
const HEADER_CELL = /^\*{0,2}["']?[A-Za-z_\u4e00-\u9fff][\w .()/\u4e00-\u9fff-]{0,60}["']?\*{0,2}$/;

/** Tables of a text: psql and MySQL output, Markdown, CSV and TSV. The values below a telling header, and pairs of two cells. */
export function scanTables(scan: ScanText): void {
  const { text } = scan;
  const marks = ["|", "\t", ",", ";"].filter((mark) => text.includes(mark));
  if (marks.length === 0 || (!text.includes("\n") && !text.includes("|") && !text.includes("\t"))) return;
  let table: Table | null = null;
  let from = 0;
  while (from <= text.length) {
    const stop = text.indexOf("\n", from);
    const end = stop < 0 ? text.length : stop;
    if (end - from <= 8192) table = scanLine(scan, from, end, table, marks);
    from = end + 1;
  }
}

function scanLine(
  scan: ScanText,
  from: number,
  end: number,
  table: Table | null,
  marks: readonly string[],
): Table | null {
  const line = scan.text.slice(from, end);
  if (table !== null && isRow(scan, line, from, table)) return table;
  for (const mark of marks) {
    if (!line.includes(mark)) continue;
    const cells = cellsOf(line, from, mark);
    const header = headerOf(scan, cells, end, mark);
    if (header !== null) return header;
    if (cells.length === 2 && isPairMark(line, mark)) scanPairRow(scan, cells);
  }
  return null;
}

function isRow(scan: ScanText, line: string, from: number, table: Table): boolean {
  return RULE.test(line) || scanRow(scan, cellsOf(line, from, table.mark), table.classes);
}

function isPairMark(line: string, mark: string): boolean {
  return mark === "\t" || (mark === "|" && /^\s*\||\s\|\s/.test(line));
}

/** Cells of a line without their white space and quotes; a leading and a trailing mark bound no cell. */
function cellsOf(line: string, offset: number, mark: string): readonly Cell[] {
  const cells: Cell[] = [];
  let from = 0;
  while (from <= line.length && cells.length < MAX_CELLS) {
    const quoted = mark !== "|" && line[from] === '"';
    const close = quoted ? closingQuote(line, from) : from;
    const next = line.indexOf(mark, close);
    const stop = next < 0 ? line.length : next;
    cells.push(trimmed(line, offset, from, stop));
    from = stop + 1;
    if (next < 0) break;
  }
  if (mark !== "|") return cells;
  if (cells[0]?.text === "") cells.shift();
  if (cells.at(-1)?.text === "") cells.pop();
  return cells;
}

function closingQuote(line: string, from: number): number {
  let at = from + 1;
  while (at < line.length) {
    if (line[at] === '"' && line[at + 1] !== '"') return at + 1;
    at += line[at] === '"' ? 2 : 1;
  }
  return from;
}

function trimmed(line: string, offset: number, from: number, stop: number): Cell {
  let start = from;
  let end = stop;
  while (start < end && /[\s"']/.test(line[start] as string)) start++;
  while (end > start && /[\s"']/.test(line[end - 1] as string)) end--;
  return { start: offset + start, end: offset + end, text: line.slice(start, end) };
}

/** A header names a secret or an identifier in a cell of its own, and the next line that is no rule has as many cells. */
function headerOf(scan: ScanText, cells: readonly Cell[], lineEnd: number, mark: string): Table | null {
  if (cells.length < 2 || !cells.every((cell) => HEADER_CELL.test(cell.text) && !/\s\S+\s\S+\s/.test(cell.text)))
    return null;
  const classes = cells.map((cell) => scan.keys.classOf(cell.text));
  if (!classes.some((found) => found !== null && !/^(?:name|value|version)$/.test(found.role))) return null;
  const next = nextRow(scan.text, lineEnd);
  if (next === null || cellsOf(next, 0, mark).length !== cells.length) return null;
  if (cells.length === 2 && mark === "|" && !RULE.test(lineAfter(scan.text, lineEnd))) return null;
  if (cells.length === 2 && mark === "\t" && classes[1] === null && classes[0] !== null) return null;
  return { mark, classes };
}

function lineAfter(text: string, lineEnd: number): string {
  const stop = text.indexOf("\n", lineEnd + 1);
  return text.slice(lineEnd + 1, stop < 0 ? text.length : stop);
}

function nextRow(text: string, lineEnd: number): string | null {
  if (lineEnd >= text.length) return null;
  const next = lineAfter(text, lineEnd);
  return RULE.test(next) ? lineAfter(text, lineEnd + 1 + next.length) : next;
}

/** Whether the cells are a row below the header. */
function scanRow(scan: ScanText, cells: readonly Cell[], classes: readonly (KeyClass | null)[]): boolean {
  const isCut = cells.length < classes.length && (cells.at(-1) as Cell).end === scan.text.length;
  if ((cells.length !== classes.length && !isCut) || cells.length < 2) return false;
  cells.forEach((cell, index) => {
    const found = classes[index];
    if (found !== null && found !== undefined) scanCell(scan, cell, found);
  });
  return true;
}

function scanCell(scan: ScanText, cell: Cell, found: KeyClass): void {
  if (cell.text === "" || cell.text.startsWith("[[")) return;
  const kind = kindOfCell(cell.text, found);
  if (kind !== null) scan.add(cell.start, cell.end, kind);
}

function kindOfCell(text: string, found: KeyClass): Kind | null {
  switch (found.role) {
    case "secret":
      return isSecretValue(found, text, { separator: "=", quoted: true, after: "" }) ? found.kind : null;
    case "identifier":
      return fitsIdentifier(found.kind, text) ? found.kind : null;
    case "authorization":
      return text.length >= 8 && /\d/.test(text) ? "header" : null;
    case "cookie":
      return isSecretValue(LONE_COOKIE, text, { separator: "=", quoted: true, after: "" }) ? "sess" : null;
    default:
      return null;
  }
}

/** `| shared-secret | x |` or `passwd<TAB>x`: a name and its value. */
function scanPairRow(scan: ScanText, cells: readonly Cell[]): void {
  const [name, value] = cells as [Cell, Cell];
  if (!/^[\w.\u4e00-\u9fff -]{2,64}$/.test(name.text)) return;
  const found = scan.keys.classOf(name.text);
  if (found !== null) scanCell(scan, value, found);
}
