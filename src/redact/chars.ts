const DIGIT = 1;
const LOWER = 2;
const UPPER = 4;
const UNDERSCORE = 8;
const KEY_MARK = 16;
const SPACE = 32;
const BASE64_MARK = 64;
const HEX_LETTER = 128;

const CLASS = new Uint8Array(128);
for (let code = 0x30; code <= 0x39; code++) CLASS[code] = DIGIT;
for (let code = 0x61; code <= 0x7a; code++) CLASS[code] = LOWER | (code <= 0x66 ? HEX_LETTER : 0);
for (let code = 0x41; code <= 0x5a; code++) CLASS[code] = UPPER | (code <= 0x46 ? HEX_LETTER : 0);
CLASS[0x5f] = UNDERSCORE | BASE64_MARK;
for (const mark of ".-$") CLASS[mark.charCodeAt(0)] = KEY_MARK;
for (const mark of "+/-") CLASS[mark.charCodeAt(0)] = (CLASS[mark.charCodeAt(0)] ?? 0) | BASE64_MARK;
for (const space of " \t\n\r\f\v") CLASS[space.charCodeAt(0)] = SPACE;

const has = (code: number, mask: number): boolean => code < 128 && ((CLASS[code] as number) & mask) !== 0;

/** Questions about one UTF-16 code unit; NaN (past the end) is none of them. */
export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
export const isLetter = (code: number): boolean => has(code, LOWER | UPPER);
export const isAlphanumeric = (code: number): boolean => has(code, LOWER | UPPER | DIGIT);
export const isWord = (code: number): boolean => has(code, LOWER | UPPER | DIGIT | UNDERSCORE);
/** A letter of a key as `spring.redis.password`, `X-Api-Key` or `$token` is written. */
export const isKeyChar = (code: number): boolean => has(code, LOWER | UPPER | DIGIT | UNDERSCORE | KEY_MARK);
export const isSpace = (code: number): boolean => has(code, SPACE);
export const isHex = (code: number): boolean => has(code, DIGIT | HEX_LETTER);
export const isBase64 = (code: number): boolean => has(code, LOWER | UPPER | DIGIT | BASE64_MARK);
/** Han characters; the scanner knows Chinese key nouns. */
export const isHan = (code: number): boolean => code >= 0x4e00 && code <= 0x9fff;
/** Punctuation that ends a Chinese phrase: ，。；：、！？（）【】《》「」『』… */
export const isWidePunctuation = (code: number): boolean =>
  (code >= 0x3000 && code <= 0x301f) || (code >= 0xff01 && code <= 0xff20) || code === 0x2026 || code === 0xff5e;

/** First index at or after `from` that is not blank (space or tab), at most `limit` further. */
export function skipBlanks(text: string, from: number, limit = 64): number {
  let at = from;
  const end = Math.min(text.length, from + limit);
  while (at < end && (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09)) at++;
  return at;
}

/** `indexOf` that looks no further than `limit`; a search without a bound makes hostile texts quadratic. */
export function indexWithin(text: string, mark: string, from: number, limit: number): number {
  const found = text.slice(from, from + limit).indexOf(mark);
  return found < 0 ? -1 : from + found;
}

/** `lastIndexOf` before `end` that looks no further back than `limit`. */
export function lastIndexWithin(text: string, mark: string, end: number, limit: number): number {
  const start = Math.max(0, end - limit);
  const found = text.slice(start, end).lastIndexOf(mark);
  return found < 0 ? -1 : start + found;
}

/** End of the line that holds `from`: the index of its line break, at most `limit` further. */
export function lineEnd(text: string, from: number, limit = 8192): number {
  const at = indexWithin(text, "\n", from, limit);
  const end = at < 0 ? Math.min(text.length, from + limit) : at;
  return end > from && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
}

/** Start of the line that holds `at`, looking back no further than `limit`. */
export function lineStart(text: string, at: number, limit = 400): number {
  const stop = Math.max(0, at - limit);
  for (let index = at - 1; index >= stop; index--) if (text.charCodeAt(index) === 0x0a) return index + 1;
  return stop;
}
