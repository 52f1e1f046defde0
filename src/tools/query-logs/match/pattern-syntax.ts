import { BoundaryError } from "../../../model/errors.ts";

/** A pattern as a tree. */
export type Node =
  | { readonly kind: "characters"; readonly set: CharacterSet }
  | { readonly kind: "assertion"; readonly assertion: "start" | "end" | "word" | "no-word" }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly options: readonly Node[] }
  | { readonly kind: "repeat"; readonly part: Node; readonly min: number; readonly max: number };

/** Inclusive ranges of UTF-16 units, of characters in lower case. */
export interface CharacterSet {
  readonly ranges: readonly (readonly [number, number])[];
  readonly negated: boolean;
}

const MAX_DEPTH = 20;
const MAX_REPEAT = 100;
const DIGITS: CharacterSet["ranges"] = [[48, 57]];
const WORD: CharacterSet["ranges"] = [
  [48, 57],
  [95, 95],
  [97, 122],
];
const SPACE: CharacterSet["ranges"] = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x2000, 0x200a],
  [0x3000, 0x3000],
];
const ESCAPED: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, v: 11 };
const QUANTIFIER = /\{(\d{1,3})(?:(,)(\d{1,3})?)?\}/y;

interface Repeat {
  readonly min: number;
  readonly max: number;
}

const SIGNS: Readonly<Record<string, Repeat>> = {
  "*": { min: 0, max: Number.POSITIVE_INFINITY },
  "+": { min: 1, max: Number.POSITIVE_INFINITY },
  "?": { min: 0, max: 1 },
};

/** Parses a regular expression of the RE2 kind, folded to lower case. What cannot run in linear time is refused, so is what is not understood. */
export function parsePattern(source: string): Node {
  const parser = new PatternParser(source);
  return parser.parse();
}

function unsupported(): never {
  throw new BoundaryError("PATTERN_UNSUPPORTED", "pattern");
}

class PatternParser {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): Node {
    if (this.#source.startsWith("(?i)")) this.#at = 4;
    const node = this.#choice();
    return this.#at < this.#source.length ? unsupported() : node;
  }

  #peek(): string {
    return this.#source.charAt(this.#at);
  }

  #take(): string {
    const character = this.#peek();
    this.#at += 1;
    return character;
  }

  #choice(): Node {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) unsupported();
    const options = [this.#sequence()];
    while (this.#peek() === "|") {
      this.#at += 1;
      options.push(this.#sequence());
    }
    this.#depth -= 1;
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: "choice", options };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#source.length && this.#peek() !== "|" && this.#peek() !== ")")
      parts.push(this.#quantified(this.#atom()));
    return { kind: "sequence", parts };
  }

  #quantified(part: Node): Node {
    const range = this.#quantifier();
    if (range === null) return part;
    if (part.kind === "assertion") unsupported();
    if (this.#peek() === "?") this.#at += 1;
    if ("*+{".includes(this.#peek() || " ")) unsupported();
    return { kind: "repeat", part, ...range };
  }

  #quantifier(): Repeat | null {
    const signed = SIGNS[this.#peek()];
    if (signed !== undefined) {
      this.#at += 1;
      return signed;
    }
    QUANTIFIER.lastIndex = this.#at;
    const match = QUANTIFIER.exec(this.#source);
    if (match === null) return null;
    this.#at += match[0].length;
    const [, least, comma, most] = match;
    const min = Number(least);
    const max = comma !== undefined && most === undefined ? Number.POSITIVE_INFINITY : Number(most ?? least);
    if (min > MAX_REPEAT || max < min || (max > MAX_REPEAT && max < Number.POSITIVE_INFINITY)) unsupported();
    return { min, max };
  }

  #atom(): Node {
    const character = this.#take();
    if (character === "(") return this.#group();
    if (character === "[") return { kind: "characters", set: this.#bracket() };
    if (character === ".") return { kind: "characters", set: { ranges: [[10, 10]], negated: true } };
    if (character === "^") return { kind: "assertion", assertion: "start" };
    if (character === "$") return { kind: "assertion", assertion: "end" };
    if (character === "\\") return this.#escape();
    if ("*+?".includes(character)) unsupported();
    return literal(character.charCodeAt(0));
  }

  #group(): Node {
    if (this.#peek() === "?") {
      if (!this.#source.startsWith("?:", this.#at)) unsupported();
      this.#at += 2;
    }
    const node = this.#choice();
    if (this.#take() !== ")") unsupported();
    return node;
  }

  #escape(): Node {
    const character = this.#take();
    if (character === "b") return { kind: "assertion", assertion: "word" };
    if (character === "B") return { kind: "assertion", assertion: "no-word" };
    return { kind: "characters", set: escapeSet(character) };
  }

  #bracket(): CharacterSet {
    const negated = this.#peek() === "^";
    if (negated) this.#at += 1;
    const ranges: (readonly [number, number])[] = [];
    let first = true;
    while (first || this.#peek() !== "]") {
      if (this.#at >= this.#source.length || this.#source.startsWith("[:", this.#at)) unsupported();
      first = false;
      this.#member(ranges);
    }
    this.#at += 1;
    return { ranges, negated };
  }

  #member(ranges: (readonly [number, number])[]): void {
    const low = this.#unit();
    if (low.negated) unsupported();
    const [from] = low.ranges[0] ?? [0, 0];
    const single = low.ranges.length === 1 && low.ranges[0]?.[0] === low.ranges[0]?.[1];
    const ranged =
      this.#peek() === "-" && this.#source.charAt(this.#at + 1) !== "]" && this.#at + 1 < this.#source.length;
    if (!single || !ranged) {
      ranges.push(...low.ranges);
      return;
    }
    this.#at += 1;
    const [to, end] = this.#unit().ranges[0] ?? [0, 0];
    if (to !== end || to < from) unsupported();
    ranges.push([from, to], ...folded(from, to));
  }

  #unit(): CharacterSet {
    const character = this.#take();
    if (character === "\\") return escapeSet(this.#take());
    const code = character.toLowerCase().charCodeAt(0);
    return { ranges: [[code, code]], negated: false };
  }
}

/** Text is matched in lower case, so a range of capitals means the small letters. */
function folded(from: number, to: number): (readonly [number, number])[] {
  const low = Math.max(from, 65);
  const high = Math.min(to, 90);
  return low <= high ? [[low + 32, high + 32]] : [];
}

function literal(code: number): Node {
  const lower = String.fromCharCode(code).toLowerCase();
  const unit = lower.length === 1 ? lower.charCodeAt(0) : code;
  return { kind: "characters", set: { ranges: [[unit, unit]], negated: false } };
}

function escapeSet(character: string): CharacterSet {
  const lower = character.toLowerCase();
  const named = lower === "d" ? DIGITS : lower === "w" ? WORD : lower === "s" ? SPACE : null;
  if (named !== null) return { ranges: named, negated: character !== lower };
  const code = ESCAPED[character] ?? character.charCodeAt(0);
  // An escaped letter or digit that is not known may be a back reference, a property or an anchor.
  if (character === "" || (/[A-Za-z0-9]/.test(character) && ESCAPED[character] === undefined)) unsupported();
  return { ranges: [[code, code]], negated: false };
}
