import { fingerprint } from "../../../model/fingerprint.ts";
import { type Group, groupShapes, type Shape } from "./group.ts";
import { Masker, WILDCARD } from "./mask.ts";
import { maskColumns, tokenize } from "./tokens.ts";

/** One pattern of messages. `members` are positions in the list that was mined, ascending. */
export interface MinedPattern {
  readonly id: string;
  /** The message with `<*>` in the place of each value, its separators those of a real line. */
  readonly text: string;
  readonly members: readonly number[];
  /** What a member has in the place of each `<*>`. */
  readonly valuesOf: (message: string) => readonly string[];
}

export interface MineOptions {
  /** Beyond so many different shapes the rarest fall into one honest pattern of their own. */
  readonly maxShapes?: number;
}

const WILDCARD_MARK = "<*>";
const MAX_SHAPES = 20_000;
/** Text of the pattern that holds what was not grouped because there were too many shapes. */
export const OVERFLOW_TEXT = "(messages of further shapes, not grouped)";
const EMPTY_TEXT = "(empty message)";

/** Groups messages into patterns, most frequent first. The order of the messages makes no difference to what is found. */
export function minePatterns(messages: readonly string[], options: MineOptions = {}): MinedPattern[] {
  const masker = new Masker();
  const table = collectShapes(messages, masker);
  const kept = table.shapes.slice(0, options.maxShapes ?? MAX_SHAPES);
  const groups = groupShapes(kept.filter((shape) => shape.tokens.length > 0));
  const found = new Map<string, number[]>();
  const add = (text: string, shapes: readonly Shape[]): void => {
    if (shapes.length === 0) return;
    const members = found.get(text) ?? [];
    found.set(text, members);
    for (const shape of shapes) for (const position of table.positions.get(shape.text) ?? []) members.push(position);
  };
  for (const group of groups) add(patternText(group), group.shapes);
  add(
    EMPTY_TEXT,
    kept.filter((shape) => shape.tokens.length === 0),
  );
  add(OVERFLOW_TEXT, table.shapes.slice(kept.length));
  const valuesOf = valueReader(groups, masker);
  return [...found]
    .map(([text, members]) => ({ id: patternId(text), text, members: members.sort((a, b) => a - b), valuesOf }))
    .sort((a, b) => b.members.length - a.members.length || (a.text < b.text ? -1 : 1));
}

interface ShapeTable {
  /** Most frequent first, then by text, so that what falls off at the limit does not depend on the order of the input. */
  readonly shapes: readonly Shape[];
  readonly positions: ReadonlyMap<string, readonly number[]>;
}

function collectShapes(messages: readonly string[], masker: Masker): ShapeTable {
  const positions = new Map<string, number[]>();
  const byMessage = new Map<string, number[]>();
  const tokens = new Map<string, Shape["tokens"]>();
  messages.forEach((message, i) => {
    let members = byMessage.get(message);
    if (members === undefined) {
      const masked = masker.mask(message);
      members = positions.get(masked.text) ?? [];
      positions.set(masked.text, members);
      byMessage.set(message, members);
      if (members.length === 0) tokens.set(masked.text, tokenize(masked));
    }
    members.push(i);
  });
  const shapes = [...positions]
    .map(([text, members]) => ({ text, tokens: tokens.get(text) ?? [], count: members.length }))
    .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
  return { shapes, positions };
}

/** Stable across calls and processes: it depends on the pattern's text alone. */
function patternId(text: string): string {
  return `p_${fingerprint(text)}`;
}

function patternText(group: Group): string {
  const shape = group.shapes.reduce((least, other) => (other.text < least.text ? other : least));
  return maskColumns(shape.tokens, group.wild).text.replaceAll(WILDCARD, WILDCARD_MARK);
}

function valueReader(groups: readonly Group[], masker: Masker): MinedPattern["valuesOf"] {
  const wildOf = new Map<string, readonly boolean[]>();
  for (const group of groups) for (const shape of group.shapes) wildOf.set(shape.text, group.wild);
  return (message) => {
    const masked = masker.mask(message);
    const wild = wildOf.get(masked.text);
    return wild === undefined ? [] : maskColumns(tokenize(masked), wild).values;
  };
}
