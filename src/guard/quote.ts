import type { GuardCode } from "../model/verdict.ts";
import { foldConfusables } from "./confusables.ts";
import type { ItemView, RecordView } from "./evidence.ts";
import { endsInNegator, holds } from "./lexicon/lexicon.ts";
import { comparable, isWordCharacter } from "./text.ts";

/** How a quote stands to a text. CUT: it is there, but directly behind a negator that it leaves out. */
type Match = "found" | "cut" | "drops negation" | "absent";

const ELLIPSIS = / ?[[(]?(?:\.{3,}|。{3,}|⋯+)[\])]? ?/;
const EDGE = /[ .。⋯[\]()]/;
const OUTER_QUOTES = /^(["'`])(.*)\1$/s;
/** Fewer characters stand in almost any text. */
const MIN_LENGTH = 4;
const MAX_FRAGMENTS = 16;

/** Checks one quote against its item, or, where none is named, against each item of the call. Null when it stands there. */
export function checkQuote(quote: string, item: ItemView | null, record: RecordView): GuardCode | null {
  const text = withoutOuterQuotes(comparable(quote));
  const bare = withoutEdgeEllipses(text);
  if (bare === "") return "EG_QUOTE_TOO_SHORT";
  const within = item === null ? record.items : [item];
  const match = bestMatch(within, text, bare);
  if (match === "found") return [...bare].length < MIN_LENGTH ? "EG_QUOTE_TOO_SHORT" : null;
  if (match !== "absent") return "EG_QUOTE_ELLIPSIS_DROPS_NEGATION";
  return whyAbsent(bare, within, record);
}

function withoutOuterQuotes(text: string): string {
  return (OUTER_QUOTES.exec(text)?.[2] ?? text).trim();
}

/** Dots at the ends say only that the source goes on. Scanned by hand: as a pattern it would try every way to part the dots. */
function withoutEdgeEllipses(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && EDGE.test(text[start] ?? "")) start++;
  while (end > start && EDGE.test(text[end - 1] ?? "")) end--;
  const from = ELLIPSIS.test(text.slice(0, start)) ? start : 0;
  const to = ELLIPSIS.test(text.slice(end)) ? end : text.length;
  return text.slice(Math.min(from, to), to);
}

function bestMatch(items: readonly ItemView[], text: string, bare: string): Match {
  const matches = items.flatMap((item) => item.comparable.map((hay) => matchQuote(hay, text, bare)));
  return (["found", "cut", "drops negation"] as const).find((kind) => matches.includes(kind)) ?? "absent";
}

/** Word for word first, since dots may stand in the source; then as fragments in their order. */
function matchQuote(hay: string, text: string, bare: string): Match {
  const whole = matchWhole(hay, text);
  if (whole !== "absent") return whole;
  const fragments = bare.split(ELLIPSIS).filter((fragment) => fragment !== "");
  if (fragments.length > MAX_FRAGMENTS) return "absent";
  const [only] = fragments;
  return fragments.length === 1 && only !== undefined ? matchWhole(hay, only) : matchFragments(hay, fragments);
}

function matchWhole(hay: string, needle: string): Match {
  let found: Match = "absent";
  for (const start of occurrences(hay, needle)) {
    if (!endsInNegator(hay.slice(Math.max(0, start - 24), start))) return "found";
    found = "cut";
  }
  return found;
}

/** Text in which a fragment stands more often than this is looked at no further. */
const MAX_OCCURRENCES = 256;

/** Where the needle stands without beginning or ending inside a word or number. */
function* occurrences(hay: string, needle: string): Generator<number> {
  if (needle === "") return;
  let left = MAX_OCCURRENCES;
  for (let at = hay.indexOf(needle); at !== -1 && left > 0; at = hay.indexOf(needle, at + 1)) {
    left--;
    if (!cutsInto(hay, at) && !cutsInto(hay, at + needle.length)) yield at;
  }
}

/** Whether a Latin word or a number goes on across the position. Chinese has no gaps between words. */
function cutsInto(text: string, at: number): boolean {
  const [before, after] = [text[at - 1], text[at]];
  if (before === undefined || after === undefined) return false;
  if (isNumeral(before) && (after === "." || after === ",") && isNumeral(text[at + 1])) return true;
  if (isNumeral(after) && (before === "." || before === ",") && isNumeral(text[at - 2])) return true;
  if (isNumeral(after) && (before === "-" || before === "+") && !isWordCharacter(text[at - 2])) return true;
  return isLatinOrNumeral(before) && isLatinOrNumeral(after);
}

const LATIN_OR_NUMERAL = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]/u;

function isLatinOrNumeral(char: string): boolean {
  return LATIN_OR_NUMERAL.test(char);
}

function isNumeral(char: string | undefined): boolean {
  return char !== undefined && /\d/.test(char);
}

/** Fragments in order; of all ways to find them one must leave out no negation. */
function matchFragments(hay: string, fragments: readonly string[]): Match {
  let ends: readonly number[] = [];
  let honest: readonly number[] = [];
  for (const [i, fragment] of fragments.entries()) {
    const starts = [...occurrences(hay, fragment)];
    const reached = i === 0 ? starts : starts.filter((start) => ends.some((end) => end <= start));
    const first = (start: number): boolean => i === 0 && !endsInNegator(hay.slice(Math.max(0, start - 24), start));
    const kept = starts.filter((start) => first(start) || (i > 0 && keepsNegation(hay, honest, start)));
    ends = reached.map((start) => start + fragment.length);
    honest = kept.map((start) => start + fragment.length);
    if (ends.length === 0) return "absent";
  }
  return honest.length > 0 ? "found" : "drops negation";
}

/** The gap before the nearest earlier end is the smallest, so it is the only one to look at. */
function keepsNegation(hay: string, ends: readonly number[], start: number): boolean {
  const before = ends.filter((end) => end <= start);
  return before.length > 0 && !holds(hay.slice(Math.max(...before), start), "negators");
}

function whyAbsent(bare: string, within: readonly ItemView[], record: RecordView): GuardCode {
  if (within.some((item) => item.comparable.some((hay) => looksAlike(hay, bare)))) return "EG_QUOTE_CONFUSABLE";
  const others = record.items.filter((item) => !within.includes(item));
  if (bestMatch(others, bare, bare) === "found") return "EG_QUOTE_WRONG_ITEM";
  return spansItems(bare, record) ? "EG_QUOTE_SPANS_ITEMS" : "EG_QUOTE_NOT_FOUND";
}

function looksAlike(hay: string, bare: string): boolean {
  const [foldedHay, foldedQuote] = [foldConfusables(hay), foldConfusables(bare)];
  if (foldedHay === hay && foldedQuote === bare) return false;
  return matchQuote(foldedHay, foldedQuote, foldedQuote) === "found";
}

/** Whether the quote is glued together from several items of one call. */
function spansItems(bare: string, record: RecordView): boolean {
  const texts = record.items.map((item) => item.comparable[0] ?? "");
  if (["", " "].some((glue) => matchWhole(texts.join(glue), bare) === "found")) return true;
  const fragments = bare.split(ELLIPSIS).filter((fragment) => fragment !== "");
  if (fragments.length < 2 || fragments.length > MAX_FRAGMENTS) return false;
  const homes = fragments.map((fragment) => texts.findIndex((text) => matchWhole(text, fragment) !== "absent"));
  return homes.every((home) => home !== -1) && new Set(homes).size > 1;
}
