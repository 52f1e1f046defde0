import { findPlaceholders, secretPlaceholder } from "./placeholders.ts";

/** What a held-back piece is shown as. It is not remembered as a secret of the run: it may be none. */
export const HELD_PIECE: string = secretPlaceholder("generic");

/** Characters that tokens, passwords and encodings are made of, in a row. Quotes, commas, colons, blanks and other scripts end it. */
const RUN = /[A-Za-z0-9+/=_.~!@#$%^&*-]{6,}/g;
/** Characters one by one, with up to three others between them: `L e d g e r`, `L,e,d,g,e,r`. */
const SPELLED = /(?<![A-Za-z0-9])[A-Za-z0-9](?:[^A-Za-z0-9]{1,3}[A-Za-z0-9](?![A-Za-z0-9])){7,}/g;

/** At this length a mix of letters and digits is held back unless it is a name; a mix with both cases already at six. */
const LONG = 8;
/** Longer numbers than 64 bits hold are codes of something. */
const LONGEST_NUMBER = 20;
const LONGEST_WORD = 32;
/** `eu-west-1a-node12-v2` has three; a licence key has more. */
const MOST_MIXED = 3;

const SIGNS = /[^A-Za-z0-9]+/;
/** Words of the trade with a digit in them. */
const TERM = /^(?:ipv[46]|i18n|l10n|k8s|utf8mb[34]|utf16|log4j2?|oauth2|http[123]|x64|x86|base64|sha256|md5)$/i;
const LETTERS = /^[A-Za-z]+$/;
const DIGITS = /^\d+$/;
const HUMPS = /[A-Z]?[a-z]+|[A-Z]+/g;
/** A number with a unit, an ordinal, a version, the hour of a date: `250ms`, `512MiB`, `v18`, `3rd`, `2rc1`, `11T10`, `00Z`. */
const QUANTITY =
  /^(?:v?\d{1,6}[a-z]{0,3}|\d{1,6}[KMGTP]i?B?|v?\d{1,4}(?:rc|alpha|beta|a|b)\d{1,3}|\d{2}T\d{2}|\d{8}T\d{2,6}Z?|\d{1,6}Z)$/;
/** A word with a short number, a short mark with a longer one: `node07`, `PARTITION12`, `INC000123`. Never a capitalised word: `Winter2024`. */
const NUMBERED = /^(?:[a-z]{1,24}\d{1,3}|[A-Z]{1,4}\d{1,18}|[A-Z]{5,24}\d{1,3})$/;
const SHORT_NUMBERED = /^[A-Z][a-z]{1,5}\d{1,2}$/;

/**
 * A text that was made of others (cut, joined, turned around, encoded) without what may be a piece of a secret. What stands around a
 * secret is gone there, so that its own shape alone can tell: letters and digits mixed in a way that names, versions, dates,
 * quantities and counts are not. So a name of an odd shape is held back as well; whoever needs it reads it where it stands, since
 * only made-up text comes here. A piece of few characters, and a secret that is a plain word or number, cannot be told from others.
 * Placeholders stay whole. Linear in the length of the text.
 */
export function withoutPieces(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of findPlaceholders(text)) {
    pieces.push(held(text.slice(from, start)), text.slice(start, end));
    from = end;
  }
  pieces.push(held(text.slice(from)));
  return pieces.join("");
}

function held(text: string): string {
  return text.replace(SPELLED, (found) => (isMixed(found) ? HELD_PIECE : found)).replace(RUN, heldRun);
}

function isMixed(text: string): boolean {
  const cases = Number(/[a-z]/.test(text)) + Number(/[A-Z]/.test(text));
  return cases === 2 || (cases === 1 && /\d/.test(text));
}

/** A value behind `=` is judged by itself: the name before it may stay. */
function heldRun(run: string): string {
  if (!run.includes("=")) return isPiece(run, false) ? HELD_PIECE : run;
  const parts = run.split("=");
  const judged = parts.map((part, i) => isPiece(part, i > 0));
  return parts.map((part, i) => (judged[i] === true ? HELD_PIECE : part)).join("=");
}

function isPiece(part: string, isValue: boolean): boolean {
  if (part.length < 6) return false;
  const words = part.split(SIGNS).filter((word) => word !== "");
  const isMix = (word: string): boolean => !LETTERS.test(word) && !DIGITS.test(word) && !TERM.test(word);
  if (words.some((word) => !isMix(word) && !isPlain(word))) return true;
  const mixed = words.filter(isMix);
  if (mixed.length === 0) return false;
  if (isValue && mixed.some((word) => !QUANTITY.test(word))) return true;
  if (part.length < LONG && !(/[a-z]/.test(part) && /[A-Z]/.test(part))) return false;
  return !isName(part, mixed);
}

/** Letters alone, digits alone or a term. Letters that change their case again and again are an encoding, not a word in humps. */
function isPlain(word: string): boolean {
  if (DIGITS.test(word)) return word.length <= LONGEST_NUMBER;
  const humps = word.match(HUMPS)?.length ?? 0;
  const average = word.length < 16 ? 2 : 3;
  return word.length <= LONGEST_WORD && (word.length < LONG || word.length >= humps * average);
}

/** One part of up to three characters may be odd (`k8s-prod-2`), in a name of one case. */
function isName(part: string, mixed: readonly string[]): boolean {
  if (mixed.length > MOST_MIXED) return false;
  const odd = mixed.filter(
    (word) => !(QUANTITY.test(word) || NUMBERED.test(word) || (part.length < LONG && SHORT_NUMBERED.test(word))),
  );
  const isOneCase = !(/[a-z]/.test(part) && /[A-Z]/.test(part));
  return odd.length === 0 || (odd.length === 1 && isOneCase && (odd[0] ?? "").length <= 3);
}
