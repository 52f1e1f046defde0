import { isDigit, lineEnd, lineStart, skipBlanks } from "../chars.ts";
import type { SecretClass } from "../keys.ts";
import { isSecretValue } from "../plausible.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue, type Value } from "../values.ts";
import type { Key } from "./key-reader.ts";
import { skipBreak, valueContext } from "./value-context.ts";

/** The value of a secret's key: one value, a list of them, a block of lines, or one wrapped over lines. */
export function scanSecret(scan: ScanText, key: Key, found: SecretClass, at: number, next: number): void {
  const { text } = scan;
  const from = text[at] === ":" && key.quote === "" ? behindType(text, next) : next;
  BLOCK.lastIndex = from;
  if (BLOCK.test(text)) {
    scanBlock(scan, key, BLOCK.lastIndex, found);
    return;
  }
  const below = key.quote === "" ? startBelow(text, from) : -1;
  if (below >= 0) {
    scanBelow(scan, key, found, below);
    return;
  }
  const value = readValue(text, from, valueContext(text, key, at), scan.bareRun);
  if (value === null) return;
  if (text[value.start] === "[" && value.quote === "") scanList(scan, value.start, found);
  else if (isValueOf(scan, key, found, at, value)) addValue(scan, key, found, value);
}

const TYPE_OF = / ?(?:&(?:'\w{1,20} )?(?:mut )?)?[A-Za-z_][\w.<>[\]|?]{0,40} = (?=["'`])/y;

/** `secret_key: &str = "…"`, `password: string = "…"`: the value stands behind the declared type. */
function behindType(text: string, from: number): number {
  TYPE_OF.lastIndex = from;
  return TYPE_OF.test(text) ? TYPE_OF.lastIndex : from;
}

const BLOCK = /[ \t]{0,4}[|>][+-]?\d?[ \t]{0,4}\r?(?=\n)/y;

/** Nothing but a tag, an anchor, a comment or a sign of continuation stands behind the separator. */
const EMPTY_REST = /[ \t]{0,16}(?:[!&][\w!.-]{1,32}[ \t]{0,4})?(?:\\|#[^\r\n]{0,200})?[ \t]{0,16}\r?\n/y;

/** Where the lines below a key begin that may hold its value; -1 when its own line does. */
function startBelow(text: string, from: number): number {
  EMPTY_REST.lastIndex = from;
  return EMPTY_REST.test(text) ? EMPTY_REST.lastIndex : -1;
}

/** `password:` or `password=\` and its value, or a list of them, on the next lines, indented deeper than the key's. */
function scanBelow(scan: ScanText, key: Key, found: SecretClass, from: number): void {
  const { text } = scan;
  const line = lineStart(text, key.start, 200);
  const indent = skipBlanks(text, line, 200) - line;
  let at = from;
  for (let count = 0; count < 32 && at < text.length; count++) {
    const next = skipBreak(text, at);
    const start = skipBlanks(text, next, 200);
    const end = lineEnd(text, start);
    const item = text.startsWith("- ", start) ? skipBlanks(text, start + 2) : start;
    if (start - next <= indent || !isValueBelow(scan, found, item, end) || (count > 0 && item === start)) return;
    at = end;
  }
}

/** A line that is one value: quoted, or one word that is no sentence, no pair and no frame of a trace. */
function isValueBelow(scan: ScanText, found: SecretClass, start: number, end: number): boolean {
  const { text } = scan;
  const value = readValue(text, start, PLAIN);
  if (value === null || value.end > end) return false;
  const content = text.slice(value.start, value.end);
  const rest = text.slice(value.end + value.quote.length, end);
  if (!/^\\?\s*(?:#.*)?$/.test(rest) || (value.quote === "" && /^[\w.-]+[:=]$|^[([{<]/.test(content))) return false;
  if (found.strength !== "any" && value.quote === "" && /^[A-Za-z]+$/.test(content)) return false;
  if (!isSecretValue(found, content, { separator: ":", quoted: value.quote !== "", after: "" })) return false;
  scan.add(value.start, value.end, found.kind);
  return true;
}

function isValueOf(scan: ScanText, key: Key, found: SecretClass, at: number, value: Value): boolean {
  const { text } = scan;
  const content = text.slice(value.start, value.end);
  const separator = text[at] ?? "";
  if (isCode(text, key, at, value, content) || isLabel(text, key, separator, found, content)) return false;
  if (contextForbids(scan, key, found, content)) return false;
  return isSecretValue(found, content, {
    separator,
    quoted: value.quote !== "",
    after: text.slice(value.end, value.end + 48),
  });
}

/** A comparison with a name, a tuple, a declared type, an arrow to a word. */
function isCode(text: string, key: Key, at: number, value: Value, content: string): boolean {
  if (isTypeDeclaration(text, key, at) || (text[at] === "-" && !/\d/.test(content))) return true;
  return (
    value.quote === "" &&
    (content.startsWith("(") ||
      (text[at] === ":" && content.startsWith("{")) ||
      (text[at] === "=" && text[at + 1] === "="))
  );
}

/** `--api-key=API_KEY` of a usage line; `stream/token: name`, where the key ends a path. */
function isLabel(text: string, key: Key, separator: string, found: SecretClass, content: string): boolean {
  if (key.name.startsWith("--") && /^[A-Z][A-Z_]*$/.test(content)) return true;
  return (
    separator === ":" && found.strength !== "any" && /\w\/$/.test(text.slice(Math.max(0, key.start - 2), key.start))
  );
}

function addValue(scan: ScanText, key: Key, found: SecretClass, value: Value): void {
  const { text } = scan;
  const { start, end, quote } = value;
  scan.covered = end;
  const isBareNumber = key.quote !== "" && quote === "" && /^-?\d+(?:\.\d+)?$/.test(text.slice(start, end));
  scan.add(start, end, found.kind, isBareNumber ? key.quote : undefined);
  if (isBareNumber) return;
  if (quote !== "") scanSecond(scan, value, found);
  else if (FURTHER.test(text.slice(end, end + 72))) scanFurther(scan, key, end, found);
  else if (end === lineEnd(text, end)) scanContinuation(scan, key, end, found);
}

const FURTHER = /^(?: \/ |, ?)(?=[^\s,]{0,60}\d)([\w!@#$%^&*+?~-]{4,64})(?=[\s,.;]|$)/;

/** `credentials: app / x`: the second half of a login. `Recovery codes: a, b`: each of a list under a plural. */
function scanFurther(scan: ScanText, key: Key, end: number, found: SecretClass): void {
  let at = end;
  for (let count = 0; count < 32; count++) {
    const next = FURTHER.exec(scan.text.slice(at, at + 72));
    if (next === null || (next[0].startsWith(",") && !/[^s]s$/i.test(key.name))) return;
    at += next[0].length;
    scan.add(at - (next[1] as string).length, at, found.kind);
  }
}

/** `password = "old" -> "new"`: the second value is one too. */
function scanSecond(scan: ScanText, value: Value, found: SecretClass): void {
  const rest = /^["']\s{0,4}(?:->|=>|to|,)\s{0,4}(?=["'])/.exec(scan.text.slice(value.end, value.end + 16));
  if (rest === null || rest[0].includes(",")) return;
  const second = readValue(scan.text, value.end + rest[0].length, PLAIN);
  if (second !== null) scan.add(second.start, second.end, found.kind);
}

/** The working directory; the next part of a Redis key, `session:sessions:…`. */
const isOtherPart = (key: Key, found: SecretClass, content: string): boolean =>
  (key.name === "PWD" && /^[/~]/.test(content)) || (found.kind === "sess" && /^sessions?:/i.test(content));

/** `key` alone means a secret only in a query string or beside a word that says whose key it is. */
function contextForbids(scan: ScanText, key: Key, found: SecretClass, content: string): boolean {
  if (isOtherPart(key, found, content)) return true;
  if (found.strength !== "random") return false;
  const before = scan.text[key.start - 1];
  if (/^(?:key|KEY|Key)$/.test(key.name)) {
    if (before === "?" || before === "&") return content.length < 16;
    const line = scan.text.slice(Math.max(lineStart(scan.text, key.start, 160)), key.start + 120);
    return (
      content.length < 16 ||
      !/企业微信|机器人|wecom|qyapi|webhook|robot|\bapi\b|googleapis|maps|amap|密钥|sk-/i.test(line)
    );
  }
  if (key.name === "code" && found.kind === "tkn") return content.length < 16 || /[^\w.~%/+=-]/.test(content);
  return false;
}

/** `password: string`, `password VARCHAR(64)`: a column or field is declared. */
function isTypeDeclaration(text: string, key: Key, at: number): boolean {
  return text[at] === ":" && text[at + 1] === ":" && key.quote === "";
}

/** A YAML block scalar: every line that is indented deeper than the key. */
function scanBlock(scan: ScanText, key: Key, from: number, found: SecretClass): void {
  const { text } = scan;
  const indent = key.start - lineStart(text, key.start, 200);
  let at = from;
  for (let count = 0; count < 200 && at < text.length; count++) {
    const next = skipBreak(text, at);
    const start = skipBlanks(text, next, 200);
    const end = lineEnd(text, start);
    if (next === at || start - next <= indent || end === start) return;
    if (!text.startsWith("-----", start) && !text.startsWith("[[", start)) scan.add(start, end, found.kind);
    at = end;
  }
}

/** `["a", "b"]` under a secret's key: each of them. */
function scanList(scan: ScanText, at: number, found: SecretClass): void {
  const { text } = scan;
  let from = at + 1;
  for (let count = 0; count < 32; count++) {
    const value = readValue(text, from, { ...PLAIN, acrossLines: true });
    if (value === null || (text[value.start] === "{" && value.quote === "")) return;
    scanItem(scan, value, found);
    const comma = /^\s{0,64},/.exec(text.slice(value.end + value.quote.length, value.end + value.quote.length + 66));
    if (comma === null) return;
    from = value.end + value.quote.length + comma[0].length;
  }
}

function scanItem(scan: ScanText, value: Value, found: SecretClass): void {
  const content = scan.text.slice(value.start, value.end);
  if (/^(?:Bearer|Basic|Token) /i.test(content)) return;
  if (isSecretValue(found, content, { separator: "=", quoted: value.quote !== "", after: "" }))
    scan.add(value.start, value.end, found.kind);
}

/** A value that was wrapped: the next lines are indented deeper than the key and hold nothing but a piece of it. */
function scanContinuation(scan: ScanText, key: Key, end: number, found: SecretClass): void {
  const { text } = scan;
  const indent = key.start - lineStart(text, key.start, 200);
  let at = end;
  for (let count = 0; count < 40; count++) {
    const from = skipBreak(text, at);
    const start = skipBlanks(text, from, 80);
    const stop = lineEnd(text, start);
    const piece = text.slice(start, stop);
    if (start - from <= Math.min(indent, 8) || !/^[\w+/=.~-]{4,512}\\?$/.test(piece) || !isPiece(piece)) return;
    scan.add(start, stop, found.kind);
    at = stop;
  }
}

const isPiece = (piece: string): boolean =>
  (piece.length >= 8 && /\d/.test(piece) && /[A-Za-z]/.test(piece) && !isDigit(piece.charCodeAt(0))) ||
  (piece.length >= 16 && /[A-Z]/.test(piece));
