import { isHan, isKeyChar } from "../chars.ts";

/** Longest key that is read. */
export const MAX_KEY = 80;

export interface Key {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** Quote and backslashes around the key; empty for a bare key. */
  readonly quote: string;
}

/** The key that ends before the separator at `at`, quoted or bare, or null. */
export function readKeyBefore(text: string, at: number): Key | null {
  let end = at;
  while (end > 0 && at - end < 24 && isBlank(text.charCodeAt(end - 1))) end--;
  if (text[end - 1] === "]" && (end < at || /["']/.test(text[end - 2] ?? ""))) end--;
  const mark = text[end - 1];
  const quoted = mark === '"' || mark === "'" || mark === "`";
  const close = quoted ? end - 1 : end;
  let inner = close;
  while (quoted && inner > 0 && close - inner < 64 && text[inner - 1] === "\\") inner--;
  const start = keyStart(text, inner);
  if (start === inner) return null;
  const quote = quoted ? text.slice(inner, close + 1) : "";
  return { start, end: inner, name: text.slice(start, inner), quote };
}

/** Where the run of key characters that ends at `end` begins. */
export function keyStart(text: string, end: number): number {
  let start = end;
  const stop = Math.max(0, end - MAX_KEY);
  while (start > stop) {
    const code = text.charCodeAt(start - 1);
    if (!isKeyChar(code) && !isHan(code)) break;
    start--;
  }
  return isHan(text.charCodeAt(end - 1)) ? hanStart(text, start, end) : start;
}

/** In a Chinese sentence the key is what stands before the sign, at most 16 characters of it. */
function hanStart(text: string, from: number, end: number): number {
  let start = Math.max(from, end - 16);
  while (start < end && !isHan(text.charCodeAt(start)) && !isKeyChar(text.charCodeAt(start))) start++;
  return start;
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;
