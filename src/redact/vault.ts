import { isWord } from "./chars.ts";
import type { IdentifierKind, Kind, SecretKind } from "./policy.ts";
import type { Span } from "./spans.ts";

export const MAX_SECRETS = 256;
const MIN_SECRET = 8;
const MAX_SECRET = 256;
const MAX_NAMES = 1024;
const WINDOW = 6;
/** No encoded form of a secret is longer: percent, twice, of a character takes up to five times three. */
const MAX_FORM = MAX_SECRET * 15;

interface Entry {
  readonly value: string;
  readonly kind: Kind;
  /** Counts only where no word goes on before or after it. */
  readonly whole: boolean;
}

/**
 * Whether a value is fit to be searched for: long enough and made up. Words, names of code and dates would be found all over a text.
 */
export function isMemorable(value: string): boolean {
  if (value.length < MIN_SECRET || value.length > MAX_SECRET || value.includes("[[")) return false;
  if (new Set(value).size < 4 || /^\d{4}-\d\d-\d\d/.test(value)) return false;
  if (/\d/.test(value)) return !/^[a-z_. -]+\d$/i.test(value);
  return /[A-Za-z]/.test(value) && (/[!@#%^&*+=~?|]/.test(value) || isMixed(value));
}

/** Letters alone, drawn at random: the case changes again and again. */
const isMixed = (value: string): boolean =>
  value.length >= 16 && /^[A-Za-z]+$/.test(value) && (value.match(/[a-z][A-Z]/g)?.length ?? 0) >= 4;

/**
 * Finds known values in a text. A rolling hash of six characters finds candidates, so that the number of values does not matter:
 * each step shifts six bits out, and after six steps a character has left the 32 bits.
 */
class ValueIndex {
  readonly #buckets = new Map<number, Entry[]>();
  /** Made with the first value: most calls prove nothing secret. */
  #filter: Uint8Array | null = null;

  add(entry: Entry): void {
    let hash = 0;
    for (let at = 0; at < WINDOW; at++) hash = (hash << 6) ^ entry.value.charCodeAt(at);
    const bucket = this.#buckets.get(hash) ?? [];
    bucket.splice(placeOf(bucket, entry.value), 0, entry);
    this.#buckets.set(hash, bucket);
    this.#filter ??= new Uint8Array(1 << 16);
    this.#filter[slot(hash)] = 1;
  }

  find(text: string): readonly Span[] {
    const spans: Span[] = [];
    const filter = this.#filter;
    if (filter === null) return spans;
    let hash = 0;
    let free = 0;
    for (let at = 0; at < text.length; at++) {
      hash = (hash << 6) ^ text.charCodeAt(at);
      const start = at - WINDOW + 1;
      if (filter[slot(hash)] === 1 && start >= free) free = this.#matchAt(text, start, hash, spans);
    }
    return spans;
  }

  /** End of the longest value that stands at `at`, or `at`. */
  #matchAt(text: string, at: number, hash: number, spans: Span[]): number {
    const bucket = this.#buckets.get(hash);
    if (bucket === undefined || isEscaped(text, at)) return at;
    const found = longestAt(bucket, text, at);
    if (found === null) return at;
    const end = at + found.value.length;
    spans.push({ start: at, end, kind: found.kind });
    return end;
  }
}

/** Where a value stands, or would stand, in a list in order. */
function placeOf(bucket: readonly Entry[], value: string): number {
  let low = 0;
  let high = bucket.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bucket[middle] as Entry).value <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Many values may begin alike, and whoever writes log lines can make them so: trying each would take as long as there are values.
 * In a list in order, the last value up to the text either begins the text, or no value longer than what both share does.
 */
function longestAt(bucket: readonly Entry[], text: string, at: number): Entry | null {
  let length = Math.min(MAX_FORM, text.length - at);
  while (length >= WINDOW) {
    const piece = text.slice(at, at + length);
    const entry = bucket[placeOf(bucket, piece) - 1];
    if (entry === undefined) return null;
    const shared = sharedLength(entry.value, piece);
    if (shared < entry.value.length) length = shared;
    else if (standsAlone(entry, text, at)) return entry;
    else length = shared - 1;
  }
  return null;
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

function standsAlone({ value, whole }: Entry, text: string, at: number): boolean {
  return !whole || !(isName(text.charCodeAt(at - 1)) || isName(text.charCodeAt(at + value.length)));
}

const slot = (hash: number): number => (hash ^ (hash >>> 16)) & 0xffff;

const isName = (code: number): boolean => isWord(code) || code === 0x2d;

/**
 * What a run knows: values proven secret, searched for as they are and as JSON, URL, HTML, Unicode-escaped, hexadecimal and base64
 * text, and identifiers that were recognised by their surroundings once and may stand without them elsewhere.
 */
export class Vault {
  readonly #kinds = new Map<string, SecretKind>();
  readonly #index = new ValueIndex();
  readonly #names = new Set<string>();
  #dropped = 0;

  /** Secrets that found no room: counted, not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  kindOf(value: string): SecretKind | undefined {
    return this.#kinds.get(value);
  }

  /** Takes a secret in. Answers whether it is new. */
  addSecret(value: string, kind: SecretKind): boolean {
    if (this.#kinds.has(value) || !isMemorable(value)) return false;
    if (this.#kinds.size >= MAX_SECRETS) {
      this.#dropped++;
      return false;
    }
    this.#kinds.set(value, kind);
    const isNumber = /^\d+$/.test(value);
    for (const form of encodedForms(value)) this.#index.add({ value: form, kind, whole: isNumber });
    return true;
  }

  addIdentifier(value: string, kind: IdentifierKind): void {
    if (this.#names.has(value) || this.#names.size >= MAX_NAMES || !isTelling(value, kind)) return;
    this.#names.add(value);
    this.#index.add({ value, kind, whole: true });
  }

  /** Where known secrets and identifiers stand. */
  find(text: string): readonly Span[] {
    return this.#index.find(text);
  }
}

/** Whether an identifier can be told from other text when it stands alone. */
function isTelling(value: string, kind: IdentifierKind): boolean {
  if (kind === "host") return value.length >= 7 && /[.-]/.test(value) && /\d|\..*\./.test(value);
  return (
    (kind === "container" ||
      kind === "phone" ||
      kind === "idcard" ||
      kind === "bankcard" ||
      kind === "ip" ||
      kind === "mac") &&
    value.length >= WINDOW + 1
  );
}

/** The letter behind a backslash belongs to an escape and begins no value. */
function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (slashes < 64 && text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
  return slashes % 2 === 1 && /[nrtbfu]/.test(text[at] as string);
}

/** Spellings of a value that are searched for; base64 without the characters that depend on what stands before or after. */
export function encodedForms(value: string): readonly string[] {
  const bytes = Buffer.from(value, "utf8");
  const percent = encodeURIComponent(Buffer.from(value, "utf8").toString("utf8"));
  const json = JSON.stringify(value).slice(1, -1);
  const forms = [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    percent,
    percent.replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encodeURIComponent(percent),
    value.replace(/[&<>"']/g, (sign) => HTML[sign] as string),
    [...value].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...base64Cores(bytes),
  ];
  return [...new Set(forms.filter((form) => form.length >= MIN_SECRET))];
}

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function base64Cores(bytes: Buffer): readonly string[] {
  const cores: string[] = [];
  for (const shift of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = padded.toString("base64").replace(/=+$/, "");
    const head = shift === 0 ? 0 : shift + 1;
    const tail = padded.length % 3 === 0 ? whole.length : whole.length - 1;
    const core = whole.slice(head, tail);
    cores.push(core, core.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return cores;
}
