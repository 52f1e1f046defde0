import { indexWithin, lineEnd } from "../chars.ts";
import type { ScanText } from "../scan-text.ts";

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const MAX_BLOCK = 65_536;
/** Line breaks as they are, escaped at any depth, or percent-encoded. */
const BREAK = /\r?\n|(?:\\{1,32}r)?\\{1,32}n|\\{1,32}r|(?:%0D)?%0A|&#10;|<br\/?>/g;
const BODY = /[A-Za-z0-9+/]{4,}={0,3}|[A-Za-z0-9+/]{1,3}={1,3}/g;

/** A private key block, whole or cut: every line of its body. Returns where to go on. */
export function scanPrivateKey(scan: ScanText, at: number): number {
  BEGIN.lastIndex = at;
  const begin = BEGIN.exec(scan.text);
  if (begin === null) return at + 5;
  const start = at + begin[0].length;
  const end = indexWithin(scan.text, "-----END", start, MAX_BLOCK);
  const closed = end >= 0;
  return scanBody(scan, start, closed ? end : Math.min(scan.text.length, start + MAX_BLOCK), closed);
}

function scanBody(scan: ScanText, start: number, end: number, closed: boolean): number {
  const block = scan.text.slice(start, end);
  let from = 0;
  let lines = 0;
  BREAK.lastIndex = 0;
  while (from < block.length) {
    const next = BREAK.exec(block);
    const stop = next === null ? block.length : next.index;
    const kept = scanLine(scan, start + from, block.slice(from, stop), closed);
    if (!kept && lines > 0 && !closed) return start + from;
    if (stop > from) lines++;
    if (next === null) break;
    from = next.index + next[0].length;
  }
  return end;
}

/** The base64 runs of one line; a block without an end ends at the first line without one. */
function scanLine(scan: ScanText, offset: number, line: string, closed: boolean): boolean {
  let found = false;
  for (const run of line.matchAll(BODY)) {
    if (!(closed ? run[0].length >= 16 || isTail(line, run) : isOpenBody(line, run))) continue;
    scan.add(offset + run.index, offset + run.index + run[0].length, "pem");
    found = true;
  }
  return found || line.trim() === "" || line.includes("[[secret:pem]]");
}

/** The short last line of a block. */
const isTail = (line: string, run: RegExpExecArray): boolean =>
  /^["'\\\s,]{0,16}$/.test(line.slice(run.index + run[0].length, run.index + run[0].length + 17));

/** A body line of a block that has no end: a long run, or one that fills its line behind a log's prefix. */
function isOpenBody(line: string, run: RegExpExecArray): boolean {
  if (!/[A-Z]/.test(run[0]) || (!/\d/.test(run[0]) && run[0].length >= 24)) return false;
  if (run[0].length >= 28) return true;
  const end = run.index + run[0].length;
  const fills = /^(?:|[\s|>])$/.test(line.charAt(run.index - 1)) && /^["'\\.… ]{0,8}$/.test(line.slice(end, end + 9));
  return fills && /[a-z\d].*[A-Z]|[A-Z].*[a-z\d]/.test(run[0]);
}

const PUTTY = /Private-Lines: (\d{1,3})\r?\n/y;

/** The private part and the MAC of a PuTTY key file. */
export function scanPuttyKey(scan: ScanText, at: number): void {
  const { text } = scan;
  PUTTY.lastIndex = at;
  const head = PUTTY.exec(text);
  if (head === null) return;
  let from = at + head[0].length;
  for (let line = 0; line < Number(head[1]) && from < text.length; line++) {
    const end = lineEnd(text, from);
    if (/^[A-Za-z0-9+/=]{1,80}$/.test(text.slice(from, end))) scan.add(from, end, "pem");
    from = text.startsWith("\r\n", end) ? end + 2 : end + 1;
  }
  const mac = /^Private-MAC: ([0-9a-f]{16,128})/.exec(text.slice(from, from + 160));
  if (mac !== null) scan.add(from + 13, from + mac[0].length, "pem");
}
