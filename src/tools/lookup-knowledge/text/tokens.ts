import { stemmer } from "stemmer";
import { PARTICLES, QUESTION_PHRASES, QUESTION_WORDS, STOP_WORDS } from "./stop-words.ts";

const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]`;
const LETTER = String.raw`(?!${UNSPACED})[\p{L}\p{N}\p{M}]`;
/** Runs of a script without spaces, or letters and digits with the joints of an identifier between. Linear: no two parts compete. */
const RUN = new RegExp(`${UNSPACED}+|(?:${LETTER})+(?:[-_.:/](?:${LETTER})+)*`, "gu");
const UNSPACED_RUN = new RegExp(`^${UNSPACED}`, "u");
const APOSTROPHE_S = /['’]s(?![\p{L}\p{N}])|['’]/gu;
const BEYOND_ASCII = /[^\x00-\x7f]/;
const ACCENTS = /(?<=\p{Script=Latin})\p{M}+/gu;
const JOINT = /[-_.:/]/;
const CAMEL = /(?<=\p{Ll}[\p{Ll}\p{N}])(?=\p{Lu}\p{Ll}{2})|(?<=\p{Lu}\p{Lu})(?=\p{Lu}\p{Ll}{3})/u;
const PLAIN_WORD = /^[a-z]{3,}$/;
/** A longer run of letters is no word of any language; it is cut, so that one file cannot fill the index with a single term. */
const MAX_TOKEN = 64;
const MAX_STEMS = 50_000;

const stems = new Map<string, string>();

/** Searchable units of a text, in its order: `words` alone for phrases and coverage, `all` with whole identifiers too, for ranking. */
export interface Tokens {
  readonly words: readonly string[];
  readonly all: readonly string[];
}

/** How a text is indexed: compatibility forms folded, lower case, stemmed, stop words gone, unspaced scripts as pairs of characters. */
export function tokenize(text: string): Tokens {
  const words: string[] = [];
  const all: string[] = [];
  for (const [run] of text.normalize("NFKC").replace(APOSTROPHE_S, "").matchAll(RUN)) {
    if (UNSPACED_RUN.test(run)) pushPairs(run, words, all);
    else pushWords(run, words, all);
  }
  return { words, all };
}

/** The tokens of a question without the words of asking; when nothing else is left, they stay. */
export function tokenizeQuery(text: string): Tokens {
  const tokens = tokenize(text.normalize("NFKC").replace(QUESTION_PHRASES, " "));
  const words = tokens.words.filter(isTopic);
  return words.length === 0 ? tokenize(text) : { words, all: tokens.all.filter(isTopic) };
}

/** What a question asks, whatever its order, repetitions and words of asking: equal sets ask the same. Unspaced scripts by character, since turning a phrase round makes other pairs. */
export function questionTopics(text: string): readonly string[] {
  const topics = tokenizeQuery(text).words.flatMap((word) => (UNSPACED_RUN.test(word) ? [...word] : [word]));
  const telling = topics.filter((topic) => !PARTICLES.has(topic));
  return [...new Set(telling.length === 0 ? topics : telling)].sort();
}

/** Share of tokens that come from a script without spaces, 0 to 1. */
export function unspacedShare(words: readonly string[]): number {
  if (words.length === 0) return 0;
  return words.filter((word) => UNSPACED_RUN.test(word)).length / words.length;
}

function isTopic(token: string): boolean {
  return !QUESTION_STEMS.has(token);
}

function pushPairs(run: string, words: string[], all: string[]): void {
  const characters = [...run];
  if (characters.length === 1) push(run, words, all);
  for (let i = 0; i + 1 < characters.length; i++) push(`${characters[i]}${characters[i + 1]}`, words, all);
}

function pushWords(run: string, words: string[], all: string[]): void {
  const parts = run.split(JOINT).flatMap((part) => part.split(CAMEL));
  for (const part of parts) {
    const word = stem(plain(part).toLowerCase().slice(0, MAX_TOKEN));
    if (!STOP_WORDS.has(word)) push(word, words, all);
  }
  if (parts.length > 1 && run.length <= MAX_TOKEN) all.push(plain(run).toLowerCase());
}

/** Without the accents of Latin letters, which people type or leave out. */
function plain(text: string): string {
  return BEYOND_ASCII.test(text) ? text.normalize("NFD").replace(ACCENTS, "").normalize("NFC") : text;
}

function push(token: string, words: string[], all: string[]): void {
  words.push(token);
  all.push(token);
}

function stem(word: string): string {
  if (!PLAIN_WORD.test(word) || STOP_WORDS.has(word)) return word;
  let found = stems.get(word);
  if (found === undefined) {
    if (stems.size >= MAX_STEMS) stems.clear();
    found = stemmer(word);
    stems.set(word, found);
  }
  return found;
}

const QUESTION_STEMS: ReadonlySet<string> = new Set([...QUESTION_WORDS].map(stem));
