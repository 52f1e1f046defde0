import { utf8Bytes } from "../../../model/json.ts";
import { reject } from "./rejection.ts";

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const ASCII = /^[\u0000-\u007f]*$/;
const CAPITAL = /[A-Z]/;
const NAME_START = /[\p{L}\p{Nl}_]/u;
const NAME_PART = /[\p{L}\p{N}\p{M}_]/u;

/** Refuses text that servers, drivers and people could read differently, before a single token is looked at. */
export function checkCharacters(sql: string, maxBytes: number): void {
  if (sql.length > maxBytes || utf8Bytes(sql) > maxBytes) reject("SQL_TOO_LARGE", 0, "the statement is too long");
  const control = sql.search(CONTROL);
  if (control >= 0) reject("SQL_CHARACTER", control, "a control character");
  const surrogate = sql.search(LONE_SURROGATE);
  if (surrogate >= 0) reject("SQL_CHARACTER", surrogate, "half of a character (a lone surrogate)");
}

export function isBlank(char: string): boolean {
  return char === " " || char === "\t" || char === "\n" || char === "\r";
}

export function isDigit(char: string): boolean {
  return char >= "0" && char <= "9" && char.length === 1;
}

export function isNameStart(char: string): boolean {
  if (char < "\u0080") return (char >= "a" && char <= "z") || (char >= "A" && char <= "Z") || char === "_";
  return NAME_START.test(char);
}

export function isNamePart(char: string): boolean {
  if (char < "\u0080") return isNameStart(char) || isDigit(char);
  return NAME_PART.test(char);
}

/** A word in upper case, its ASCII letters alone. */
export function upperCase(word: string): string {
  if (ASCII.test(word)) return word.toUpperCase();
  return word.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** ASCII letters alone: two names are the same column when this is equal. A server's collation is never consulted. */
export function foldCase(name: string): string {
  if (!CAPITAL.test(name)) return name;
  return ASCII.test(name) ? name.toLowerCase() : name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
