import { type Level, levelOf, syslogLevel } from "./level.ts";
import { type FoundTime, readTime, type TimeReference } from "./time.ts";

/** What stands before the message of an event. */
export interface Header {
  readonly time: FoundTime | null;
  readonly level: Level | null;
  readonly service: string | null;
  readonly logger: string | null;
  /** Where what is not the time starts in the line. */
  readonly body: number;
  /** Where the message starts in the line, after level, thread, process and logger. */
  readonly at: number;
}

const PRIORITY = /<(\d{1,3})>(?:1 )?/y;
const CLOCK_ONLY = /\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?![\d:])/y;
const LEVEL_WORD =
  /(?:([[<(])(?:[\w-]{1,32}:)?)?([A-Za-z]{1,13}|[\u4e00-\u9fff]{2})(?: {0,3}[\])>]:?(?=[\s[|]|$)|:(?=\S| |$)|(?=[\s[|]|$)|(?=\/\w{1,64}\]))/y;
const KLOG = /([IWEF])\d{4} \d{2}:\d{2}:\d{2}\.\d{1,9} {1,8}\d{1,10} ([\w./-]{1,100}):\d{1,7}\] /y;
const BRACKETS = /\[(?:[^\][]|\[[^\][]{0,40}\]){0,400}\](?=[\s:[-]|$)/y;
const BRACES = /\{[^{}]{1,80}\}(?=\s)/y;
/** What some programs put before the time: Ruby's level letter, the process and role of Redis. */
const PREFIX = /[DIWEFA], (?=\[\d)|\d{1,10}:[A-Z] (?=\d)/y;
/** A stream's or file's name that a shipper put before the program's own time. */
const SHIPPER = /\S{1,128} {1,8}(?:\| )?(?=\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:)/y;
const UNOPENED = /[^\][\s]{0,80}\][ \t]{0,16}/y;
const REST_OF_BRACKETS = /[^\][]{0,80}\]/y;
const NUMBER = /\d{1,10}(?=\s)/y;
const DASHES = /[ \t]{0,16}---[ \t]{0,16}/y;
const WORKER = /\d{1,10}#\d{1,10}: (?:\*\d{1,12} )?/y;
const LOGGER =
  /([A-Za-z_$](?:[\w.$/-]|::(?=\w)){0,120}(?:\[[^\][ ]{1,40}\])?)(?:\(\))?(?::\d{1,6})?([ \t]{1,40}[:|-](?=[ \t])|:(?=[^\s\d]| |$)|(?=[ \t]\[))/y;
const SYSLOG_TAG =
  /([A-Za-z0-9_.:-]{1,255}) ([A-Za-z_][\w./-]{0,80}(?:\([\w-]{1,40}\))?)(?:\[\d{1,10}\])?(?: \(\[\d{1,10}\]\))?: /y;
/** A field of a header that is set in bars, as NLog writes it. */
const BARRED = /\|?([^|\s]{1,100})\|/y;
const TAG = /([A-Za-z_$][\w.$/-]{0,80})[ \t]{0,20}: /y;
const SEPARATOR = /[ \t]{0,64}(?:(?:--|[-|:,])[ \t]{1,64}){0,2}/y;
const MAX_PIECES = 8;

/** Reads a position forward through a line; every expression used is sticky and bounded. */
class Cursor {
  readonly line: string;
  at: number;

  constructor(line: string, at: number) {
    this.line = line;
    this.at = at;
  }

  peek(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    return expression.exec(this.line);
  }

  /** A second cursor, so many characters and a separator further on. */
  after(length: number): Cursor {
    const next = new Cursor(this.line, this.at + length);
    next.take(SEPARATOR);
    return next;
  }

  take(expression: RegExp): RegExpExecArray | null {
    const match = this.peek(expression);
    if (match !== null) this.at += match[0].length;
    return match;
  }
}

/**
 * The header of a text line: log4j and logback, Spring Boot, Python, syslog (RFC 3164), klog and what looks like them. Walks
 * over time, level, thread, process and logger in whatever order they come, and stops at the message. Null without a header.
 */
export function readHeader(line: string, reference: TimeReference): Header | null {
  return readKlog(line, reference) ?? readPieces(line, reference);
}

function readPieces(line: string, reference: TimeReference): Header | null {
  const cursor = new Cursor(line, 0);
  const priority = cursor.take(PRIORITY);
  cursor.take(PREFIX);
  const bare = takeTime(cursor, reference);
  const time = bare ?? takeShipped(cursor, reference);
  const clock = time !== null || cursor.take(CLOCK_ONLY) !== null;
  if (time !== null) {
    const syslog = takeSyslog(cursor, time, priority);
    if (syslog !== null) return syslog;
  }
  // What a shipper wrote before the time stays to be seen.
  const body = bare === null && time !== null ? 0 : cursor.after(0).at;
  const pieces = takePieces(cursor, clock);
  if (!clock && pieces.level === null) return null;
  if (time !== null && line.startsWith("[")) cursor.take(UNOPENED);
  const level = pieces.level ?? priorityLevel(priority);
  return { time, level, service: null, logger: pieces.logger, body, at: cursor.at };
}

function priorityLevel(priority: RegExpExecArray | null): Level | null {
  return priority === null ? null : syslogLevel(Number(priority[1]) % 8);
}

function readKlog(line: string, reference: TimeReference): Header | null {
  KLOG.lastIndex = 0;
  const match = KLOG.exec(line);
  if (match === null) return null;
  const time = readTime(line, 0, reference);
  return {
    time,
    level: levelOf(match[1] ?? "", true),
    service: null,
    logger: match[2] ?? null,
    body: time?.end ?? 0,
    at: match[0].length,
  };
}

function takeShipped(cursor: Cursor, reference: TimeReference): FoundTime | null {
  return cursor.take(SHIPPER) === null ? null : takeTime(cursor, reference);
}

/** A time, bare or in brackets; what else stands in the brackets is a level or a process. */
function takeTime(cursor: Cursor, reference: TimeReference): FoundTime | null {
  const bracket = cursor.line.charAt(cursor.at) === "[" ? 1 : 0;
  const time = readTime(cursor.line, cursor.at + bracket, reference);
  if (time === null || /[A-Za-z0-9_]/.test(cursor.line.charAt(time.end))) return null;
  cursor.at = time.end;
  if (bracket === 1 && takeLevel(cursor.after(0), true) === null) cursor.take(REST_OF_BRACKETS);
  return time;
}

function takeSyslog(cursor: Cursor, time: FoundTime, priority: RegExpExecArray | null): Header | null {
  if (cursor.line.charAt(cursor.at) !== " ") return null;
  const match = new Cursor(cursor.line, cursor.at + 1).peek(SYSLOG_TAG);
  // "2026-… ERROR billing: …" has the shape of "time host tag:", but its host is a level.
  if (match === null || levelOf(match[1] ?? "", true) !== null) return null;
  const at = cursor.at + 1 + match[0].length;
  const body = cursor.at + 1;
  const inner = new Cursor(cursor.line, at);
  const { level, logger } = takePieces(inner, false);
  const fallback = priorityLevel(priority);
  return {
    time,
    level: level ?? fallback,
    service: match[2] ?? null,
    logger,
    body,
    at: level === null ? at : inner.at,
  };
}

interface Pieces {
  level: Level | null;
  /** The level was a single letter, as Android writes it; its tag comes next. */
  letter: boolean;
  logger: string | null;
}

/** Moves the cursor over level, thread, process and logger, in whatever order they stand. */
function takePieces(cursor: Cursor, timed: boolean): Pieces {
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
  if (pieces.level === null) {
    const start = cursor.at;
    pieces.level = takeLevel(cursor, timed);
    if (pieces.level !== null) {
      pieces.letter = cursor.at === start + 1;
      return cursor.at > start;
    }
  }
  const headed = timed || pieces.level !== null;
  if (takeBrackets(cursor, headed) || (timed && takeProcess(cursor))) return true;
  if (!headed || pieces.logger !== null || cursor.take(WORKER) !== null) return false;
  const tag = pieces.letter ? cursor.take(TAG) : null;
  pieces.logger = tag?.[1] ?? takeLogger(cursor, pieces.level);
  return pieces.logger !== null;
}

/**
 * A level word. Without a time it must be in capitals or brackets. One in lower case without punctuation counts, but may as
 * well be the first word of the message, so the cursor stays before it.
 */
function takeLevel(cursor: Cursor, timed: boolean): Level | null {
  const match = cursor.peek(LEVEL_WORD);
  if (match === null) return null;
  const word = match[2] ?? "";
  const marked = match[1] !== undefined || match[0].length > word.length;
  const capitals = word === word.toUpperCase();
  if (!capitals && !(timed ? marked || COMMON_LEVEL.test(word) : match[1] !== undefined)) return null;
  const level = levelOf(word, timed && capitals);
  if (level !== null && (capitals || marked)) cursor.at += match[0].length;
  return level;
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

/** A logger: set apart by a dash or a spaced colon, or a dotted name before a colon. Before a level, the level must follow. */
function takeLogger(cursor: Cursor, level: Level | null): string | null {
  const match = cursor.peek(LOGGER);
  const name = match?.[1];
  if (match === null || name === undefined) return null;
  const spaced = (match[2] ?? "").length > 1;
  const glued = match[2] === ":" && /\S/.test(cursor.line.charAt(cursor.at + match[0].length));
  if (!spaced && !glued && name.split(".").length < (match[2] === "" ? 3 : 2)) return null;
  if (glued && cursor.line.startsWith("//", cursor.at + match[0].length)) return null;
  if (level === null && takeLevel(cursor.after(match[0].length), true) === null) return null;
  cursor.at += match[0].length;
  return name;
}
