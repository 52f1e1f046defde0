import { isDigitName, isHostName } from "./words.ts";

/*
 * What makes a word a value. Every expression here is anchored and its parts exclude one another, so each is linear; the
 * masks around them look at a word once.
 */
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const ROOTED_PATH = /^\/[\w.~%$*@-]/;
const RELATIVE_PATH = /^(?:~|\.{1,2})\/./;
const WINDOWS_PATH = /^(?:[A-Za-z]:[\\/]|\\\\?\w)/;
const NESTED_PATH = /^[\w.-]+(?:\/[\w.-]+){2,}\/?$/;
const DOTTED_PATH = /^[\w-]+\.[\w.-]*\/[\w.$-]+$/;
const IPV4 = /^\/?\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?:\/\d{1,2})?$/;
const IPV6 = /^\[?[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,8}(?:%\w{1,16})?(?:\/\d{1,3})?$/;
const GROUPED_HEX = /^[0-9a-fA-F]{2,}(?:[-:][0-9a-fA-F]{2,})+$/;
const CLOCK = /^[+-]?\d[\d.,:/T+-]*Z?$/;
const HOST_PORT = /^[A-Za-z][A-Za-z0-9_.-]*:\d{2,5}$/;
const HOST_MARK = /^(?:localhost|[^:]*[.\d-])/;
const NUMBER = /^[+-]?\d[\d.,_]*(?:[eE][+-]?\d+)?(?:%|[A-Za-zµ]{1,5}(?:\/[A-Za-z]{1,3})?)?$/;
const HEX = /^(?:0[xX])?[0-9a-fA-F]+$/;
const PREFIXED_HEX = /^0[xX][0-9a-fA-F]+$/;
const DIGIT = /\d/;

/** Whether a word between white space, quotes and brackets is one value: an address, a path, a URL, a time. */
export function isWholeValue(word: string): boolean {
  if (word.length < 2) return false;
  if (word.includes("://") || (word.includes("@") && EMAIL.test(word)) || isPath(word)) return true;
  if (word.length > 3 && IPV6.test(word) && (DIGIT.test(word) || word.includes("::"))) return true;
  if (DIGIT.test(word) && isNumericAddress(word)) return true;
  return isHostName(word);
}

function isPath(word: string): boolean {
  if (word.startsWith("/")) return ROOTED_PATH.test(word);
  if (word.includes("\\") && WINDOWS_PATH.test(word)) return true;
  return word.includes("/") && (RELATIVE_PATH.test(word) || WINDOWS_PATH.test(word) || isInnerPath(word));
}

function isInnerPath(word: string): boolean {
  return DOTTED_PATH.test(word) || NESTED_PATH.test(word);
}

function isNumericAddress(word: string): boolean {
  if (IPV4.test(word) || CLOCK.test(word)) return true;
  if (word.length >= 11 && GROUPED_HEX.test(word)) return true;
  return HOST_MARK.test(word) && HOST_PORT.test(word);
}

/** Whether a word of letters, digits and `_.+%~-` that holds a digit is a value as a whole rather than a name with a number in it. */
export function isValue(word: string): boolean {
  if (NUMBER.test(word) || PREFIXED_HEX.test(word)) return true;
  if (word.length >= 6 && HEX.test(word)) return true;
  return GROUPED_HEX.test(word) || digitRuns(word) >= 2 || isHostName(word);
}

/** Whether the digits of a word are part of its name. */
export function isName(word: string): boolean {
  return !DIGIT.test(word) || isDigitName(word);
}

function digitRuns(word: string): number {
  let runs = 0;
  let inside = false;
  for (let i = 0; i < word.length; i += 1) {
    const code = word.charCodeAt(i);
    const digit = code >= 48 && code <= 57;
    if (digit && !inside) runs += 1;
    inside = digit;
  }
  return runs;
}
