import { CHINESE } from "./chinese.ts";
import { ENGLISH } from "./english.ts";
import type { Lexicon, Words } from "./words.ts";

type ListName = Exclude<keyof Lexicon, "levels">;

function pattern(english: Words, chinese: Words): RegExp {
  const edged = `(?<![A-Za-z0-9_-])(?:${english.join("|")})(?![A-Za-z0-9_]|-[A-Za-z])`;
  return new RegExp(`${edged}|${chinese.join("|")}`, "giu");
}

const LISTS: ReadonlyMap<ListName, RegExp> = new Map(
  (Object.keys(ENGLISH) as (keyof Lexicon)[])
    .filter((name): name is ListName => name !== "levels")
    .map((name) => [name, pattern(ENGLISH[name], CHINESE[name])]),
);

function list(name: ListName): RegExp {
  return LISTS.get(name) ?? /(?!)/g;
}

/** Whether the text holds a word of the list, in either language. */
export function holds(text: string, name: ListName): boolean {
  return text.search(list(name)) !== -1;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where words of the list stand in the text. */
export function positions(text: string, name: ListName): readonly Span[] {
  return [...text.matchAll(list(name))].map((found) => ({ start: found.index, end: found.index + found[0].length }));
}

/** The text without the words of a list, at the same length. */
export function without(text: string, name: ListName): string {
  return text.replace(list(name), (found) => " ".repeat(found.length));
}

const LEVELS: readonly (readonly [string, RegExp])[] = Object.keys(ENGLISH.levels).map((level) => [
  level,
  pattern(ENGLISH.levels[level] ?? [], CHINESE.levels[level] ?? []),
]);

/** The log levels that a text names. */
export function levelsIn(text: string): readonly string[] {
  return LEVELS.filter(([, words]) => text.search(words) !== -1).map(([level]) => level);
}

const NEGATOR_AT_END = new RegExp(
  `(?:(?<![A-Za-z0-9_])(?:${ENGLISH.negators.join("|")})[ -]?|(?:${CHINESE.negators.join("|")}))$`,
  "iu",
);

/** Whether the text ends in a negator, so that what follows it means the opposite. */
export function endsInNegator(text: string): boolean {
  return NEGATOR_AT_END.test(text.slice(-24));
}
