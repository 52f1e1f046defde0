import { isName, isValue, isWholeValue } from "./variable.ts";

/** Stands for a value inside a masked text. It cannot come from input: see `clean`. */
export const WILDCARD = "\u0000";

/** A text with its values taken out: the n-th wildcard of `text` stands for the n-th of `values`. */
export interface Masked {
  readonly text: string;
  readonly values: readonly string[];
}

interface Sink {
  text: string;
  readonly values: string[];
}

const MAX_CACHED = 50_000;
const MAX_CACHED_LENGTH = 200;

/** Placeholders with the name they stand in, URLs and paths with a query in one piece, else runs between delimiters, and the delimiters. */
const PART =
  /(?:[\w.-]{0,128}[.-])?\[\[[A-Za-z_]{1,32}:[A-Za-z0-9_-]{1,64}\]\](?:[.-][\w.-]{0,253}\w)?|[A-Za-z][A-Za-z0-9+.-]{1,15}:\/\/[^\s"'<>(){}[\]|]*[^\s"'<>(){}[\]|,.;:!?]|\/[\w./~%-]{1,1024}\?[^\s"'<>(){}[\]|]*|[^"'<>(){}[\]=,;|]+|["'<>(){}[\]=,;|]/g;
const PLACEHOLDER = /\[\[.+:.+\]\]/;
const DELIMITER = /^["'<>(){}[\]=,;|]$/;
const ATOM = /[A-Za-z0-9_.+%~-]+|[^A-Za-z0-9_.+%~-]+/g;
const ATOM_START = /^[A-Za-z0-9_.+%~-]/;
const FIRST_NUMBER = /(?<![A-Za-z0-9])-?\d+|\d+/;

const DAY_OR_MONTH =
  "(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?|Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
const UNIT =
  "(?:[KMGTP]i?[Bb]?|[Bb]|[kmg]b|bytes?|[mun]s|secs?|seconds?|msecs?|millis|milliseconds?|mins?|minutes?|hours?|days?)";

/**
 * Values that are more than one word, in the order they are looked for. Each match becomes one wildcard. Values with punctuation
 * between them are a list of any length, and so are three in a row; two are two, since a status and a size say different things.
 */
const PHRASES: readonly RegExp[] = [
  new RegExp(`(?<![^ ])${DAY_OR_MONTH},?(?= (?:\0|${DAY_OR_MONTH},? ))`, "gi"),
  new RegExp(`(?<![A-Za-z0-9])\0 ${UNIT}(?![A-Za-z0-9\0])`, "g"),
  /(?<=(?<![A-Za-z])(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS) )[\0/*][^"'\s]*/g,
  /(?<![^\s=])<\0(?!>)/g,
  /\0 \(\0?\)/g,
  /\0(?:(?:[,;:/.x+-]{0,2}|[,;:/.x+-] | [,;:/.x+-] )\0)+|\0(?:[ ,;:/.x+-]{0,2}\0){2,}/g,
];

/** Masks lines. Keeps the words it has seen, which is what makes it quick; the result does not depend on that memory. */
export class Masker {
  readonly #words = new Map<string, Masked>();

  /** Runs of white space count as one blank, so that padded columns do not make a difference. */
  mask(text: string): Masked {
    const sink: Sink = { text: "", values: [] };
    for (const word of clean(text).split(" ")) {
      if (word === "") continue;
      const masked = this.#word(word);
      sink.text += sink.text === "" ? masked.text : ` ${masked.text}`;
      for (const value of masked.values) sink.values.push(value);
    }
    let line: Masked = sink;
    for (const phrase of PHRASES) line = absorb(line, phrase);
    return line;
  }

  #word(word: string): Masked {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const masked = maskWord(word);
    if (word.length > MAX_CACHED_LENGTH) return masked;
    if (this.#words.size >= MAX_CACHED) this.#words.clear();
    this.#words.set(word, masked);
    return masked;
  }
}

function clean(text: string): string {
  return text.replaceAll(WILDCARD, "\u2400").replace(/\s/g, " ");
}

function maskWord(word: string): Masked {
  const sink: Sink = { text: "", values: [] };
  for (const part of word.match(PART) ?? []) {
    if (PLACEHOLDER.test(part)) addValue(sink, part);
    else if (DELIMITER.test(part)) sink.text += part;
    else maskPart(part, sink);
  }
  return sink;
}

function addValue(sink: Sink, value: string): void {
  if (sink.text.endsWith(WILDCARD)) {
    sink.values.push(`${sink.values.pop() ?? ""}${value}`);
    return;
  }
  sink.text += WILDCARD;
  sink.values.push(value);
}

function maskPart(part: string, sink: Sink): void {
  const core = withoutTail(part, ".:!?");
  if (isWholeValue(core)) {
    addValue(sink, core);
    sink.text += part.slice(core.length);
    return;
  }
  for (const atom of part.match(ATOM) ?? []) {
    if (ATOM_START.test(atom)) maskAtom(atom, sink);
    else sink.text += atom;
  }
}

function maskAtom(atom: string, sink: Sink): void {
  const core = withoutTail(atom, ".");
  const tail = atom.slice(core.length);
  if (isName(core)) {
    sink.text += atom;
    return;
  }
  if (isValue(core)) {
    addValue(sink, core);
    sink.text += tail;
    return;
  }
  const number = FIRST_NUMBER.exec(core);
  if (number === null) return;
  sink.text += core.slice(0, number.index);
  addValue(sink, number[0]);
  sink.text += core.slice(number.index + number[0].length) + tail;
}

function withoutTail(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Puts one wildcard in the place of each match; its value is the match with its own values put back. */
export function absorb(line: Masked, phrase: RegExp): Masked {
  if (line.text.search(phrase) < 0) return line;
  let next = 0;
  let end = 0;
  let text = "";
  const values: string[] = [];
  const take = (piece: string): string =>
    piece.replaceAll(WILDCARD, () => {
      next += 1;
      return line.values[next - 1] ?? "";
    });
  const keep = (piece: string): void => {
    for (let i = piece.indexOf(WILDCARD); i >= 0; i = piece.indexOf(WILDCARD, i + 1)) values.push(take(WILDCARD));
    text += piece;
  };
  for (const match of line.text.matchAll(phrase)) {
    keep(line.text.slice(end, match.index));
    values.push(take(match[0]));
    text += WILDCARD;
    end = match.index + match[0].length;
  }
  keep(line.text.slice(end));
  return { text, values };
}
