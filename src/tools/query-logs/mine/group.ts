import { absorb, type Masked, WILDCARD } from "./mask.ts";
import { isEntityNoun, isStatusWord } from "./words.ts";

/** One masked text and how often it occurred. */
export interface Shape {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly count: number;
}

/** A piece of a shape and the separator before it. A token repeated in a row stands for all of them. */
export interface Token {
  readonly gap: string;
  readonly text: string;
  /** What its wildcards stand for. */
  readonly values: readonly string[];
}

/** Shapes that are one pattern, and which of their columns differ. */
export interface Group {
  readonly shapes: readonly Shape[];
  readonly wild: readonly boolean[];
}

/** So many different words in a column make it a value. */
const DISTINCT_WORDS = 4;
/** The first word is a subject or a verb more often than a value. */
const DISTINCT_FIRST_WORDS = 12;
/** After a noun that introduces a name, as in "user alice", two different words do. */
const DISTINCT_NAMED = 2;

const TOKEN =
  /(?<==)"[^"]{0,100}"[,;:]?|[\w.$-]{0,64}[({[]\0[)}\]][,;:]?|[^\s=:,;|()[\]{}"']*[=:,;|()[\]{}"']|[^\s=:,;|()[\]{}"']+/g;
const PURE_WILDCARD = /^\0[^\p{L}\p{N}]*$/u;

/** Splits a masked text into columns: at white space and after punctuation that separates keys, values and lists. */
export function tokenize(masked: Masked): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  let next = 0;
  for (const match of masked.text.matchAll(TOKEN)) {
    const gap = masked.text.slice(end, match.index);
    end = match.index + match[0].length;
    const first = next;
    next += wildcards(match[0]);
    if (next > first && tokens.at(-1)?.text === match[0]) continue;
    tokens.push({ gap, text: match[0], values: masked.values.slice(first, next) });
  }
  return tokens;
}

function wildcards(text: string): number {
  let count = 0;
  for (let i = text.indexOf(WILDCARD); i >= 0; i = text.indexOf(WILDCARD, i + 1)) count += 1;
  return count;
}

const WILDCARD_RUN = /\0(?: \0){2,}/g;

/** One line of a group with all of the group's values taken out; values in a row are a list. */
export function maskColumns(tokens: readonly Token[], wild: readonly boolean[]): Masked {
  let text = "";
  const values: string[] = [];
  tokens.forEach((token, i) => {
    const shown = wild[i] ? WILDCARD : token.text;
    // Lines of one group may differ in whether a blank stands between two values.
    const between = text.endsWith(WILDCARD) && shown.startsWith(WILDCARD);
    text += (between ? " " : token.gap) + shown;
    if (wild[i]) values.push(unmask(token));
    else values.push(...token.values);
  });
  return absorb({ text, values }, WILDCARD_RUN);
}

function unmask(token: Token): string {
  let next = 0;
  return token.text.replaceAll(WILDCARD, () => {
    next += 1;
    return token.values[next - 1] ?? "";
  });
}

/**
 * Groups shapes into patterns: shapes of equal length that share their anchor words, the largest set of words of one
 * frequency, then split by every column that is no value. The order of the shapes makes no difference.
 */
export function groupShapes(shapes: readonly Shape[]): Group[] {
  const groups: Group[] = [];
  for (const bucket of partition(shapes, (shape) => shape.tokens.length).values()) {
    const frequency = wordFrequency(bucket);
    for (const similar of partition(bucket, (shape) => anchors(shape, frequency)).values()) {
      const wild = wildColumns(similar);
      for (const same of partition(similar, (shape) => literalText(shape, wild)).values())
        groups.push({ shapes: same, wild });
    }
  }
  return groups;
}

function partition<Key>(shapes: readonly Shape[], keyOf: (shape: Shape) => Key): Map<Key, Shape[]> {
  const parts = new Map<Key, Shape[]>();
  for (const shape of shapes) {
    const key = keyOf(shape);
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [shape]);
    else part.push(shape);
  }
  return parts;
}

type Frequency = readonly ReadonlyMap<string, number>[];

/** How many lines have a word in a column. */
function wordFrequency(shapes: readonly Shape[]): Frequency {
  const columns: Map<string, number>[] = [];
  for (const shape of shapes) {
    shape.tokens.forEach((token, i) => {
      const column = columns[i] ?? new Map<string, number>();
      columns[i] = column;
      column.set(token.text, (column.get(token.text) ?? 0) + shape.count);
    });
  }
  return columns;
}

function anchors(shape: Shape, frequency: Frequency): string {
  const byFrequency = new Map<number, number[]>();
  shape.tokens.forEach((token, i) => {
    if (PURE_WILDCARD.test(token.text)) return;
    const count = frequency[i]?.get(token.text) ?? 0;
    const columns = byFrequency.get(count);
    if (columns === undefined) byFrequency.set(count, [i]);
    else columns.push(i);
  });
  let best: readonly number[] = [];
  let bestCount = 0;
  for (const [count, columns] of byFrequency) {
    const better = columns.length > best.length || (columns.length === best.length && count > bestCount);
    if (!better) continue;
    best = columns;
    bestCount = count;
  }
  return best.map((i) => `${i}\t${shape.tokens[i]?.text ?? ""}`).join("\n");
}

function wildColumns(shapes: readonly Shape[]): boolean[] {
  const width = shapes[0]?.tokens.length ?? 0;
  return Array.from({ length: width }, (_, column) => {
    const words = new Set(shapes.map((shape) => shape.tokens[column]?.text ?? ""));
    return words.size > 1 && isWild([...words], enoughWords(shapes, column));
  });
}

function enoughWords(shapes: readonly Shape[], column: number): number {
  if (column === 0) return DISTINCT_FIRST_WORDS;
  const named = shapes.every((shape) => isEntityNoun(shape.tokens[column - 1]?.text ?? ""));
  return named ? DISTINCT_NAMED : DISTINCT_WORDS;
}

/** A slot that holds a value in one line holds one in the others; else many different words make it a slot, unless they are states. */
function isWild(words: readonly string[], enough: number): boolean {
  if (words.some((word) => PURE_WILDCARD.test(word))) return true;
  return words.length >= enough && !words.every(isStatusWord);
}

function literalText(shape: Shape, wild: readonly boolean[]): string {
  return shape.tokens.map((token, i) => (wild[i] ? WILDCARD : token.text)).join(" ");
}
