import type { JsonValue } from "../model/json.ts";
import type { AliasEntry, RunMemory } from "../model/memory.ts";
import { aliasOf } from "./alias.ts";
import { comparableText, Spellings } from "./comparable.ts";
import { folded, foldMarks } from "./folded.ts";
import { redactJson } from "./json.ts";
import { isCounter, mayBeJson, readJson } from "./json-source.ts";
import type { KeyClass } from "./keys.ts";
import { readKeyBefore } from "./kinds/key-reader.ts";
import { scanUnder } from "./kinds/whole-values.ts";
import { aliasPlaceholder, secretPlaceholder } from "./placeholders.ts";
import {
  type CompiledPolicy,
  compilePolicy,
  type IdentifierKind,
  isSecretKind,
  type Kind,
  type RedactionPolicy,
  type SecretKind,
} from "./policy.ts";
import type { Redaction, Redactor, RedactorOptions } from "./redact.ts";
import { scanAll } from "./scan.ts";
import { KeyBook, ScanText } from "./scan-text.ts";
import { mergeSpans, type Span } from "./spans.ts";
import { scanTables } from "./tables.ts";
import { Vault } from "./vault.ts";
import { scanViews } from "./views.ts";

const MAX_DEPTH = 8;
const MAX_ROUNDS = 4;
/** Longer texts are read once: at that size a second reading costs more than the rare seam it would find. */
const MAX_SETTLED = 16_384;

/** Compiles a policy. The result is shared by all calls of all runs; a redactor is made for each call. Throws CONFIG_INVALID. */
export function createRedaction(policy: RedactionPolicy = {}): Redaction {
  const compiled = compilePolicy(policy);
  const keys = new KeyBook(compiled);
  return { digest: compiled.digest, redactor: (options) => new CallRedactor(compiled, keys, options) };
}

class CallRedactor implements Redactor {
  readonly counts = new Map<string, number>();
  readonly policy: CompiledPolicy;
  readonly keys: KeyBook;
  readonly #salt: string;
  readonly #vault = new Vault();
  readonly #aliases = new Map<string, string>();
  readonly #spellings = new Spellings();
  readonly #knownAliases: ReadonlySet<string>;
  readonly #newSecrets: string[] = [];
  readonly #newAliases = new Map<string, AliasEntry>();
  readonly #droppedBefore: number;

  constructor(policy: CompiledPolicy, keys: KeyBook, { salt, memory }: RedactorOptions) {
    this.policy = policy;
    this.keys = keys;
    this.#salt = salt;
    for (const literal of policy.literals) this.#vault.addSecret(literal, "literal");
    for (const secret of memory.secrets) this.#vault.addSecret(secret, "known");
    for (const entry of memory.aliases) this.#vault.addIdentifier(entry.value, entry.kind as IdentifierKind);
    this.#knownAliases = new Set(memory.aliases.map((entry) => entry.alias));
    this.#droppedBefore = this.#vault.dropped;
  }

  text(text: string): string {
    return this.#settled(text, 0, null);
  }

  field(name: string, value: JsonValue): JsonValue {
    const found = this.keys.classOf(name);
    if (typeof value === "string") return this.#settled(value, 0, found);
    const tree = this.tree({ [name]: value }) as { readonly [key: string]: JsonValue };
    return Object.values(tree)[0] as JsonValue;
  }

  tree(value: JsonValue): JsonValue {
    if (typeof value === "string") return this.text(value);
    if (value === null || typeof value !== "object") return value;
    return JSON.parse(this.text(JSON.stringify(value))) as JsonValue;
  }

  comparable(redacted: string, source: string): string {
    return comparableText(redacted, source, this.#spellings);
  }

  learned(): RunMemory {
    const dropped = this.#vault.dropped - this.#droppedBefore;
    return { secrets: [...this.#newSecrets], aliases: [...this.#newAliases.values()], dropped };
  }

  leaks(text: string): boolean {
    return (
      this.policy.literals.some((literal) => text.includes(literal)) ||
      this.#known(text).some((span) => isSecretKind(span.kind))
    );
  }

  /** Redacts until nothing changes any more, so that a second time changes nothing either. */
  #settled(text: string, depth: number, found: KeyClass | null): string {
    let current = this.#pass(text, depth, found);
    if (depth > 0) return current;
    current = this.#withoutKnown(current);
    for (let round = 1; round < MAX_ROUNDS && current !== text && text.length <= MAX_SETTLED; round++) {
      const again = this.#withoutKnown(this.#pass(current, depth, found));
      if (again === current) break;
      current = again;
    }
    return current;
  }

  #pass(text: string, depth: number, found: KeyClass | null): string {
    if (text.length < 3) return found === null ? text : this.#short(text, found);
    const scan = new ScanText(text, this);
    if (found !== null) scanUnder(scan, found);
    this.#scanLiterals(scan);
    this.#scan(scan, depth);
    return this.#render(text, mergeSpans(scan.spans));
  }

  #short(text: string, found: KeyClass): string {
    const scan = new ScanText(text, this);
    scanUnder(scan, found);
    return this.#render(text, scan.spans);
  }

  #scan(scan: ScanText, depth: number): void {
    scanAll(scan, depth < MAX_DEPTH ? (inner, at) => this.#json(inner, at, depth) : (_inner, at) => at);
    scanTables(scan);
    scanViews(scan, this);
  }

  /** A fragment of JSON is redacted by its structure; what was read in vain is not read again. */
  #json(scan: ScanText, at: number, depth: number): number {
    if (at < scan.jsonTried || !mayBeJson(scan.text, at)) return at;
    const { node, at: read } = readJson(scan.text, at);
    scan.jsonTried = Math.max(scan.jsonTried, read);
    if (node === null || node.end - node.start < 4 || isCounter(scan.text, node.start, node.end)) return at;
    const edits = redactJson(scan.text, node, {
      keys: this.keys,
      leaf: (text, found) => this.#settled(text, depth + 1, found),
      argument: (before, text) => this.#argument(before, text, depth + 1),
      placeholder: (kind, value) => this.#placeholder(kind, value),
    });
    for (const edit of edits) scan.replace(edit.start, edit.end, edit.replacement);
    scan.fragments.push({ start: node.start, end: node.end });
    return node.end;
  }

  #argument(before: string, text: string, depth: number): string {
    const scan = new ScanText(before + text, this);
    this.#scan(scan, depth);
    const own = scan.spans.filter((span) => span.start >= before.length);
    const shifted = own.map((span) => ({ ...span, start: span.start - before.length, end: span.end - before.length }));
    return this.#render(text, mergeSpans(shifted));
  }

  #scanLiterals(scan: ScanText): void {
    for (const literal of this.policy.literals) {
      for (let at = scan.text.indexOf(literal); at >= 0; at = scan.text.indexOf(literal, at + literal.length)) {
        scan.add(at, at + literal.length, "literal");
      }
    }
  }

  secretIn(decoded: string): SecretKind | null {
    const scan = new ScanText(decoded, { keys: this.keys, policy: this.policy, secretIn: () => null });
    scanAll(scan, (_scan, at) => at);
    return (scan.spans.find((span) => isSecretKind(span.kind))?.kind as SecretKind | undefined) ?? null;
  }

  /** What the run knows, as it is written and as it reads. */
  #known(text: string): readonly Span[] {
    const found = this.#vault.find(text);
    const view = foldMarks(text);
    if (view === null) return found;
    const place = (at: number): number => view.places[at] as number;
    const read = this.#vault.find(view.text);
    return [...found, ...read.map((span) => ({ ...span, start: place(span.start), end: place(span.end) }))];
  }

  /** Takes out what the run knows, wherever it stands. */
  #withoutKnown(text: string): string {
    const found = this.#known(text);
    if (found.length === 0) return text;
    const scan = new ScanText(text, this);
    for (const span of found) scan.add(span.start, span.end, span.kind, numberQuote(text, span));
    return this.#render(text, mergeSpans(scan.spans));
  }

  #render(text: string, spans: readonly Span[]): string {
    if (spans.length === 0) return text;
    const pieces: string[] = [];
    let from = 0;
    for (const span of spans) {
      const held = span.replacement ?? this.#placeholder(span.kind, text.slice(span.start, span.end));
      const quote = span.quote ?? "";
      pieces.push(text.slice(from, span.start), quote, held, quote);
      from = span.end;
    }
    pieces.push(text.slice(from));
    return pieces.join("");
  }

  #placeholder(kind: Kind, value: string): string {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (!isSecretKind(kind)) return aliasPlaceholder(kind, this.#alias(kind, value));
    for (const spelling of new Set([value, folded(value)]))
      if (this.#vault.addSecret(spelling, kind)) this.#newSecrets.push(spelling);
    return secretPlaceholder(this.#vault.kindOf(value) ?? kind);
  }

  #alias(kind: IdentifierKind, value: string): string {
    const name = `${kind} ${value}`;
    const known = this.#aliases.get(name);
    if (known !== undefined) return known;
    const alias = aliasOf(this.#salt, kind, value);
    this.#aliases.set(name, alias);
    this.#spellings.add(alias, value);
    this.#vault.addIdentifier(value, kind);
    if (kind !== "sql" && !this.#knownAliases.has(alias) && !this.#newAliases.has(alias)) {
      this.#newAliases.set(alias, { alias, kind, value });
    }
    return alias;
  }
}

/** A known number that stands bare in JSON becomes a string: behind a quoted key, or in a list of a text that is JSON. */
function numberQuote(text: string, span: Span): string | undefined {
  if (!/^\d+$/.test(text.slice(span.start, span.end))) return undefined;
  let before = span.start - 1;
  while (before > 0 && span.start - before < 40 && /\s/.test(text[before] as string)) before--;
  if (text[before] === ":") return readKeyBefore(text, before)?.quote || undefined;
  return /[[,]/.test(text[before] ?? "") &&
    /^\s{0,40}[\],]/.test(text.slice(span.end, span.end + 42)) &&
    /^\s*[{[]/.test(text)
    ? '"'
    : undefined;
}
