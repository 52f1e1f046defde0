import { WILDCARD } from "./mask.ts";
import type { Token } from "./tokens.ts";
import { canBeName, isEntityNoun, isStateName, isStatusWord } from "./words.ts";

/** One masked text and how often it occurred. */
export interface Shape {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly count: number;
}

/** Shapes that are one pattern, and which of their columns differ. */
export interface Group {
  readonly shapes: readonly Shape[];
  readonly wild: readonly boolean[];
}

/** So many different words in a column make it a value. */
const DISTINCT_WORDS = 4;
/** Where no word came twice, fewer words do. */
const DISTINCT_ONCE = 3;
/** The first word is a subject or a verb more often than a value. */
const DISTINCT_FIRST_WORDS = 12;
/** After a noun that introduces a name, as in "user alice", two different words do. */
const DISTINCT_NAMED = 2;

const PURE_WILDCARD = /^\0[^\p{L}\p{N}]*$/u;

/**
 * Groups shapes into patterns: shapes of equal length that share their anchor words, the largest set of words of one
 * frequency, then split by every column that is no value. The order of the shapes makes no difference.
 */
export function groupShapes(shapes: readonly Shape[]): Group[] {
  const groups: Group[] = [];
  for (const bucket of partition(shapes, (shape) => shape.tokens.length).values()) {
    const frequency = wordFrequency(bucket);
    for (const similar of partition(bucket, (shape) => anchors(shape, frequency)).values()) {
      const columns = wildColumns(similar);
      for (const same of partition(similar, (shape) => literalText(shape, columns)).values())
        groups.push({ shapes: same, wild: columns.map((kind, i) => isWildIn(same, kind, i)) });
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

/** `value`: a slot for sure. `words`: so many different words that it is taken for one, states among them excepted. */
type Column = "literal" | "words" | "value";

function wildColumns(shapes: readonly Shape[]): Column[] {
  const width = shapes[0]?.tokens.length ?? 0;
  return Array.from({ length: width }, (_, column) => {
    const words = new Set(shapes.map((shape) => shape.tokens[column]?.text ?? ""));
    return words.size > 1 ? columnOf([...words], enoughWords(shapes, column)) : "literal";
  });
}

/** A state among many words keeps its own pattern: what failed is not what was merely done. */
function keepsWord(token: string, column: Column): boolean {
  return column === "literal" || (column === "words" && isStatusWord(token));
}

function isWildIn(shapes: readonly Shape[], column: Column, at: number): boolean {
  return !keepsWord(shapes[0]?.tokens[at]?.text ?? "", column);
}

/** How many different words make a column a value, by where it stands. */
function enoughWords(shapes: readonly Shape[], column: number): number {
  const words = (at: number): string[] => shapes.map((shape) => shape.tokens[at]?.text ?? "");
  if (column === 0) return words(0).every((word) => COMPOUND.test(word)) ? DISTINCT_WORDS : DISTINCT_FIRST_WORDS;
  const own = words(column);
  const before = words(column - 1);
  const after = words(column + 1);
  const addressed = before.every((word) => word === "for") && after.every((word) => ADDRESS.test(word));
  if ((addressed || before.every(isEntityNoun)) && own.every(canBeName)) return DISTINCT_NAMED;
  const lines = shapes.reduce((sum, { count }) => sum + count, 0);
  return new Set(own).size === lines ? DISTINCT_ONCE : DISTINCT_WORDS;
}

/** A name of several parts is a subject, not a verb. */
const COMPOUND = /[A-Za-z0-9\0][._/-][A-Za-z0-9\0]/;
const ADDRESS = /^(?:from|by|on|at)$/;
const NULLISH = /^\(?(?:null|NULL|nil|None|undefined|-)\)?[,;)]?$/;

/** A slot that holds a value in one line, or the lack of one, holds a value in the others; else many different words make it a slot. */
function columnOf(words: readonly string[], enough: number): Column {
  if (words.some((word) => PURE_WILDCARD.test(word) || NULLISH.test(word))) return "value";
  return words.length >= enough && !words.every(isStateName) ? "words" : "literal";
}

function literalText(shape: Shape, columns: readonly Column[]): string {
  return shape.tokens.map(({ text }, i) => (keepsWord(text, columns[i] ?? "literal") ? text : WILDCARD)).join(" ");
}
