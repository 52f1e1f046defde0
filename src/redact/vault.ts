import { isWord } from "./chars.ts";
import type { IdentifierKind, Kind, SecretKind } from "./policy.ts";
import type { Span } from "./spans.ts";

export const MAX_SECRETS = 256;
export const MIN_SECRET = 8;
export const MAX_SECRET = 256;
const MAX_NAMES = 1024;
const WINDOW = 6;

interface Entry {
  readonly value: string;
  readonly kind: Kind;
  /** Counts only where no word goes on before or after it. */
  readonly whole: boolean;
}

/** Whether a value is fit to be searched for: long enough, not one word of a language, not all one sign. */
export function isMemorable(value: string): boolean {
  if (value.length < MIN_SECRET || value.length > MAX_SECRET || value.includes("[[")) return false;
  if (/^[A-Za-z]?[a-z]+$/.test(value) || /^[A-Z]+$/.test(value) || new Set(value).size < 4) return false;
  return !/^[a-z]+(?:[-_ .][a-z]+)*$/i.test(value) && !/^\d{4}-\d\d-\d\d/.test(value);
}

/** Finds known values in a text. One hash of their first characters finds candidates, so that their number does not matter. */
class ValueIndex {
  readonly #buckets = new Map<number, Entry[]>();
  readonly #filter = new Uint8Array(1 << 13);

  add(entry: Entry): void {
    const hash = hashAt(entry.value, 0);
    const bucket = this.#buckets.get(hash) ?? [];
    bucket.push(entry);
    bucket.sort((a, b) => b.value.length - a.value.length);
    this.#buckets.set(hash, bucket);
    this.#filter[(hash & 0xffff) >> 3] = (this.#filter[(hash & 0xffff) >> 3] as number) | (1 << (hash & 7));
  }

  find(text: string): readonly Span[] {
    const spans: Span[] = [];
    if (this.#buckets.size === 0) return spans;
    let at = 0;
    while (at + WINDOW <= text.length) {
      const end = this.#matchAt(text, at, spans);
      at = end > at ? end : at + 1;
    }
    return spans;
  }

  #matchAt(text: string, at: number, spans: Span[]): number {
    const hash = hashAt(text, at);
    if (((this.#filter[(hash & 0xffff) >> 3] as number) & (1 << (hash & 7))) === 0) return at;
    for (const { value, kind, whole } of this.#buckets.get(hash) ?? []) {
      const end = at + value.length;
      if (!text.startsWith(value, at) || isEscaped(text, at)) continue;
      if (whole && (isName(text.charCodeAt(at - 1)) || isName(text.charCodeAt(end)))) continue;
      spans.push({ start: at, end, kind });
      return end;
    }
    return at;
  }
}

const isName = (code: number): boolean => isWord(code) || code === 0x2d;

/**
 * What a run knows: values proven secret, searched for as they are and as JSON, URL, HTML, Unicode-escaped, hexadecimal and base64
 * text, and identifiers that were recognised by their surroundings once and may stand without them elsewhere.
 */
export class Vault {
  readonly #kinds = new Map<string, SecretKind>();
  readonly #secrets = new ValueIndex();
  readonly #identifiers = new ValueIndex();
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
    for (const form of encodedForms(value)) this.#secrets.add({ value: form, kind, whole: false });
    return true;
  }

  addIdentifier(value: string, kind: IdentifierKind): void {
    if (this.#names.has(value) || this.#names.size >= MAX_NAMES || !isTelling(value, kind)) return;
    this.#names.add(value);
    this.#identifiers.add({ value, kind, whole: true });
  }

  findSecrets(text: string): readonly Span[] {
    return this.#secrets.find(text);
  }

  findAll(text: string): readonly Span[] {
    const identifiers = this.#identifiers.find(text);
    const secrets = this.#secrets.find(text);
    return identifiers.length === 0 ? secrets : [...secrets, ...identifiers];
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

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = 0; index < WINDOW; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(at + index)) | 0;
  return hash;
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
