import { isBlank, isDigit, isNamePart } from "./characters.ts";
import { LIMITS } from "./limits.ts";
import { reject } from "./rejection.ts";
import type { Token } from "./token.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\u0000",
  b: "\b",
  n: "\n",
  r: "\r",
  t: "\t",
  Z: "\u001a",
  "%": "\\%",
  _: "\\_",
};
const INVISIBLE = /[\u0000-\u001f\u007f-\u00a0\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff0-\uffff]/;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const HEX = /0x([0-9a-fA-F]+)|0b([01]+)/y;
const QUOTED_HEX = /[xX]'((?:[0-9a-fA-F]{2})*)'|[bB]'([01]*)'/y;

/** A string in either kind of quotes, its escapes and doubled quotes decoded. */
export function readString(sql: string, start: number, at: number = start): Token {
  const quote = sql.charAt(start);
  const parts: string[] = [];
  let from = start + 1;
  for (let i = from; i < sql.length; i++) {
    const char = sql.charAt(i);
    if (char !== quote && char !== "\\") continue;
    parts.push(sql.slice(from, i));
    if (char === quote && sql.charAt(i + 1) !== quote) {
      return { kind: "string", text: "", value: parts.join(""), at, end: i + 1, prefixed: at < start };
    }
    parts.push(char === quote ? quote : decodeEscape(sql, i));
    i++;
    from = i + 1;
  }
  return reject("SQL_LEXICAL", start, "a string that does not end");
}

function decodeEscape(sql: string, at: number): string {
  const char = sql.charAt(at + 1);
  return ESCAPES[char] ?? char;
}

/** A name in back-ticks. */
export function readQuotedName(sql: string, at: number): Token {
  const parts: string[] = [];
  let from = at + 1;
  for (;;) {
    const close = sql.indexOf("`", from);
    if (close < 0) reject("SQL_LEXICAL", at, "a name in back-ticks that does not end");
    parts.push(sql.slice(from, close));
    from = close + 1;
    if (sql.charAt(from) !== "`") break;
    parts.push("`");
    from++;
  }
  const value = parts.join("");
  if (value === "" || value.length > LIMITS.identifier || isBlank(value.charAt(value.length - 1))) {
    reject("SQL_LEXICAL", at, "a name that is empty, too long or ends in white space");
  }
  if (INVISIBLE.test(value)) reject("SQL_CHARACTER", at, "an invisible character in a name");
  return { kind: "quoted", text: "", value, at, end: from };
}

/** A number as it stands. A letter directly behind one is refused: servers disagree on what that is. */
export function readNumber(sql: string, at: number): Token {
  HEX.lastIndex = at;
  const special = HEX.exec(sql);
  if (special !== null) {
    const kind = special[1] === undefined ? "bit" : "hex";
    return endOfNumber(sql, { kind, text: "", value: special[1] ?? special[2] ?? "", at, end: HEX.lastIndex });
  }
  NUMBER.lastIndex = at;
  const value = NUMBER.exec(sql)?.[0] ?? "";
  return endOfNumber(sql, { kind: "number", text: "", value, at, end: at + value.length });
}

function endOfNumber(sql: string, token: Token): Token {
  const next = sql.charAt(token.end);
  if (next !== "" && (isNamePart(next) || (next === "." && !isDigit(sql.charAt(token.end + 1))))) {
    reject("SQL_LEXICAL", token.at, "a number followed by letters");
  }
  if (token.value.length > 80) reject("SQL_LITERAL", token.at, "a number of too many digits");
  return token;
}

/** Literals that begin with letters: `X'4D'`, `b'01'`, `_utf8mb4'text'`, `N'text'`. Null when it is an ordinary word. */
export function readPrefixed(sql: string, at: number): Token | null {
  const isQuoted = sql.charAt(at + 1) === "'";
  if (!isQuoted && sql.charAt(at) !== "_") return null;
  QUOTED_HEX.lastIndex = at;
  const hex = QUOTED_HEX.exec(sql);
  if (hex !== null) {
    // X'41' is text and 0x41 a number where one is wanted, so they are kept apart.
    const kind = hex[1] === undefined ? "bit" : "hexString";
    return { kind, text: "", value: hex[1] ?? hex[2] ?? "", at, end: QUOTED_HEX.lastIndex };
  }
  const next = sql.charAt(at + 1);
  if (next === "'" && "xXbB".includes(sql.charAt(at))) reject("SQL_LITERAL", at, "hexadecimal or binary digits");
  if (next === "'" && "nN".includes(sql.charAt(at))) return readString(sql, at + 1, at);
  return readIntroduced(sql, at);
}

function readIntroduced(sql: string, at: number): Token | null {
  if (sql.slice(at, at + 8).toLowerCase() !== "_utf8mb4") return null;
  let from = at + 8;
  while (isBlank(sql.charAt(from))) from++;
  const quote = sql.charAt(from);
  if (quote === "'" || quote === '"') return readString(sql, from, at);
  QUOTED_HEX.lastIndex = from;
  const digits = QUOTED_HEX.exec(sql)?.[1];
  return digits === undefined ? null : { ...hexString(digits, at), end: QUOTED_HEX.lastIndex };
}

function hexString(digits: string, at: number): Token {
  const value = Buffer.from(digits, "hex").toString("utf8");
  if (Buffer.from(value, "utf8").toString("hex") !== digits.toLowerCase()) {
    reject("SQL_LITERAL", at, "bytes that are not text");
  }
  return { kind: "string", text: "", value, at, end: at, prefixed: true };
}
