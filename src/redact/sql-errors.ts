import { lineEnd } from "./chars.ts";
import { isNoValue } from "./plausible.ts";
import type { ScanText } from "./scan-text.ts";
import { addLiteral } from "./sql.ts";

/** A message of a database driver that quotes data: the data is the first group, one literal or a list of them. */
interface Quoting {
  readonly pattern: RegExp;
  readonly list: boolean;
}

const one = (pattern: RegExp): Quoting => ({ pattern, list: false });
const list = (pattern: RegExp): Quoting => ({ pattern, list: true });

const MESSAGES: Readonly<Record<string, readonly Quoting[]>> = {
  duplicate: [one(/Duplicate entry '((?:[^'\\\n]|\\.|'(?! for )){1,512})' for key/y)],
  key: [
    one(
      /Key \((?:[^()\n]|\([^()\n]*\)){1,200}\)=\(([^\n]{1,512}?)\) (?:already exists|is not present|is still referenced|conflicts)/y,
    ),
  ],
  failing: [list(/Failing row contains \(([^\n]{1,1500}?)\)(?=\.|\s*$|["'\\\n])/y)],
  the: [one(/The duplicate key value is \(([^\n)]{1,512})\)/y)],
  incorrect: [one(/Incorrect (?:string|integer|decimal|datetime|date|double|time) value: '([^'\n]{1,512})'/iy)],
  truncated: [one(/Truncated incorrect \w{1,20} value: '([^'\n]{1,512})'/iy)],
  invalid: [one(/invalid input (?:syntax|value) for (?:type |enum )?[\w ]{1,40}: \\{0,8}"([^"\\\n]{1,512})/y)],
  dup: [one(/dup key: \{ [^\n{}]{0,120}?: \\{0,8}"?([^"\\}\n]{1,256}?)\\{0,8}"? \}/y)],
  binding: [
    one(/binding parameter \[\d{1,4}\] as \[\w{1,40}\] - \[([^\n]{1,1500}?)\](?=\s*$|\n|["'\\])/my),
    one(/binding parameter \(\d{1,4}:\w{1,40}\) <- \[([^\n]{1,1500}?)\](?=\s*$|\n|["'\\])/my),
  ],
};

/** First words of messages that quote data, in lower case. */
export const SQL_ERROR_WORDS: ReadonlySet<string> = new Set([
  ...Object.keys(MESSAGES),
  "parameters",
  "params",
  "bindings",
  "parameter",
  "args",
]);

/** One of `SQL_ERROR_WORDS` begins at `at`. */
export function scanSqlMessage(scan: ScanText, at: number, word: string): void {
  for (const { pattern, list: isList } of MESSAGES[word] ?? []) {
    pattern.lastIndex = at;
    const found = pattern.exec(scan.text);
    const content = found?.[1];
    if (found === null || content === undefined) continue;
    const start = at + found[0].indexOf(content, found[0].search(/['[(:"=]/) + 1);
    if (isList) scanFields(scan, start, start + content.length);
    else if (!isNoValue(content)) addLiteral(scan, start, start + content.length);
    return;
  }
  if (MESSAGES[word] === undefined) scanParameters(scan, at + word.length);
}

/** The columns of a failing row: separated by a comma and a blank. */
function scanFields(scan: ScanText, start: number, end: number): void {
  let from = start;
  for (const field of scan.text.slice(start, end).split(", ")) {
    if (!isNoValue(field)) addLiteral(scan, from, from + field.length);
    from += field.length + 2;
  }
}

const PARAMETER =
  /\s{0,4}(?:\$\d{1,4}\s?=\s?|@\w{1,40}\s?=\s?|:?\w{1,40}\s?=>?\s?|\\{0,8}["']\w{1,40}\\{0,8}["']\s?:\s?|["[({]\s?)*(?:\\{0,8}'((?:[^'\\\n]|\\.|''){0,1024})'|\\{0,8}"((?:[^"\\\n]|\\(?!")){0,1024})\\{0,8}"|([^\s,"'()[\]{}][^,\n()[\]{}]{0,511}))(?:\([A-Za-z]{1,20}\))?(?: \([^()\n]{1,60}\))?["\])}]{0,2},?/y;

/** A dump of bound parameters: PostgreSQL's, MyBatis's, SQLAlchemy's, Entity Framework's and their like. */
function scanParameters(scan: ScanText, from: number): void {
  const lead = /^(?:=|:|\s?=>)\s{0,3}(?=[$@['"({\w])/.exec(scan.text.slice(from, from + 8));
  if (lead === null || from < scan.dumpEnd || !isDump(scan.text, from)) return;
  const end = Math.min(lineEnd(scan.text, from), from + 8192);
  let at = from + lead[0].length;
  for (let count = 0; count < 512 && at < end; count++) {
    PARAMETER.lastIndex = at;
    const found = PARAMETER.exec(scan.text);
    if (found === null || found[0] === "" || at + found[0].length > end + 1) return;
    addParameter(scan, at, found);
    at += found[0].length;
    scan.dumpEnd = at;
    if (!found[0].endsWith(",") || /\][^'"]*,$/.test(found[0])) return;
  }
}

function addParameter(scan: ScanText, at: number, found: RegExpExecArray): void {
  const content = (found[1] ?? found[2] ?? found[3]) as string;
  const bare = found[3] === undefined ? content : content.trim();
  if (bare === "" || isNoValue(bare)) return;
  const start = at + found[0].lastIndexOf(content);
  addLiteral(scan, start, start + bare.length);
}

/** `Parameters: {"user"=>…}` of a web request is no dump of a statement; its keys decide. */
function isDump(text: string, from: number): boolean {
  const before = text.slice(Math.max(0, from - 40), from);
  const after = text.slice(from, from + 60);
  return (
    /==>\s+Parameters$/.test(before) ||
    /\[parameters$/.test(before) ||
    /(?:DETAIL:\s+|-- |\b(?:bind|bound|query|sql) )(?:parameters|params|bindings)$/i.test(before) ||
    /^[:=]\s{0,3}(?:\$1 ?=|\[@?\w+=)/.test(after) ||
    (/(?:params|parameters|bindings|args)$/i.test(before) &&
      /^[:=]\s{0,3}[[({'"]/.test(after) &&
      /\b(?:select|insert|update|delete|sql|query)\b/i.test(text.slice(Math.max(0, from - 300), from)))
  );
}

const BINLOG = /@\d{1,4}=(?:'((?:[^'\\\n]|\\.){0,1024})'|(-?\d[\d.]{0,40}))/y;

/** `@2='…'` of a decoded binary log. */
export function scanBinlogColumn(scan: ScanText, at: number): void {
  BINLOG.lastIndex = at;
  const found = BINLOG.exec(scan.text);
  if (found === null) return;
  const content = (found[1] ?? found[2]) as string;
  const start = at + found[0].indexOf("=") + (found[1] === undefined ? 1 : 2);
  addLiteral(scan, start, start + content.length);
}
