import { utf8Bytes } from "../../../model/json.ts";
import { splitSentences } from "./sentences.ts";
import { tokenize } from "./tokens.ts";

const PLACEHOLDER = /\[\[[^[\]\s]{1,96}\]\]/g;
/** A word or number is not cut in two unless it is longer than this. */
const MAX_WORD = 64;
const clusters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Bytes that a text takes inside a JSON string. */
export function jsonBytes(text: string): number {
  return utf8Bytes(JSON.stringify(text)) - 2;
}

/**
 * The whole sentences around the one that holds most of the words, within a size in JSON bytes.
 * A sentence that is too large by itself is cut, but never inside a placeholder, a word, or one visible character.
 */
export function excerptAround(text: string, words: ReadonlySet<string>, maxBytes: number): string {
  if (jsonBytes(text) <= maxBytes) return text;
  const sentences = splitSentences(text);
  const held = sentences.map((sentence) => new Set(tokenize(sentence).words.filter((word) => words.has(word))).size);
  const best = held.indexOf(Math.max(...held));
  if (jsonBytes((sentences[best] ?? "").trim()) > maxBytes) return cutAround(sentences[best] ?? "", words, maxBytes);
  return grow(sentences, best, maxBytes).trim();
}

/** The beginning of a text within a size in JSON bytes. */
export function cutEnd(text: string, maxBytes: number): string {
  if (jsonBytes(text) <= maxBytes) return text;
  let low = 0;
  let high = Math.min(text.length, maxBytes);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (jsonBytes(text.slice(0, middle)) <= maxBytes) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, cutBefore(text, low)).trimEnd();
}

/** Adds neighbours, the next before the previous, while they fit. */
function grow(sentences: readonly string[], from: number, maxBytes: number): string {
  let [start, end] = [from, from + 1];
  let left = maxBytes - jsonBytes(sentences[from] ?? "");
  for (let grown = true; grown; ) {
    grown = false;
    const after = sentences[end];
    if (after !== undefined && jsonBytes(after) <= left) {
      left -= jsonBytes(after);
      end++;
      grown = true;
    }
    const before = sentences[start - 1];
    if (before !== undefined && jsonBytes(before) <= left) {
      left -= jsonBytes(before);
      start--;
      grown = true;
    }
  }
  return sentences.slice(start, end).join("");
}

function cutAround(sentence: string, words: ReadonlySet<string>, maxBytes: number): string {
  const lead = Math.floor(maxBytes / 8);
  const start = cutBefore(sentence, Math.max(0, firstMatch(sentence, words) - lead));
  return cutEnd(sentence.slice(start).trimStart(), maxBytes);
}

/** Position of the first stretch of text that holds one of the words. */
function firstMatch(sentence: string, words: ReadonlySet<string>): number {
  const step = 48;
  for (let at = 0; at < sentence.length; at += step) {
    if (tokenize(sentence.slice(at, at + 2 * step)).words.some((word) => words.has(word))) return at;
  }
  return 0;
}

/** The last place at or before `position` where a text may be cut. */
function cutBefore(text: string, position: number): number {
  if (position <= 0 || position >= text.length) return Math.min(Math.max(position, 0), text.length);
  const word = wordStart(text, position);
  const cluster = clusters.segment(text).containing(word)?.index ?? word;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index >= cluster) break;
    if (cluster < match.index + match[0].length) return match.index;
  }
  return cluster;
}

/** Where the word around a position begins, so that "30000" is never shown as "300"; scripts without spaces have no such words. */
function wordStart(text: string, position: number): number {
  const isWord = (at: number): boolean => /[A-Za-z0-9_.,:%+\-\u00c0-\u024f\u0370-\u052f]/.test(text.charAt(at));
  if (!isWord(position)) return position;
  let start = position;
  while (start > 0 && position - start < MAX_WORD && isWord(start - 1)) start--;
  return position - start < MAX_WORD ? start : position;
}
