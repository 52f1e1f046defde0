import { LIMITS } from "./limits.ts";
import type { ParsedExpression } from "./parsed.ts";
import { reject } from "./rejection.ts";

/** At most this many unbounded repetitions: each multiplies the work of a backtracking matcher by the length of the text. */
const MOST_REPETITIONS = 6;

/** Refuses a pattern that is not a short literal or that could make a matcher backtrack without end. */
export function checkPattern(expression: ParsedExpression | undefined, at: number): void {
  if (expression?.kind !== "literal" || expression.literal.type !== "string") {
    reject("SQL_FUNCTION", at, "a regular expression must be written as text in the statement");
  }
  const pattern = expression.literal.value;
  if (pattern.length > LIMITS.pattern) reject("SQL_LITERAL", at, "a regular expression longer than 200 characters");
  if (!isTame(pattern)) {
    reject("SQL_LITERAL", at, "a regular expression with nested repetition, a back-reference or a look-around");
  }
}

/** One pass over the pattern: a group that repeats without bound may hold neither a repetition nor an alternative. */
export function isTame(pattern: string): boolean {
  const groups = new Groups();
  for (let i = 0; i < pattern.length; ) {
    const token = nextToken(pattern, i);
    i += token.length;
    if (!groups.read(token)) return false;
  }
  return groups.complete();
}

/** Follows groups: of each, whether anything inside repeats or branches. */
class Groups {
  #open: boolean[] = [false];
  #closedBusy = false;
  #repetitions = 0;

  /** Takes one token; false when the pattern cannot be allowed. */
  read(token: string): boolean {
    const behindBusy = this.#closedBusy;
    this.#closedBusy = false;
    if (/^[*+?{]/.test(token) && QUANTIFIER.test(token)) return this.#repeat(token, behindBusy);
    if (token === "(" || token === "(?:") this.#open.push(false);
    else if (token === "|") this.#markBusy();
    else if (token === ")") return this.#close();
    return !(token.startsWith("(?") && token !== "(?:") && !/^\\[1-9gkpPQEGKRXZzA]/.test(token);
  }

  complete(): boolean {
    return this.#open.length === 1 && this.#repetitions <= MOST_REPETITIONS;
  }

  #repeat(token: string, behindBusy: boolean): boolean {
    const once = /^(?:\?|\{[01]?(?:,1)?\})/.test(token);
    if (!once && behindBusy) return false;
    if (!/^(?:\?|\{\d+\})/.test(token)) this.#repetitions++;
    this.#markBusy();
    return true;
  }

  #markBusy(): void {
    this.#open[this.#open.length - 1] = true;
  }

  #close(): boolean {
    this.#closedBusy = this.#open.pop() ?? false;
    if (this.#closedBusy) this.#markBusy();
    return this.#open.length > 0;
  }
}

const QUANTIFIER = /^(?:[*+?]|\{\d{1,4}(?:,\d{0,4})?\})[?+]?/;

function nextToken(pattern: string, at: number): string {
  const rest = pattern.slice(at, at + 80);
  const quantifier = QUANTIFIER.exec(rest);
  if (quantifier !== null) return quantifier[0];
  const other = /^(?:\\[\s\S]?|\[\^?\]?(?:\[:\w+:\]|\\[\s\S]|[^\]\\])*\]|\(\?:|\(\?.|.)/su.exec(rest);
  return other?.[0] ?? rest;
}
