import { isDigit, isHan, isKeyChar, isSpace, lineEnd, lineStart, skipBlanks } from "../chars.ts";
import type { KeyClass } from "../keys.ts";
import { isSecretValue } from "../plausible.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue, type Value, type ValueContext } from "../values.ts";
import { scanAuthorization, scanCookie } from "./headers.ts";
import { scanIdentifierValue } from "./identifier-values.ts";

const MAX_KEY = 80;

export interface Key {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** Quote and backslashes around the key; empty for a bare key. */
  readonly quote: string;
}

/** The key that ends before the separator at `at`, quoted or bare, or null. */
export function readKeyBefore(text: string, at: number): Key | null {
  let end = at;
  while (end > 0 && at - end < 24 && isBlank(text.charCodeAt(end - 1))) end--;
  const mark = text[end - 1];
  const quoted = mark === '"' || mark === "'" || mark === "`";
  const bracketed = mark === "]" && end < at;
  const close = quoted || bracketed ? end - 1 : end;
  let inner = close;
  while (quoted && inner > 0 && close - inner < 64 && text[inner - 1] === "\\") inner--;
  const start = keyStart(text, inner);
  if (start === inner) return null;
  const quote = quoted ? text.slice(inner, close + 1) : "";
  return { start, end: inner, name: text.slice(start, inner), quote };
}

function keyStart(text: string, end: number): number {
  let start = end;
  const stop = Math.max(0, end - MAX_KEY);
  while (start > stop) {
    const code = text.charCodeAt(start - 1);
    if (!isKeyChar(code) && !isHan(code)) break;
    start--;
  }
  return isHan(text.charCodeAt(end - 1)) ? hanStart(text, start, end) : start;
}

/** In a Chinese sentence the key is what stands before the sign, at most 16 characters of it. */
function hanStart(text: string, from: number, end: number): number {
  let start = Math.max(from, end - 16);
  while (start < end && !isHan(text.charCodeAt(start)) && !isKeyChar(text.charCodeAt(start))) start++;
  return start;
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

const TWO_WORD_TAIL =
  /^(?:key|keys|code|id|ID|Id|value|string|token|secret|no|number|phrase|Key|Code|ID|Token|Secret|KEY|CODE|word)$/;

/** What the key means; `API key`, `verification code` and `Container ID` are read as one. */
export function classOfKey(scan: ScanText, key: Key): KeyClass | null {
  const alone = scan.keys.classOf(key.name);
  if (key.quote !== "" || !TWO_WORD_TAIL.test(key.name) || scan.text[key.start - 1] !== " ") return alone;
  const start = keyStart(scan.text, key.start - 1);
  if (start >= key.start - 1 || start < key.start - 32) return alone;
  const both = scan.keys.classOf(`${scan.text.slice(start, key.start - 1)}_${key.name}`);
  return both !== null && both.role !== "name" && both.role !== "value" ? both : alone;
}

/** A separator was met: looks at the key before it and, when that tells something, at the value after it. Returns where to go on. */
export function scanPair(scan: ScanText, at: number, width: number): number {
  const next = at + width;
  const key = readKeyBefore(scan.text, at);
  if (key === null) return next;
  const found = classOfKey(scan, key);
  if (found === null) return next;
  scanValueOf(scan, key, found, at, next);
  return next;
}

function scanValueOf(scan: ScanText, key: Key, found: KeyClass, at: number, from: number): void {
  const { text } = scan;
  switch (found.role) {
    case "authorization":
      scanAuthorization(scan, from, key.quote !== "");
      return;
    case "cookie":
      scanCookie(scan, from);
      return;
    case "name":
      rememberName(scan, from);
      return;
    case "value":
      scanNamed(scan, key, at, from);
      return;
    case "identifier":
      scanIdentifierValue(scan, found.kind, from, {
        key: key.name,
        quote: key.quote,
        separator: text[at] ?? "",
      });
      return;
    case "secret":
      scanSecret(scan, key, found, at, from);
      return;
  }
}

function rememberName(scan: ScanText, from: number): void {
  const value = readValue(scan.text, from, PLAIN);
  if (value === null || value.end - value.start > MAX_KEY) return;
  const found = scan.keys.classOf(scan.text.slice(value.start, value.end));
  scan.named = found === null || found.role === "name" || found.role === "value" ? null : { found, end: value.end };
  if (found?.role === "secret") scanNamedElement(scan, value, found);
}

/** `<entry key="db.password">x</entry>`, and a form part: `name="password"`, an empty line, the value. */
function scanNamedElement(scan: ScanText, name: Value, found: Extract<KeyClass, { role: "secret" }>): void {
  const { text } = scan;
  const element = /^["']\s*>([^<>]{1,512})</.exec(text.slice(name.end, name.end + 600));
  if (element?.[1] !== undefined) {
    const start = name.end + element[0].length - 1 - element[1].length;
    addPart(scan, start, start + element[1].length, found);
    return;
  }
  const part = /^"(?:; filename="[^"]{0,80}")?\r?\n(?:[A-Z][\w-]{1,40}: [^\r\n]{0,200}\r?\n){0,4}\r?\n/.exec(
    text.slice(name.end, name.end + 900),
  );
  if (part === null) return;
  const start = name.end + part[0].length;
  addPart(scan, start, lineEnd(text, start), found);
}

function addPart(scan: ScanText, start: number, end: number, found: Extract<KeyClass, { role: "secret" }>): void {
  const value = scan.text.slice(start, end);
  if (isSecretValue(found, value, { separator: "=", quoted: true, after: "" })) scan.add(start, end, found.kind);
}

function scanNamed(scan: ScanText, key: Key, at: number, from: number): void {
  const named = scan.named;
  scan.named = null;
  if (named === null || key.start - named.end > 160 || key.start < named.end) return;
  scanValueOf(scan, key, named.found, at, from);
}

/** The value of a secret's key: one value, a list of them, or a `user:password` pair. */
export function scanSecret(
  scan: ScanText,
  key: Key,
  found: Extract<KeyClass, { role: "secret" }>,
  at: number,
  from: number,
): void {
  const { text } = scan;
  const context = valueContext(text, key, at);
  const value = readValue(text, from, context);
  if (value === null) return;
  if (text[value.start] === "[" && value.quote === "") {
    scanList(scan, value.start, found);
    return;
  }
  const end = value.end;
  const around = { separator: text[at] ?? "", quoted: value.quote !== "", after: text.slice(end, end + 48) };
  const content = text.slice(value.start, end);
  if (isTypeDeclaration(text, key, at) || contextForbids(scan, key, found, content)) return;
  if (!isSecretValue(found, content, around)) return;
  const bareNumber = key.quote !== "" && value.quote === "" && /^-?\d+(?:\.\d+)?$/.test(content);
  if (bareNumber) {
    scan.add(value.start, end, found.kind, key.quote);
    return;
  }
  scan.add(value.start, end, found.kind);
  if (value.quote === "" && end === lineEnd(text, end)) scanContinuation(scan, key, end, found);
  if (value.quote !== "") scanSecond(scan, value, found);
}

/** `password = "old" -> "new"`: the second value is one too. */
function scanSecond(scan: ScanText, value: Value, found: Extract<KeyClass, { role: "secret" }>): void {
  const rest = /^["']\s{0,4}(?:->|=>|to|,)\s{0,4}(?=["'])/.exec(scan.text.slice(value.end, value.end + 16));
  if (rest === null || rest[0].includes(",")) return;
  const second = readValue(scan.text, value.end + rest[0].length, PLAIN);
  if (second !== null) scan.add(second.start, second.end, found.kind);
}

/** `key` alone means a secret only in a query string or beside a word that says whose key it is. */
function contextForbids(
  scan: ScanText,
  key: Key,
  found: Extract<KeyClass, { role: "secret" }>,
  content: string,
): boolean {
  if (key.name === "PWD" && /^[/~]/.test(content)) return true;
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
  if (key.name === "code" && found.kind === "token") return content.length < 16 || /[^\w.~%/+=-]/.test(content);
  return false;
}

/** `password: string`, `password VARCHAR(64)`: a column or field is declared. */
function isTypeDeclaration(text: string, key: Key, at: number): boolean {
  return text[at] === ":" && text[at + 1] === ":" && key.quote === "";
}

function scanList(scan: ScanText, at: number, found: Extract<KeyClass, { role: "secret" }>): void {
  const { text } = scan;
  const stop = Math.min(text.length, at + 2048);
  let from = at + 1;
  for (let count = 0; count < 32 && from < stop; count++) {
    const value = readValue(text, from, { ...PLAIN, acrossLines: true });
    if (value === null) return;
    const content = text.slice(value.start, value.end);
    const scheme = /^(?:Bearer|Basic|Token) /i.exec(content);
    if (scheme === null && isSecretValue(found, content, { separator: "=", quoted: value.quote !== "", after: "" })) {
      scan.add(value.start, value.end, found.kind);
    }
    from = value.end + value.quote.length;
    while (from < stop && isSpace(text.charCodeAt(from))) from++;
    if (text[from] !== ",") return;
    from++;
  }
}

const QUERY = /[?&;]$/;

function valueContext(text: string, key: Key, at: number): ValueContext {
  const before = text[key.start - 1] ?? "\n";
  const separator = text[at] ?? "";
  const query = QUERY.test(before) && before !== ";" && separator === "=";
  const connection = separator === "=" && !query && inConnection(text, key, at);
  return {
    query,
    connection,
    wholeLine: separator === "=" && !connection && isSettingLine(text, key, at),
    acrossLines: key.quote !== "" || /\s/.test(text[at + 1] ?? "x") === false ? key.quote !== "" : false,
  };
}

/** `Key=Value;Key=Value`: a `;` right before the key, or one before the next pair on the line. */
function inConnection(text: string, key: Key, at: number): boolean {
  const window = text.slice(at + 1, Math.min(lineEnd(text, at), at + 300));
  const next = /^[^;="'\n]{0,200};\s?(?:[A-Za-z][\w ]{1,40}=|["')\]}]|$)/.exec(window);
  const before = /;\s?$/.test(text.slice(Math.max(0, key.start - 2), key.start));
  if (next !== null) return before || /;\s?[A-Za-z][\w ]{1,40}=|;$/.test(next[0]);
  return (
    before &&
    /[A-Za-z ]=[^;\n]{0,200};\s?$/.test(text.slice(Math.max(0, key.start - 240), key.start)) &&
    !/[\s]/.test(window.split(";", 1)[0]?.trim() ?? "")
  );
}

/** An environment list item or a line of a settings file: `- NAME=value with blanks`. */
function isSettingLine(text: string, key: Key, at: number): boolean {
  const start = lineStart(text, key.start, 120);
  const lead = text.slice(start, key.start);
  if (/^\s*-\s+["']?$/.test(lead)) return !/["']$/.test(lead);
  if (!/^\s*(?:export\s+|set\s+)?$/.test(lead)) return false;
  const rest = text.slice(at + 1, lineEnd(text, at));
  if (/=|: /.test(rest) || rest.length > 200) return false;
  return isSettingNeighbour(text, start - 1, -1) || isSettingNeighbour(text, lineEnd(text, at), 1);
}

function isSettingNeighbour(text: string, edge: number, direction: 1 | -1): boolean {
  if (edge < 0 || edge >= text.length) return false;
  const line =
    direction < 0
      ? text.slice(lineStart(text, edge, 200), edge)
      : text.slice(edge, lineEnd(text, skipBreak(text, edge))).trimStart();
  return /^\s*(?:\[[\w .-]{1,40}\]|(?:export\s+|- )?[A-Za-z_][\w.-]{0,60}\s?=\s?\S{0,80})\s*$/.test(line);
}

function skipBreak(text: string, edge: number): number {
  let at = edge;
  while (at < text.length && at - edge < 3 && /[\r\n]/.test(text[at] as string)) at++;
  return at;
}

/** A value that was wrapped: the next lines are indented deeper than the key and hold nothing but a piece of it. */
function scanContinuation(scan: ScanText, key: Key, end: number, found: Extract<KeyClass, { role: "secret" }>): void {
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
