import { mentions } from "./text.ts";

const VERSION = /^(v?)(\d{1,6}(?:\.\d{1,6}){0,5}(?:[-+][0-9A-Za-z.+-]{1,40})?)$/i;
const NUMERAL = /\d{1,6}(?:\.\d{1,6})?/y;
/** What ends a token: no letter or digit, and none behind a dot or dash. */
const END = "(?![A-Za-z0-9_]|[.+-][A-Za-z0-9])";

/**
 * Whether a text shows this version, written with a leading `v` or without. With three parts or more it is the same token either way;
 * `v18` and `v4.18` are numbers without their letter, so that a word has to say there that a version is meant.
 */
export function showsVersion(text: string, name: string): boolean {
  const [, mark, bare] = VERSION.exec(name) ?? [];
  if (bare === undefined) return false;
  if (mark === "") return mentions(text, `v${bare}`);
  return /\..*\.|[-+]/.test(bare) ? mentions(text, bare) : saysVersion(text, bare);
}

/** Whether a number at this place of a claim is called a version, and the text shows it as one with its `v`. */
export function isVersionNumber(claim: string, start: number, text: string): boolean {
  NUMERAL.lastIndex = start;
  const [numeral] = NUMERAL.exec(claim) ?? [];
  if (numeral === undefined || !mentions(text, `v${numeral}`)) return false;
  return saysVersion(claim.slice(Math.max(0, start - 20), start + numeral.length + 6), numeral);
}

function saysVersion(text: string, bare: string): boolean {
  const words = bare.includes(".") ? "version|ver\\.?|release|版本号?" : "version|ver\\.?|版本号?";
  const literal = bare.replaceAll(".", "\\.");
  const before = `(?:(?<![A-Za-z])(?:${words})["']?[\\s:=/是为]{0,3}["']?${literal}${END})`;
  const after = `(?:(?<![A-Za-z0-9_.-])${literal} ?(?:版|version(?![a-z])))`;
  return new RegExp(`${before}|${after}`, "i").test(text);
}
