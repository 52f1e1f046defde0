/** Spelling of a placeholder. Only these characters, so that it survives JSON, SQL strings, Markdown and XML unescaped. */
const PLACEHOLDER = /\[\[(?:secret:([a-z][a-z0-9_]{0,31})|([a-z][a-z0-9_]{0,31}):([a-z][a-z2-7]{7,31}))\]\]/y;
const LONGEST = 2 + 32 + 1 + 32 + 2;

/** One sentence for the reader of an observation: what the placeholders are. */
export const LEGEND =
  "[[secret:KIND]] is a held-back secret; [[KIND:ALIAS]] stands for an identifier, equal aliases mean equal values within this run.";

export interface Placeholder {
  readonly start: number;
  readonly end: number;
  /** Kind of the secret or identifier. */
  readonly kind: string;
  /** Absent for a secret: nothing turns it back. */
  readonly alias?: string;
}

/** All placeholders of a text, in order. */
export function findPlaceholders(text: string): readonly Placeholder[] {
  let at = text.indexOf("[[");
  if (at < 0) return [];
  const found: Placeholder[] = [];
  while (at >= 0) {
    PLACEHOLDER.lastIndex = at;
    const match = PLACEHOLDER.exec(text);
    const end = match === null ? at + 1 : PLACEHOLDER.lastIndex;
    if (match !== null) {
      const [, secret, kind = "", alias = ""] = match;
      found.push(secret !== undefined ? { start: at, end, kind: secret } : { start: at, end, kind, alias });
    }
    at = text.indexOf("[[", end);
  }
  return found;
}

/** Whether a text holds a secret's placeholder: such a request cannot be executed. */
export function hasSecretPlaceholder(text: string): boolean {
  return findPlaceholders(text).some((place) => place.alias === undefined);
}

/** The placeholder that is the whole of `text` and stands for an identifier, or null. */
export function wholeAlias(text: string): Placeholder | null {
  const [first] = findPlaceholders(text);
  return first?.alias !== undefined && first.start === 0 && first.end === text.length ? first : null;
}

/** Spelling of a held-back secret. */
export function secretPlaceholder(kind: string): string {
  return `[[secret:${kind}]]`;
}

/** Stands for a held-back secret where texts are compared: a code unit that no text has, for any text that is not known. */
export const HELD_BACK = "\uffff";

/** Spelling of an identifier's alias. */
export function aliasPlaceholder(kind: string, alias: string): string {
  return `[[${kind}:${alias}]]`;
}

export type CutLimit = { readonly maxChars: number } | { readonly maxBytes: number };

/**
 * The longest beginning of `text` within the limit (UTF-16 units or UTF-8 bytes) that ends neither inside a placeholder nor inside
 * a character. Comes back unchanged when it fits.
 */
export function cutText(text: string, limit: CutLimit): string {
  const end = "maxChars" in limit ? limit.maxChars : charsWithin(text, limit.maxBytes);
  if (end >= text.length) return text;
  return text.slice(0, safeCut(text, Math.max(0, Math.floor(end))));
}

function charsWithin(text: string, maxBytes: number): number {
  if (text.length * 3 <= maxBytes) return text.length;
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    bytes += utf8Bytes(text, at);
    if (bytes > maxBytes) return at;
  }
  return text.length;
}

/** Bytes of the code unit at `at`; the second half of a surrogate pair was counted with the first. */
function utf8Bytes(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(at + 1))) return 4;
  return isLowSurrogate(code) && at > 0 && isHighSurrogate(text.charCodeAt(at - 1)) ? 0 : 3;
}

function safeCut(text: string, end: number): number {
  const from = Math.max(0, end - LONGEST);
  const around = text.slice(from, end + LONGEST);
  for (const place of findPlaceholders(around)) {
    if (from + place.start < end && from + place.end > end) return from + place.start;
  }
  return isLowSurrogate(text.charCodeAt(end)) && end > 0 ? end - 1 : end;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
