/** One value of a JSON text, with its place in the source. */
export type JsonNode =
  | { readonly type: "object"; readonly start: number; readonly end: number; readonly members: readonly JsonMember[] }
  | { readonly type: "array"; readonly start: number; readonly end: number; readonly items: readonly JsonNode[] }
  | { readonly type: "string" | "number" | "word"; readonly start: number; readonly end: number };

export interface JsonMember {
  readonly key: JsonNode;
  readonly value: JsonNode;
}

/** The value of a string node, escapes resolved. */
export function stringValue(text: string, node: JsonNode): string {
  const raw = text.slice(node.start + 1, node.end - 1);
  return raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
}

const MAX_DEPTH = 96;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** Reads the JSON value at `start`. `at` is how far the text was read, also when it is none. */
export function readJson(text: string, start: number): { readonly node: JsonNode | null; readonly at: number } {
  const reader = new Reader(text, start);
  const node = reader.value(0);
  return { node, at: reader.at };
}

class Reader {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  value(depth: number): JsonNode | null {
    this.#space();
    switch (this.#text[this.at]) {
      case "{":
        return depth < MAX_DEPTH ? this.#object(depth) : null;
      case "[":
        return depth < MAX_DEPTH ? this.#array(depth) : null;
      case '"':
        return this.#string();
      default:
        return this.#match(NUMBER, "number") ?? this.#match(WORD, "word");
    }
  }

  #object(depth: number): JsonNode | null {
    const start = this.at++;
    const members: JsonMember[] = [];
    if (this.#take("}")) return { type: "object", start, end: this.at, members };
    do {
      this.#space();
      const key = this.#text[this.at] === '"' ? this.#string() : null;
      if (key === null || !this.#take(":")) return null;
      const value = this.value(depth + 1);
      if (value === null) return null;
      members.push({ key, value });
    } while (this.#take(","));
    return this.#take("}") ? { type: "object", start, end: this.at, members } : null;
  }

  #array(depth: number): JsonNode | null {
    const start = this.at++;
    const items: JsonNode[] = [];
    if (this.#take("]")) return { type: "array", start, end: this.at, items };
    do {
      const item = this.value(depth + 1);
      if (item === null) return null;
      items.push(item);
    } while (this.#take(","));
    return this.#take("]") ? { type: "array", start, end: this.at, items } : null;
  }

  #string(): JsonNode | null {
    const start = this.at;
    const text = this.#text;
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        this.at = at + 1;
        return { type: "string", start, end: this.at };
      }
      if (code < 0x20) return this.#fail(at);
      if (code === 0x5c && !/^["\\/bfnrt]|^u[0-9a-fA-F]{4}/.test(text.slice(++at, at + 5))) return this.#fail(at);
    }
    return this.#fail(text.length);
  }

  #fail(at: number): null {
    this.at = at;
    return null;
  }

  #match(pattern: RegExp, type: "number" | "word"): JsonNode | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    const start = this.at;
    this.at += found[0].length;
    return { type, start, end: this.at };
  }

  #space(): void {
    let code = this.#text.charCodeAt(this.at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = this.#text.charCodeAt(++this.at);
  }

  #take(mark: string): boolean {
    this.#space();
    if (this.#text[this.at] !== mark) return false;
    this.at++;
    return true;
  }
}

/** A bracket at the start of a line, or one that a string, a bracket or its own end follows. */
export function mayBeJson(text: string, at: number): boolean {
  const next = /^.\s{0,40}(["{[\]}]|-?\d|[tfn])/s.exec(text.slice(at, at + 42))?.[1];
  if (next === undefined) return false;
  return text[at] === "{"
    ? next === '"'
    : /["{[]/.test(next) || /(?:^|\n)\s*$/.test(text.slice(Math.max(0, at - 40), at));
}

/** `[4411]` before a message is a process or a count; a list of numbers that is JSON stands alone on its line. */
export function isCounter(text: string, start: number, end: number): boolean {
  return end - start < 12 && /^\[[\d\s]+\]$/.test(text.slice(start, end)) && /^[^\r\n]/.test(text.slice(end, end + 1));
}
