import { BoundaryError } from "../../../model/errors.ts";
import { type CharacterSet, type Node, parsePattern } from "./pattern-syntax.ts";

/** Whether a pattern occurs in a text that was folded to lower case. Takes time linear in the text, whatever the pattern. */
export type Matcher = (text: string) => boolean;

type State =
  | { readonly kind: "characters"; readonly set: CharacterSet; next: number }
  | { readonly kind: "assertion"; readonly assertion: "start" | "end" | "word" | "no-word"; next: number }
  | { readonly kind: "split"; next: number; other: number }
  | { readonly kind: "match" };

const MAX_STATES = 2_000;
const PENDING = -1;

/** Compiles a pattern to a set of states that are followed all at once, as RE2 does. Throws PATTERN_UNSUPPORTED. */
export function compilePattern(source: string): Matcher {
  const states: State[] = [];
  const builder = new Builder(states);
  const start = builder.build(parsePattern(source));
  const literals = literalText(source);
  if (literals !== null) return (text) => text.includes(literals);
  return (text) => run(states, start, text);
}

/** A pattern without any operator is a plain substring. */
function literalText(source: string): string | null {
  return /^[^\\^$.*+?()[\]{}|]*$/.test(source) ? source.toLowerCase() : null;
}

class Builder {
  readonly #states: State[];

  constructor(states: State[]) {
    this.#states = states;
  }

  /** The start state of the whole pattern. */
  build(node: Node): number {
    return this.#node(node, this.#add({ kind: "match" }));
  }

  #add(state: State): number {
    if (this.#states.length >= MAX_STATES) throw new BoundaryError("PATTERN_UNSUPPORTED", "pattern");
    return this.#states.push(state) - 1;
  }

  /** The state a node starts in, when `next` is where it goes on. Depth is bounded by the parser. */
  #node(node: Node, next: number): number {
    switch (node.kind) {
      case "characters":
        return this.#add({ kind: "characters", set: node.set, next });
      case "assertion":
        return this.#add({ kind: "assertion", assertion: node.assertion, next });
      case "sequence":
        return node.parts.reduceRight((after, part) => this.#node(part, after), next);
      case "choice":
        return node.options
          .map((option) => this.#node(option, next))
          .reduceRight((other, first) => this.#add({ kind: "split", next: first, other }));
      case "repeat":
        return this.#repeat(node.part, node.min, node.max, next);
    }
  }

  #repeat(part: Node, min: number, max: number, next: number): number {
    let start = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop: State = { kind: "split", next: PENDING, other: next };
      start = this.#add(loop);
      loop.next = this.#node(part, start);
    } else
      for (let i = min; i < max; i += 1)
        start = this.#add({ kind: "split", next: this.#node(part, start), other: next });
    for (let i = 0; i < min; i += 1) start = this.#node(part, start);
    return start;
  }
}

function run(states: readonly State[], start: number, text: string): boolean {
  const seen = new Int32Array(states.length).fill(-1);
  let active: number[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    const open = follow(states, [...active, start], { text, at, seen });
    if (open === null) return true;
    const code = text.charCodeAt(at);
    active = [];
    for (const index of open) {
      const state = states[index];
      if (state?.kind === "characters" && contains(state.set, code)) active.push(state.next);
    }
  }
  return false;
}

interface Place {
  readonly text: string;
  readonly at: number;
  /** The position at which a state was entered last. */
  readonly seen: Int32Array;
}

/** The states that wait for a character; null when the pattern has matched. */
function follow(states: readonly State[], entered: readonly number[], place: Place): number[] | null {
  const waiting: number[] = [];
  const open = [...entered];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const state = states[index];
    if (state === undefined || place.seen[index] === place.at) continue;
    place.seen[index] = place.at;
    if (state.kind === "match") return null;
    if (state.kind === "characters") waiting.push(index);
    else if (state.kind === "split") open.push(state.other, state.next);
    else if (holds(state.assertion, place)) open.push(state.next);
  }
  return waiting;
}

function holds(assertion: "start" | "end" | "word" | "no-word", { text, at }: Place): boolean {
  if (assertion === "start") return at === 0 || text.charCodeAt(at - 1) === 10;
  if (assertion === "end") return at === text.length || text.charCodeAt(at) === 10;
  const boundary = isWordUnit(text.charCodeAt(at - 1)) !== isWordUnit(text.charCodeAt(at));
  return boundary === (assertion === "word");
}

function isWordUnit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}

function contains(set: CharacterSet, code: number): boolean {
  return set.ranges.some(([low, high]) => code >= low && code <= high) !== set.negated;
}
