import { absorb, type Masked, WILDCARD } from "./mask.ts";

/** A piece of a shape and the separator before it. A token repeated in a row stands for all of them. */
export interface Token {
  readonly gap: string;
  readonly text: string;
  /** What its wildcards stand for. */
  readonly values: readonly string[];
}

/** Quoted text is one column, however many words it has; a request line is not. */
const TOKEN =
  /(?<==)"[^"]{0,100}"[,;:]?|(?<=^|[\s(])"(?!(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS) )[^"]{0,100}"[,;:]?(?=[\s)]|$)|[\w.$-]{0,64}[({[]\0[)}\]][,;:]?|[^\s=:,;|()[\]{}"']*[=:,;|()[\]{}"']|[^\s=:,;|()[\]{}"']+/g;

/**
 * Splits a masked text into columns: at white space and after punctuation that separates keys, values and lists. Of a list only
 * the first member stays, so that lists of any length are alike.
 */
export function tokenize(masked: Masked): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  let next = 0;
  for (const match of masked.text.matchAll(TOKEN)) {
    const gap = masked.text.slice(end, match.index);
    end = match.index + match[0].length;
    const first = next;
    next += wildcards(match[0]);
    tokens.push({ gap, text: match[0], values: masked.values.slice(first, next) });
  }
  let kept = tokens;
  for (let period = 1; period <= MAX_PERIOD; period += 1) kept = withoutRepeats(kept, period);
  return kept;
}

/** Two bare values in a row are two values; a name with a value in it, twice, is a list. */
function isMember({ text }: Token): boolean {
  return text.includes(WILDCARD) && text !== WILDCARD;
}

/** A member of a list has at most so many columns. */
const MAX_PERIOD = 4;

/** Drops what says the same as the columns just before it, values apart. */
function withoutRepeats(tokens: readonly Token[], period: number): Token[] {
  const kept: Token[] = [];
  for (let i = 0; i < tokens.length; ) {
    const before = kept.slice(-period);
    const listed = before.length === period && before.some(isMember);
    if (listed && before.every(({ text }, k) => tokens[i + k]?.text === text)) i += period;
    else {
      const token = tokens[i];
      if (token !== undefined) kept.push(token);
      i += 1;
    }
  }
  return kept;
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
