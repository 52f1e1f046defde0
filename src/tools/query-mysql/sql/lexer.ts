import { checkCharacters, isBlank, isDigit, isNamePart, isNameStart, upperCase } from "./characters.ts";
import { readNumber, readPrefixed, readQuotedName, readString } from "./lexemes.ts";
import { LIMITS } from "./limits.ts";
import { reject } from "./rejection.ts";
import type { Token } from "./token.ts";

const SYMBOLS = [
  ...["->>", "<=>", "<>", "!=", "<=", ">=", "<<", ">>", "||", "&&", "->"],
  ...["(", ")", ",", ".", ";", "=", "<", ">", "+", "-", "*", "/", "%", "!", "~", "|", "&", "^", "{", "}"],
] as const;

const PLAIN_WORD = /[A-Za-z0-9_]+/y;
/** Symbols by their first character, longest first. */
const BY_FIRST: ReadonlyMap<string, readonly string[]> = new Map(
  SYMBOLS.map((symbol) => [symbol.charAt(0), SYMBOLS.filter((other) => other.startsWith(symbol.charAt(0)))]),
);

/** Tokens of a statement by the rules of MySQL without ANSI_QUOTES and NO_BACKSLASH_ESCAPES. Whatever is unclear is refused. */
export function tokenize(sql: string, maxBytes: number): readonly Token[] {
  checkCharacters(sql, maxBytes);
  const tokens: Token[] = [];
  let at = skipBlanks(sql, 0);
  while (at < sql.length) {
    const token = readToken(sql, at);
    tokens.push(token);
    if (tokens.length > LIMITS.tokens) reject("SQL_TOO_COMPLEX", at, "too many words and symbols");
    at = skipBlanks(sql, token.end);
  }
  tokens.push({ kind: "end", text: "", value: "", at: sql.length, end: sql.length });
  return tokens;
}

function readToken(sql: string, at: number): Token {
  const char = sql.charAt(at);
  if (char === "'" || char === '"') return readString(sql, at);
  if (char === "`") return readQuotedName(sql, at);
  if (isDigit(char) || (char === "." && isDigit(sql.charAt(at + 1)))) return readNumber(sql, at);
  if (isNameStart(char > "\u007f" ? codePoint(sql, at) : char)) return readPrefixed(sql, at) ?? readWord(sql, at);
  return readSymbol(sql, at);
}

function readWord(sql: string, at: number): Token {
  PLAIN_WORD.lastIndex = at;
  let end = PLAIN_WORD.test(sql) ? PLAIN_WORD.lastIndex : at;
  while (sql.charAt(end) > "\u007f" && isNamePart(codePoint(sql, end))) {
    end += codePoint(sql, end).length;
    PLAIN_WORD.lastIndex = end;
    if (PLAIN_WORD.test(sql)) end = PLAIN_WORD.lastIndex;
  }
  const value = sql.slice(at, end);
  if (value.length > LIMITS.identifier) reject("SQL_LEXICAL", at, "a name longer than 64 characters");
  if (sql.charAt(end) === "'" && value.startsWith("_")) reject("SQL_LITERAL", at, "a character set other than utf8mb4");
  return { kind: "word", text: upperCase(value), value, at, end };
}

function readSymbol(sql: string, at: number): Token {
  const text = BY_FIRST.get(sql.charAt(at))?.find((symbol) => sql.startsWith(symbol, at));
  if (text === undefined) return refuseCharacter(sql, at);
  return { kind: "symbol", text, value: text, at, end: at + text.length };
}

function refuseCharacter(sql: string, at: number): never {
  const char = codePoint(sql, at);
  if (char > "\u007f") reject("SQL_CHARACTER", at, "a character that is not allowed outside of a string");
  if (char === "@") reject("SQL_LEXICAL", at, "variables are not available");
  if (char === "?") reject("SQL_LEXICAL", at, "parameter markers are not available; write the value");
  return reject("SQL_LEXICAL", at, `the character ${char} has no meaning here`);
}

/** Skips white space and comments. A comment that a server would run, or that never ends, is refused. */
function skipBlanks(sql: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < sql.length && isBlank(sql.charAt(at))) at++;
    const char = sql.charAt(at);
    if (char === "/" && sql.charAt(at + 1) === "*") at = endOfBlock(sql, at);
    else if (char === "#" || (char === "-" && isDashComment(sql, at))) at = endOfLine(sql, at);
    else return at;
  }
}

function endOfBlock(sql: string, at: number): number {
  if (/^(?:!|\+|M!)/i.test(sql.slice(at + 2, at + 4))) {
    reject("SQL_LEXICAL", at, "comments that a server would act on (/*! or /*+) are not available");
  }
  const end = sql.indexOf("*/", at + 2);
  if (end < 0) reject("SQL_LEXICAL", at, "a comment that does not end");
  const inner = sql.indexOf("/*", at + 2);
  if (inner >= 0 && inner < end) reject("SQL_LEXICAL", inner, "a comment inside of a comment");
  return end + 2;
}

/** Two dashes begin a comment only before white space or the end; `5--3` is a subtraction. */
function isDashComment(sql: string, at: number): boolean {
  if (!sql.startsWith("--", at)) return false;
  const next = sql.charAt(at + 2);
  return next === "" || isBlank(next);
}

/** A line ends at LF only: for the server a lone CR does not end a comment, so text behind one is refused as unclear. */
function endOfLine(sql: string, at: number): number {
  const found = sql.indexOf("\n", at);
  const end = found < 0 ? sql.length : found;
  const carriage = sql.indexOf("\r", at);
  if (carriage >= 0 && carriage < end - 1) reject("SQL_LEXICAL", carriage, "a lone carriage return in a comment");
  return end;
}

function codePoint(sql: string, at: number): string {
  return String.fromCodePoint(sql.codePointAt(at) ?? 0);
}
