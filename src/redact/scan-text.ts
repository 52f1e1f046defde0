import { folded } from "./folded.ts";
import type { KeyClass } from "./keys.ts";
import { classifyChinese, classifyWords, splitKey } from "./keys.ts";
import { findPlaceholders, type Placeholder } from "./placeholders.ts";
import type { CompiledPolicy, Kind, SecretKind } from "./policy.ts";
import type { Span } from "./spans.ts";
import type { BareRun } from "./values.ts";

const CACHE_LIMIT = 4096;

/** Remembers what key names mean; keys repeat endlessly in logs. One for a policy. */
export class KeyBook {
  readonly #policy: CompiledPolicy;
  readonly #known = new Map<string, KeyClass | null>();

  constructor(policy: CompiledPolicy) {
    this.#policy = policy;
  }

  classOf(key: string): KeyClass | null {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= CACHE_LIMIT) this.#known.clear();
    const found = this.#classify(key);
    this.#known.set(key, found);
    return found;
  }

  #classify(name: string): KeyClass | null {
    const key = folded(name);
    if (/[\u4e00-\u9fff]/.test(key)) return this.#allowed(classifyChinese(key));
    const words = splitKey(key);
    if (this.#policy.keepsKey(words)) return null;
    if (this.#policy.isSecretKey(words)) return { role: "secret", kind: "generic", strength: "any" };
    return this.#allowed(classifyWords(words));
  }

  #allowed(found: KeyClass | null): KeyClass | null {
    return found !== null && "kind" in found && !this.#policy.isOn(found.kind) ? null : found;
  }
}

/** A key that names the next value: `{"name": "DB_PASSWORD", "value": …}`. */
export interface NamedKey {
  readonly found: KeyClass;
  readonly end: number;
}

/** What the scanners of a text share with those of others. */
export interface ScanBook {
  readonly keys: KeyBook;
  readonly policy: CompiledPolicy;
  /** Kind of the first secret in a text that was found encoded in another. */
  secretIn(decoded: string): SecretKind | null;
}

/** One text under the scanners: where it is read and where their finds go. */
export class ScanText {
  readonly text: string;
  readonly keys: KeyBook;
  readonly policy: CompiledPolicy;
  readonly spans: Span[] = [];
  readonly placeholders: readonly Placeholder[];
  /** The last key that was given as a value, for the value that follows it. */
  named: NamedKey | null = null;
  /** The whole text is a version, whatever it looks like. */
  isVersion = false;
  /** Escapes seen, so that a decoded view is only made of texts that need one. */
  escapes = 0;
  /** Up to here a fragment of JSON was tried and is none. */
  jsonTried = 0;
  /** Fragments of JSON, in order, which were redacted by their structure. */
  readonly fragments: { readonly start: number; readonly end: number }[] = [];
  readonly bareRun: BareRun = { start: 0, end: 0, context: 0 };
  /** Up to here a value was held back whole; pairs inside of it need no look of their own. */
  covered = 0;
  /** Up to here a statement was read. */
  statementEnd = 0;
  /** Up to here a dump of parameters was read. */
  dumpEnd = 0;
  /** Up to here a run of base64 characters was looked at. */
  runEnd = 0;
  readonly #secretIn: (decoded: string) => SecretKind | null;

  constructor(text: string, book: ScanBook) {
    this.text = text;
    this.keys = book.keys;
    this.policy = book.policy;
    this.placeholders = findPlaceholders(text);
    this.#secretIn = (decoded) => book.secretIn(decoded);
  }

  /** Kind of the first secret in a text that was found encoded in this one. */
  secretIn(decoded: string): SecretKind | null {
    return this.#secretIn(decoded);
  }

  /** A part whose redacted form is ready. */
  replace(start: number, end: number, replacement: string): void {
    this.spans.push({ start, end, kind: "generic", replacement });
  }

  /** Reports a find. Finds inside or beside a placeholder are none. */
  add(start: number, end: number, kind: Kind, quote?: string): void {
    if (end <= start || !this.policy.isOn(kind) || this.#touchesPlaceholder(start, end)) return;
    if (this.policy.keepsValue(this.text.slice(start, end))) return;
    this.spans.push(quote === undefined ? { start, end, kind } : { start, end, kind, quote });
  }

  #touchesPlaceholder(start: number, end: number): boolean {
    if (this.placeholders.length === 0) return false;
    let low = 0;
    let high = this.placeholders.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.placeholders[middle] as Placeholder).end < start) low = middle + 1;
      else high = middle;
    }
    const place = this.placeholders[low];
    return place !== undefined && place.start <= end;
  }

  /** End of the placeholder that begins at `at`, or -1. */
  placeholderEnd(at: number): number {
    let low = 0;
    let high = this.placeholders.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.placeholders[middle] as Placeholder).start < at) low = middle + 1;
      else high = middle;
    }
    const place = this.placeholders[low];
    return place !== undefined && place.start === at ? place.end : -1;
  }
}
