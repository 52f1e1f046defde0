import { BoundaryError } from "../../../model/errors.ts";
import { HELD_BACK } from "../../../redact/placeholders.ts";
import { contains, takesAny } from "./character-set.ts";
import { type CharacterSet, type Node, parsePattern } from "./pattern-syntax.ts";

/** A compiled pattern. */
export interface Pattern {
  /**
   * Whether it occurs in a text that was folded to lower case. Takes time linear in the text, whatever the pattern. Where a secret
   * is held back, it occurs only if it would with any secret: `.*` goes across, a letter or `[^x]` or `.{8}` does not.
   */
  readonly test: (text: string) => boolean;
  /** Texts that occur wherever the pattern does, to look for first. */
  readonly needles: readonly string[];
}

type Characters = Extract<State, { kind: "characters" }>;
type State =
  | { readonly kind: "characters"; readonly set: CharacterSet; next: number; lasts: boolean }
  | { readonly kind: "assertion"; readonly assertion: "start" | "end" | "word" | "no-word"; next: number }
  | { readonly kind: "split"; next: number; other: number }
  | { readonly kind: "match" };

const MAX_STATES = 2_000;
const PENDING = -1;

/** Compiles a pattern to states that are followed all at once, as RE2 does. Throws PATTERN_UNSUPPORTED. */
export function compilePattern(source: string): Pattern {
  const tree = parsePattern(source);
  const states: State[] = [];
  const start = new Builder(states).build(tree);
  const automaton = new Automaton(states, start);
  return { test: (text) => automaton.test(text), needles: requiredTexts(tree) };
}

/** Runs of characters that stand outside of any choice or repetition. */
function requiredTexts(tree: Node): string[] {
  const texts: string[] = [];
  let run = "";
  for (const part of [...(tree.kind === "sequence" ? tree.parts : [tree]), null]) {
    const character = part?.kind === "characters" ? singleCharacter(part.set) : null;
    if (character !== null) run += character;
    else {
      if (run.length > 1) texts.push(run);
      run = "";
    }
  }
  return texts;
}

function singleCharacter({ ranges, negated }: CharacterSet): string | null {
  const [range, more] = ranges;
  const single = range !== undefined && more === undefined && range[0] === range[1] && !negated;
  return single ? String.fromCharCode(range[0]) : null;
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
        return this.#add({ kind: "characters", set: node.set, next, lasts: false });
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
      const repeated = this.#states[loop.next];
      if (repeated?.kind === "characters") repeated.lasts = takesAny(repeated.set);
    } else
      for (let i = min; i < max; i += 1)
        start = this.#add({ kind: "split", next: this.#node(part, start), other: next });
    for (let i = 0; i < min; i += 1) start = this.#node(part, start);
    return start;
  }
}

/** What stood before a position, as far as assertions ask. */
type Before = "start" | "word" | "other" | "held";

/** All states the pattern can be in between two characters, with the steps that were worked out so far. */
interface Configuration {
  readonly entered: readonly number[];
  readonly before: Before;
  readonly steps: Map<number, Configuration | null>;
}

const MAX_CONFIGURATIONS = 4_000;
const MAX_STEPS = 200_000;
const END = -1;
const HELD = HELD_BACK.charCodeAt(0);

/** Follows all states at once and remembers each set of them, so that most characters cost one look-up. */
class Automaton {
  readonly #states: readonly State[];
  readonly #start: number;
  readonly #known = new Map<string, Configuration>();
  #steps = 0;

  constructor(states: readonly State[], start: number) {
    this.#states = states;
    this.#start = start;
  }

  test(text: string): boolean {
    let here = this.#configuration([], "start");
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      let next = here.steps.get(code);
      if (next === undefined) {
        next = this.#step(here, code);
        this.#remember(here, code, next);
      }
      if (next === null) return true;
      here = next;
    }
    return this.#waiting(here, END) === null;
  }

  #remember(here: Configuration, code: number, next: Configuration | null): void {
    if (this.#steps >= MAX_STEPS) this.#forget();
    this.#steps += 1;
    here.steps.set(code, next);
  }

  /** Cuts every link, so that nothing keeps what is forgotten. */
  #forget(): void {
    for (const { steps } of this.#known.values()) steps.clear();
    this.#known.clear();
    this.#steps = 0;
  }

  #configuration(entered: readonly number[], before: Before): Configuration {
    const key = `${before}:${entered.join()}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      if (this.#known.size >= MAX_CONFIGURATIONS) this.#forget();
      known = { entered, before, steps: new Map() };
      this.#known.set(key, known);
    }
    return known;
  }

  /** Where a character leads; null when the pattern has matched before it. */
  #step(from: Configuration, code: number): Configuration | null {
    const waiting = this.#waiting(from, code);
    if (waiting === null) return null;
    const entered = new Set<number>();
    for (const index of waiting) {
      const state = this.#states[index];
      if (state?.kind !== "characters") continue;
      if (code === HELD) for (const next of this.#across(state)) entered.add(next);
      else if (contains(state.set, code)) entered.add(state.next);
    }
    return this.#configuration(
      [...entered].sort((a, b) => a - b),
      beforeNext(code),
    );
  }

  /** Where a state is certain to be behind a text of unknown length and content: in a loop that takes anything. */
  #across({ set, next }: Characters): number[] {
    const reached: number[] = [];
    if (!takesAny(set)) return reached;
    const seen = new Set<number>();
    const open = [next];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const state = this.#states[index];
      if (state === undefined || seen.has(index)) continue;
      seen.add(index);
      if (state.kind === "split") open.push(state.other, state.next);
      else if (state.kind === "characters" && state.lasts) reached.push(state.next);
    }
    return reached;
  }

  /** The states that wait for a character; null when the pattern has matched. */
  #waiting({ entered, before }: Configuration, code: number): number[] | null {
    const waiting: number[] = [];
    const seen = new Set<number>();
    const open = [...entered, this.#start];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const state = this.#states[index];
      if (state === undefined || seen.has(index)) continue;
      seen.add(index);
      if (state.kind === "match") return null;
      if (state.kind === "characters") waiting.push(index);
      else if (state.kind === "split") open.push(state.other, state.next);
      else if (holds(state.assertion, before, code)) open.push(state.next);
    }
    return waiting;
  }
}

function beforeNext(code: number): Before {
  if (code === HELD) return "held";
  return code === 10 ? "start" : isWordUnit(code) ? "word" : "other";
}

function holds(assertion: "start" | "end" | "word" | "no-word", before: Before, code: number): boolean {
  if (before === "held" || code === HELD) return false;
  if (assertion === "start") return before === "start";
  if (assertion === "end") return code === END || code === 10;
  const boundary = (before === "word") !== isWordUnit(code);
  return boundary === (assertion === "word");
}

function isWordUnit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}
