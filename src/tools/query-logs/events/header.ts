import { Cursor, SEPARATOR } from "./cursor.ts";
import { type Level, levelOf, syslogLevel } from "./level.ts";
import { takeLevel, takePieces } from "./pieces.ts";
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
  /** Where the message ends, for formats with values behind it; absent when it goes to the end. */
  readonly until?: number;
}

const PRIORITY = /<(\d{1,3})>(?:1 )?/y;
const CLOCK_ONLY = /\[?\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?![\d:])/y;
const KLOG = /([IWEF])\d{4} \d{2}:\d{2}:\d{2}\.\d{1,9} {1,8}\d{1,10} ([\w./-]{1,100}):\d{1,7}\] /y;
/** What some programs put before the time: Ruby's level letter, the process and role of Redis. */
const PREFIX = /[DIWEFA], (?=\[\d)|\d{1,10}:[A-Z] (?=\d)/y;
/** A stream's or file's name that a shipper put before the program's own time. */
const SHIPPER = /\S{1,128} {1,8}(?:\| )?(?=\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:)/y;
const UNOPENED = /[^\][\s]{0,80}\][ \t]{0,16}/y;
const REST_OF_BRACKETS = /[^\][]{0,80}\]/y;
const SYSLOG_TAG =
  /([A-Za-z0-9][A-Za-z0-9_.:/@-]{0,254}) ([A-Za-z_/][\w./-]{0,120}(?:\([\w-]{1,40}\))?)(?:\[\d{1,10}\])?(?: \(\[\d{1,10}\]\))?: /y;

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
  const { time, level: led, bare } = findTime(cursor, reference);
  const syslog = time === null ? null : takeSyslog(cursor, time, priority);
  if (syslog !== null) return syslog;
  const timed = time !== null || cursor.take(CLOCK_ONLY) !== null;
  // What stands before the time stays to be seen.
  const body = bare ? cursor.after(0).at : 0;
  const pieces = takePieces(cursor, timed);
  const level = pieces.level ?? led;
  if (!timed && level === null) return null;
  if (time !== null && line.startsWith("[")) cursor.take(UNOPENED);
  return { time, level: level ?? priorityLevel(priority), service: null, logger: pieces.logger, body, at: cursor.at };
}

interface Timed {
  readonly time: FoundTime | null;
  /** A level that stood before the time, as Django writes it. */
  readonly level: Level | null;
  /** Nothing stood before the time. */
  readonly bare: boolean;
}

/** The time at the start of a line, behind a level, or behind what a shipper wrote. */
function findTime(cursor: Cursor, reference: TimeReference): Timed {
  const start = cursor.at;
  const bare = takeTime(cursor, reference);
  if (bare !== null) return { time: bare, level: null, bare: true };
  const level = takeLevel(cursor, false);
  cursor.take(SEPARATOR);
  const led = level === null ? null : takeTime(cursor, reference);
  if (led !== null) return { time: led, level, bare: false };
  cursor.at = start;
  const shipped = cursor.take(SHIPPER) === null ? null : takeTime(cursor, reference);
  if (shipped === null) cursor.at = start;
  return { time: shipped, level: null, bare: shipped === null };
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
