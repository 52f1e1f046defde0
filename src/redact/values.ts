import {
  indexWithin,
  isHan,
  isLetter,
  isSpace,
  isWidePunctuation,
  isWord,
  lastIndexWithin,
  lineEnd,
  skipBlanks,
} from "./chars.ts";

/** Longest stretch that is read as one value. */
const MAX_VALUE = 4096;

export interface Value {
  readonly start: number;
  readonly end: number;
  /** The opening quote with the backslashes before it; empty for a bare value. */
  readonly quote: string;
}

export interface ValueContext {
  /** Query string or form body: `&` ends a value. */
  readonly query: boolean;
  /** `Key=Value;Key=Value`: only `;` ends a value, blanks belong to it. */
  readonly connection: boolean;
  /** A file of `name=value` lines: the value is the rest of the line. */
  readonly wholeLine: boolean;
  /** The value may begin on the next line. */
  readonly acrossLines: boolean;
}

export const PLAIN: ValueContext = { query: false, connection: false, wholeLine: false, acrossLines: false };

/** Where the last bare value was read: another that begins inside of it has the same end. */
export interface BareRun {
  start: number;
  end: number;
  context: number;
}

/** Reads the value that begins at or after `from`; null when there is none or a placeholder stands there. */
export function readValue(text: string, from: number, context: ValueContext, last?: BareRun): Value | null {
  const at = context.acrossLines ? skipSpace(text, from) : skipBlanks(text, from);
  if (at >= text.length || text.startsWith("[[", at)) return null;
  const quoted = readQuoted(text, at);
  if (quoted !== null) return quoted.end > quoted.start ? quoted : null;
  if (text.charCodeAt(at) === 0x7b && context.connection && text[at + 1] !== "{") return readBraced(text, at);
  if (at > from && isNextPair(text, from, at)) return null;
  const end = last === undefined ? readBare(text, at, context) : readBareOnce(text, at, context, last);
  return end > at ? { start: at, end, quote: "" } : null;
}

const NEXT_NAME = /[A-Za-z_][\w.-]{0,60}=(?![=\s]|$)|--?[A-Za-z]/y;
const NEXT_FIELD = /[A-Z]\w{0,60}:(?=\S)/y;
const NEXT_LABEL = /[A-Z][A-Za-z]{1,40}:\s/y;

/** After a blank the next pair or flag follows: `password= retry=3`, `{Password: N:1}`; so this one is empty. */
function isNextPair(text: string, from: number, at: number): boolean {
  if (text[from - 1] === "=" && followed(text, at, NEXT_NAME)) return true;
  if (text[from - 1] === ":" && followed(text, at, NEXT_LABEL)) return true;
  return text[from - 1] === ":" && followed(text, at, NEXT_FIELD) && lastIndexWithin(text, "{", from, 200) >= 0;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  const stop = Math.min(text.length, from + 200);
  while (at < stop && isSpace(text.charCodeAt(at))) at++;
  return at;
}

const OPENING =
  /(?:[bBrRuUfFLN]|rb|br|string\(\d{1,6}\) |(?:Some|Just|Secret|SecretString|SecretStr|SecretBox|Sensitive|Password|Redacted|String)\(|<<)?(\\{0,64})("""|'''|["'`“‘「『【《])/y;
const CLOSING: Readonly<Record<string, string>> = {
  "“": "”",
  "‘": "’",
  "「": "」",
  "『": "』",
  "【": "】",
  "《": "》",
};

/** A value between quotes. `k` backslashes open it, then the same quote behind r backslashes, r mod 2(k+1) = k, closes it. */
function readQuoted(text: string, at: number): Value | null {
  const code = text.charCodeAt(at);
  if (
    code !== 0x22 &&
    code !== 0x27 &&
    code !== 0x60 &&
    code !== 0x5c &&
    code !== 0x3c &&
    !isLetter(code) &&
    code < 0x80
  )
    return null;
  OPENING.lastIndex = at;
  const opening = OPENING.exec(text);
  if (opening === null) return null;
  const slashes = (opening[1] as string).length;
  const mark = opening[2] as string;
  const start = at + opening[0].length;
  if (text.startsWith("[[", start) || (slashes === 0 && isClosing(text, start)))
    return { start, end: start, quote: mark };
  const quote = "\\".repeat(slashes) + mark;
  if (mark.length === 3) return tripleQuoted(text, start, mark);
  return { start, end: closingQuote(text, start, slashes, CLOSING[mark] ?? mark), quote };
}

/** `"token=" + value`: what looks like an opening quote closes the string that the key stands in. */
function isClosing(text: string, at: number): boolean {
  return followed(text, at, /\s*[+)](?:[\s\w;,.)]|$)|,\s|\s*$/y);
}

function tripleQuoted(text: string, start: number, mark: string): Value {
  const close = indexWithin(text, mark, start, MAX_VALUE);
  const lead = text.startsWith("\r\n", start) ? 2 : text.charCodeAt(start) === 0x0a ? 1 : 0;
  const from = start + lead;
  let stop = Math.max(from, close < 0 ? lineEnd(text, from) : close);
  while (stop > from && /\s/.test(text[stop - 1] as string)) stop--;
  return { start: from, end: stop, quote: mark };
}

function closingQuote(text: string, start: number, slashes: number, mark: string): number {
  const period = 2 * (slashes + 1);
  const stop = Math.min(text.length, start + MAX_VALUE);
  let run = 0;
  for (let at = start; at < stop; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a) return endOfUnclosed(text, start, at);
    const closes = text[at] === mark && run % period === slashes;
    if (closes && !isDoubled(text, at, slashes)) return at - slashes;
    if (closes) at++;
    run = code === 0x5c ? run + 1 : 0;
  }
  return endOfUnclosed(text, start, stop);
}

/** SQL writes a quote inside of a string twice. */
function isDoubled(text: string, at: number, slashes: number): boolean {
  return slashes === 0 && text[at] === "'" && text[at + 1] === "'";
}

const CUT_MARK = /(?:\.{3}|…)|\(truncated/;

/** A value whose closing quote is missing was cut: it ends where the cut is marked, else with the line. */
function endOfUnclosed(text: string, start: number, end: number): number {
  const cut = CUT_MARK.exec(text.slice(start, end));
  const at = cut === null ? end : start + cut.index;
  return text.charCodeAt(at - 1) === 0x0d ? at - 1 : at;
}

function readBraced(text: string, at: number): Value | null {
  let close = indexWithin(text, "}", at, 256);
  while (close > 0 && close - at < 256 && text[close + 1] === "}") close = indexWithin(text, "}", close + 2, 256);
  return close > at + 1 ? { start: at + 1, end: close, quote: "{" } : null;
}

function readBareOnce(text: string, at: number, context: ValueContext, last: BareRun): number {
  const code = (context.query ? 1 : 0) | (context.connection ? 2 : 0) | (context.wholeLine ? 4 : 0);
  if (at >= last.start && at < last.end && last.context === code) return last.end;
  last.start = at;
  last.end = readBare(text, at, context);
  last.context = code;
  return last.end;
}

function readBare(text: string, from: number, context: ValueContext): number {
  const stop = Math.min(text.length, from + MAX_VALUE);
  let at = from;
  while (at < stop && !endsBare(text, from, at, context)) at++;
  if (context.wholeLine || context.connection) while (at > from && isSpace(text.charCodeAt(at - 1))) at--;
  while (at > from + 1 && (text[at - 1] === "." || text[at - 1] === ",") && !context.wholeLine) at--;
  return at;
}

function endsBare(text: string, from: number, at: number, context: ValueContext): boolean {
  const code = text.charCodeAt(at);
  if (isWord(code)) return false;
  if (isSpace(code)) return code === 0x0a || code === 0x0d || !(context.wholeLine || context.connection);
  if (code > 0x7f) return isWidePunctuation(code) || (isHan(code) && text.charCodeAt(from) < 0x80);
  if (context.wholeLine) return code === 0x5b && text.startsWith("[[", at);
  return endsAtMark(text, from, at, context);
}

const NEXT_PAIR = /\s*(?:$|["'}\])]|[A-Za-z_@][\w. @-]{0,60}(?:=|: |:$))/y;
const followed = (text: string, at: number, pattern: RegExp): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};
const NAMED = /(?:amp;)?[A-Za-z_\u4e00-\u9fff][\w.[\]\u4e00-\u9fff-]{0,60}=/y;
const TAIL = /[)\]}>"'`]*(?:$|[\s,;:.&|"'`，。；])/y;

function endsAtMark(text: string, from: number, at: number, context: ValueContext): boolean {
  const next = text.charCodeAt(at + 1);
  switch (text[at]) {
    case '"':
      return true;
    case ",":
    case ";":
      if (context.connection) return text[at] === ";";
      return Number.isNaN(next) || isSpace(next) || followed(text, at + 1, NEXT_PAIR);
    case "&":
      return context.query || followed(text, at + 1, NAMED);
    case "'":
    case "`":
      return followed(text, at + 1, TAIL);
    case ")":
    case "]":
    case "}":
      return followed(text, at + 1, TAIL) && !opened(text, from, at);
    case "<":
      return next === 0x2f || isLetter(next);
    case "#":
      return context.query;
    default:
      return endsAtOther(text, at, next);
  }
}

function endsAtOther(text: string, at: number, next: number): boolean {
  switch (text[at]) {
    case "\\":
      return next === 0x22 || next === 0x6e || next === 0x72 || next === 0x5c;
    case "[":
      return next === 0x5b;
    case ".":
      return text.startsWith("...", at) && followed(text, at + 3, /$|[\s("')}\]]/y);
    case "-":
    case "=":
      return next === 0x3e && followed(text, at + 2, /\s|$/y);
    case ">":
      return true;
    default:
      return false;
  }
}

const OPENER: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Whether the bracket closing at `at` was opened inside the value; looks at its last 64 characters. */
function opened(text: string, from: number, at: number): boolean {
  const opener = OPENER[text[at] as string] as string;
  return lastIndexWithin(text, opener, at, Math.min(64, at - from)) >= 0;
}
