import { type Cursor, SEPARATOR } from "./cursor.ts";
import { type Level, levelOf } from "./level.ts";

const LEVEL_WORD =
  /(?:([[<(])(?:[\w-]{1,32}:)?)?([A-Za-z]{1,13}|[\u4e00-\u9fff]{2})(?: {0,3}[\])>]:?(?=[\s[|]|$)|:(?=\S| |$)|(?=[\s[|]|$)|(?=\/\w{1,64}\]))/y;
const BRACKETS = /\[(?:[^\][]|\[[^\][]{0,40}\]){0,400}\](?=[\s:[-]|$)/y;
const BRACES = /\{[^{}]{1,80}\}(?=\s)/y;
const NUMBER = /\d{1,10}(?=\s)/y;
const DASHES = /[ \t]{0,16}---[ \t]{0,16}/y;
const WORKER = /\d{1,10}#\d{1,10}: (?:\*\d{1,12} )?/y;
const LOGGER =
  /([A-Za-z_$](?:[\w.$/-]|::(?=\w)){0,120}(?:\[[^\][ ]{1,40}\])?)(?:\(\))?(?::[\w<>]{1,60}(?=:\d))?(?::\d{1,6})?([ \t]{1,40}[:|-](?=[ \t])|:(?=[^\s\d]| |$)|(?=[ \t]\[))/y;
/** A field of a header that is set in bars, as NLog writes it. */
const BARRED = /\|?([^|\s]{1,100})\|/y;
const TAG = /([A-Za-z_$][\w.$/-]{0,80})[ \t]{0,20}: /y;
const CHANNEL = /[\w-]{1,40}\.(?=[A-Z]{4,9}: )/y;
const WORD_BEFORE_LEVEL = /[^\s[\]:]{1,64}(?=[ \t]{1,8}[A-Z]{4,9}(?::|\t| ))/y;
const MAX_PIECES = 8;

/** What a header says besides its time. */
export interface Pieces {
  level: Level | null;
  /** The level was a single letter, as Android writes it; its tag comes next. */
  letter: boolean;
  logger: string | null;
}

/** Moves the cursor over level, thread, process and logger, in whatever order they stand. */
export function takePieces(cursor: Cursor, timed: boolean): Pieces {
  const pieces: Pieces = { level: null, letter: false, logger: null };
  if (timed && cursor.line.charAt(cursor.at) === "|") return takeBarred(cursor, pieces);
  for (let i = 0; i < MAX_PIECES; i += 1) {
    cursor.take(SEPARATOR);
    if (!takePiece(cursor, pieces, timed)) break;
  }
  cursor.take(SEPARATOR);
  return pieces;
}

function takeBarred(cursor: Cursor, pieces: Pieces): Pieces {
  for (let i = 0; i < MAX_PIECES; i += 1) {
    const field = cursor.take(BARRED)?.[1];
    if (field === undefined) break;
    const level = levelOf(field, true);
    if (level !== null && pieces.level === null) pieces.level = level;
    else if (pieces.logger === null && /^[A-Za-z]/.test(field)) pieces.logger = field;
  }
  return pieces;
}

function takePiece(cursor: Cursor, pieces: Pieces, timed: boolean): boolean {
  const start = cursor.at;
  if (pieces.level === null) {
    pieces.level = takeLevel(cursor, timed);
    pieces.letter = cursor.at === start + 1;
    if (pieces.level !== null) return cursor.at > start;
  }
  const headed = timed || pieces.level !== null;
  if (takeBrackets(cursor, headed) || (timed && takeNumberOrWord(cursor, pieces))) return true;
  if (!headed || pieces.logger !== null || cursor.take(WORKER) !== null) return false;
  const tag = pieces.letter ? cursor.take(TAG) : null;
  pieces.logger = tag?.[1] ?? takeLogger(cursor, pieces.level);
  return pieces.logger !== null;
}

function takeNumberOrWord(cursor: Cursor, pieces: Pieces): boolean {
  return takeProcess(cursor) || (pieces.level === null && takeUnknown(cursor));
}

/**
 * A level word. Without a time it must be in capitals or brackets. One in lower case without punctuation counts, but may as
 * well be the first word of the message, so the cursor stays before it.
 */
export function takeLevel(cursor: Cursor, timed: boolean): Level | null {
  const match = cursor.peek(LEVEL_WORD);
  if (match === null) return null;
  const word = match[2] ?? "";
  const marked = match[1] !== undefined || match[0].length > word.length;
  const capitals = word === word.toUpperCase();
  if (!capitals && !isLooseLevel(match, timed)) return null;
  const level = levelOf(word, timed && capitals);
  if (level !== null && (capitals || marked)) cursor.at += match[0].length;
  return level;
}

/** Lower case: behind a time any level with a mark and the common ones without; else those in brackets or at a line's start before a colon. */
function isLooseLevel(match: RegExpExecArray, timed: boolean): boolean {
  const word = match[2] ?? "";
  const common = COMMON_LEVEL.test(word);
  if (timed) return common || match[1] !== undefined || match[0].length > word.length;
  return match[1] !== undefined || (common && match.index === 0 && match[0] === `${word.toLowerCase()}:`);
}

const COMMON_LEVEL = /^(?:trace|debug|info|warn|warning|error|fatal|critical)$/i;

/** A thread in brackets; where no time or level stood before, a level must follow, else it belongs to the message. */
function takeBrackets(cursor: Cursor, headed: boolean): boolean {
  const match = cursor.peek(BRACKETS) ?? cursor.peek(BRACES);
  if (match === null) return false;
  const after = cursor.after(match[0].length);
  if ((!headed || match[0].startsWith("{")) && takeLevel(after, headed) === null) return false;
  cursor.at += match[0].length;
  return true;
}

/** A process or thread number: another number, dashes or a level follows. */
function takeProcess(cursor: Cursor): boolean {
  const match = cursor.peek(NUMBER);
  if (match === null) return false;
  const after = cursor.after(match[0].length);
  if (after.take(NUMBER) !== null) after.take(SEPARATOR);
  const start = after.at;
  const dashes = after.take(DASHES);
  if (dashes === null && (takeLevel(after, true) === null || after.at === start)) return false;
  cursor.at += match[0].length;
  if (dashes !== null) cursor.take(DASHES);
  return true;
}

/** A word that is nothing known, but has a level in capitals right behind it: a channel, a user, a request. */
function takeUnknown(cursor: Cursor): boolean {
  const match = cursor.peek(CHANNEL) ?? cursor.peek(WORD_BEFORE_LEVEL);
  if (match === null) return false;
  const after = cursor.after(match[0].length);
  if (takeLevel(after, false) === null) return false;
  cursor.at += match[0].length;
  return true;
}

/** A logger: set apart by a dash or a spaced colon, or a dotted name before a colon. Before a level, the level must follow. */
function takeLogger(cursor: Cursor, level: Level | null): string | null {
  const match = cursor.peek(LOGGER);
  const [whole = "", name = "", separator = ""] = match ?? [];
  if (match === null || !isLogger(cursor, { whole, name, separator })) return null;
  const dotted = separator.endsWith("-") && name.includes(".");
  if (level === null && !dotted && takeLevel(cursor.after(whole.length), true) === null) return null;
  cursor.at += whole.length;
  return name;
}

function isLogger(
  cursor: Cursor,
  { whole, name, separator }: { readonly whole: string; readonly name: string; readonly separator: string },
): boolean {
  const next = cursor.line.slice(cursor.at + whole.length, cursor.at + whole.length + 2);
  if (separator.length > 1) return true;
  if (separator === ":" && /^\S/.test(next)) return next !== "//";
  // Before a bracket alone only a name with several dots is more likely a logger than the message's first word.
  return name.split(".").length >= (separator === "" ? 3 : 2);
}
