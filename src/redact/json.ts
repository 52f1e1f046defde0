import { type JsonMember, type JsonNode, stringValue } from "./json-source.ts";
import type { KeyClass } from "./keys.ts";
import { fitsIdentifier } from "./kinds/identifier-values.ts";
import { isSecretValue } from "./plausible.ts";
import type { Kind } from "./policy.ts";
import type { KeyBook } from "./scan-text.ts";

/** A part of a JSON source and the JSON that takes its place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** What the walk asks of the redactor. */
export interface JsonRedactor {
  readonly keys: KeyBook;
  /** A string leaf, under the key that `found` stands for. */
  leaf(text: string, found: KeyClass | null): string;
  /** One word of a command line, after the words before it. */
  argument(before: string, text: string): string;
  /** The placeholder of a whole value. */
  placeholder(kind: Kind, value: string): string;
}

/** Redacts a JSON tree by its keys and its string leaves. The source outside the edits keeps its bytes; members stay members. */
export function redactJson(text: string, node: JsonNode, redactor: JsonRedactor): readonly Edit[] {
  const walk = new Walk(text, redactor);
  walk.value(node, null);
  return walk.edits;
}

const MAX_ARGUMENTS = 64;
const PRIVATE_PART: KeyClass = { role: "secret", kind: "pem", strength: "any" };

class Walk {
  readonly edits: Edit[] = [];
  readonly #text: string;
  readonly #redactor: JsonRedactor;

  constructor(text: string, redactor: JsonRedactor) {
    this.#text = text;
    this.#redactor = redactor;
  }

  value(node: JsonNode, found: KeyClass | null): void {
    switch (node.type) {
      case "object":
        this.#object(node.members, found);
        return;
      case "array":
        this.#array(node.items, found);
        return;
      case "string":
        this.#string(node, found);
        return;
      case "number":
        this.#number(node, found);
        return;
      case "word":
        return;
    }
  }

  #string(node: JsonNode, found: KeyClass | null): void {
    const value = stringValue(this.#text, node);
    const redacted = this.#redactor.leaf(value, found);
    if (redacted !== value) this.#edit(node, redacted);
  }

  #number(node: JsonNode, found: KeyClass | null): void {
    if (found === null || !("kind" in found)) return;
    const value = this.#text.slice(node.start, node.end);
    const held =
      found.role === "secret"
        ? isSecretValue(found, value, { separator: ":", quoted: true, after: "" })
        : fitsIdentifier(found.kind, value);
    if (held) this.#edit(node, this.#redactor.placeholder(found.kind, value));
  }

  #edit(node: JsonNode, value: string): void {
    this.edits.push({ start: node.start, end: node.end, replacement: JSON.stringify(value) });
  }

  /** Lists under a telling key, and pairs such as `["Authorization", "Bearer …"]`. */
  #array(items: readonly JsonNode[], found: KeyClass | null): void {
    const [name, value] = items;
    const isPair =
      found?.role !== "secret" && items.length === 2 && name?.type === "string" && value?.type === "string";
    const named = isPair ? this.#classOf(name) : null;
    if (isPair && named !== null && /^[A-Za-z][A-Za-z_.-]*$/.test(stringValue(this.#text, name))) {
      this.value(name, null);
      this.value(value, named);
    } else if (found === null && items.length <= MAX_ARGUMENTS && items.every((item) => item.type === "string"))
      this.#words(items);
    else for (const item of items) this.value(item, found);
  }

  /** A list of words may be a command line: what a word is depends on the flag before it. */
  #words(items: readonly JsonNode[]): void {
    let before = "";
    const isCommand = items.some((item) => this.#text[item.start + 1] === "-");
    for (const item of items) {
      const word = stringValue(this.#text, item);
      const redacted =
        isCommand && before !== "" ? this.#redactor.argument(before, word) : this.#redactor.leaf(word, null);
      if (redacted !== word) this.#edit(item, redacted);
      before = `${before}${word} `.slice(-200);
    }
  }

  #object(members: readonly JsonMember[], found: KeyClass | null): void {
    const names = new Set<string>();
    const named = this.#named(members);
    const known = this.#knownMembers(members);
    for (const member of members) {
      const key = this.#key(member);
      this.#memberKey(member.key, key, names);
      this.value(member.value, known.get(key) ?? this.#memberClass(key, found, named));
    }
  }

  /** Members whose meaning the object tells: the private parts of a JSON web key, the proof of a digest, the container of a kubelet's event. */
  #knownMembers(members: readonly JsonMember[]): ReadonlyMap<string, KeyClass> {
    const known = new Map<string, KeyClass>();
    const keys = new Set(members.map((member) => this.#key(member)));
    if (keys.has("kty")) for (const key of ["d", "p", "q", "dp", "dq", "qi", "k"]) known.set(key, PRIVATE_PART);
    if (keys.has("response") && keys.has("nonce") && ["realm", "uri", "qop", "cnonce"].some((key) => keys.has(key)))
      known.set("response", { role: "secret", kind: "header", strength: "random" });
    if (keys.has("Hostname") && keys.has("Image")) known.set("Hostname", { role: "identifier", kind: "container" });
    if (keys.has("Data") && keys.has("Type")) known.set("Data", { role: "identifier", kind: "container" });
    return known;
  }

  /** Two keys that are held back stay two keys. */
  #memberKey(node: JsonNode, key: string, names: Set<string>): void {
    const redacted = this.#redactor.leaf(key, null);
    let name = redacted;
    for (let count = 2; redacted !== key && names.has(name); count++) name = `${redacted}~${count}`;
    names.add(name);
    if (name !== key) this.#edit(node, name);
  }

  #memberClass(key: string, outer: KeyClass | null, named: KeyClass | null): KeyClass | null {
    const found = this.#redactor.keys.classOf(key);
    if (found?.role === "value") return named ?? (outer?.role === "secret" ? outer : null);
    if (
      outer?.role === "secret" &&
      /^(?:old|new|current|previous|raw|plain|plaintext|text|data|string|encoded)$/i.test(key)
    )
      return outer;
    if (found?.role === "name" || /^(?:key|code)$/i.test(key)) return null;
    return found;
  }

  /** The class that a `name` member gives to the `value` beside it. */
  #named(members: readonly JsonMember[]): KeyClass | null {
    if (members.length > 12) return null;
    const name = members.find(
      (member) => member.value.type === "string" && this.#redactor.keys.classOf(this.#key(member))?.role === "name",
    );
    return name === undefined ? null : this.#classOf(name.value);
  }

  #classOf(node: JsonNode): KeyClass | null {
    const key = stringValue(this.#text, node);
    return key.length > 80 ? null : this.#redactor.keys.classOf(key);
  }

  #key(member: JsonMember): string {
    return stringValue(this.#text, member.key);
  }
}
