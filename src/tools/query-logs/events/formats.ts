import { isJsonObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import { type Header, readHeader } from "./header.ts";
import { type Level, levelOf, levelOfNumber, syslogLevel } from "./level.ts";
import { type FoundTime, readTime, type TimeReference, timeOfNumber } from "./time.ts";

/** What a line turned out to be. */
export interface ParsedLine extends Header {
  /** The members of a structured event. */
  readonly fields?: JsonObject;
  /** The line as it is shown, where that is not the line itself; `body` and `at` are positions in it. */
  readonly line?: string;
}

/** Reads one line; null when it does not have this format. */
export type LineParser = (line: string, reference: TimeReference) => ParsedLine | null;

const TIME_KEYS = [
  "@timestamp",
  "timestamp",
  "time",
  "ts",
  "datetime",
  "date",
  "eventTime",
  "t.$date",
  "t",
  "asctime",
  "@t",
];
const LEVEL_KEYS = ["level", "severity", "lvl", "loglevel", "log.level", "levelname", "severity_text", "@l", "s"];
const MESSAGE_KEYS = ["message", "msg", "@message", "text", "body", "log", "short_message", "@m", "@mt", "event"];
const SERVICE_KEYS = ["service", "service.name", "service_name", "app", "application", "component", "container_name"];
const LOGGER_KEYS = ["logger", "logger_name", "log.logger", "name", "caller", "module", "category"];

/** The first of the names that is there, also as a path of nested members (`log.level`). */
function memberOf(fields: JsonObject, names: readonly string[]): JsonValue | undefined {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : nested(fields, name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function nested(fields: JsonObject, name: string): JsonValue | undefined {
  const dot = name.indexOf(".");
  if (dot < 0) return undefined;
  const inner = fields[name.slice(0, dot)];
  return isJsonObject(inner) && Object.hasOwn(inner, name.slice(dot + 1)) ? inner[name.slice(dot + 1)] : undefined;
}

/** The member that holds the message of a structured event. */
export function messageKey(fields: JsonObject): string | null {
  return MESSAGE_KEYS.find((key) => typeof fields[key] === "string") ?? null;
}

/** Members that say again what an event says of itself: time and level. */
export function isHeaderKey(key: string): boolean {
  return TIME_KEYS.includes(key) || LEVEL_KEYS.includes(key);
}

function fieldTime(value: JsonValue | undefined, reference: TimeReference): FoundTime | null {
  if (typeof value === "number") return timeOfNumber(value);
  if (typeof value !== "string") return null;
  return readTime(value, 0, reference) ?? timeOfNumber(value);
}

function fieldLevel(value: JsonValue | undefined): Level | null {
  if (typeof value === "number") return levelOfNumber(value);
  return typeof value === "string" ? levelOf(value, true) : null;
}

function fieldText(value: JsonValue | undefined): string | null {
  if (typeof value === "string" && value !== "") return value;
  return isJsonObject(value) && typeof value["name"] === "string" ? value["name"] : null;
}

function structured(fields: JsonObject, reference: TimeReference): ParsedLine {
  return {
    time: fieldTime(memberOf(fields, TIME_KEYS), reference),
    level: fieldLevel(memberOf(fields, LEVEL_KEYS)),
    service: fieldText(memberOf(fields, SERVICE_KEYS)),
    logger: fieldText(memberOf(fields, LOGGER_KEYS)),
    body: 0,
    at: 0,
    fields,
  };
}

/** One JSON object a line. */
export const parseNdjson: LineParser = (line, reference) => {
  const fields = eventFields(line);
  return fields === null ? null : structured(fields, reference);
};

/** The members of a JSON event. Where a logger keeps message and values in `fields`, they are taken out of it. */
export function eventFields(line: string): JsonObject | null {
  const object = parseObject(line);
  const inner = object?.["fields"];
  if (object === null || !isJsonObject(inner) || messageKey(object) !== null || messageKey(inner) === null)
    return object;
  const { fields: _, ...outer } = object;
  return { ...outer, ...inner };
}

/** One JSON object; integers beyond what a number can hold come as strings. Null for anything else. */
export function parseObject(line: string): JsonObject | null {
  const text = line.trimStart();
  if (!text.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(LONG_INTEGER.test(text) ? quoteLongIntegers(text) : text);
    return isJsonObject(value) && !isTooDeep(text, value) ? value : null;
  } catch {
    return null;
  }
}

/** Deeper than any logger writes; such a line is read as text, since what walks a tree must not run out of stack. */
const MAX_DEPTH = 64;

function isTooDeep(text: string, value: JsonValue): boolean {
  let opened = 0;
  for (let at = 0; at < text.length && opened <= MAX_DEPTH; at += 1)
    if (text.charCodeAt(at) === 0x7b || text.charCodeAt(at) === 0x5b) opened += 1;
  return opened > MAX_DEPTH && isDeeperThan(value, MAX_DEPTH);
}

function isDeeperThan(value: JsonValue, depth: number): boolean {
  if (value === null || typeof value !== "object") return false;
  return depth === 0 || Object.values(value).some((member) => isDeeperThan(member as JsonValue, depth - 1));
}

const LONG_INTEGER = /\d{16}/;
/** A string without an end goes to the end of the text: looking for its end from each quote in it would take forever. */
const STRING_OR_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\d{16,}(?![\d.eE])/gs;

function quoteLongIntegers(text: string): string {
  return text.replace(STRING_OR_INTEGER, (token) => (token.startsWith('"') ? token : `"${token}"`));
}

const PAIR = /([A-Za-z_@][\w.@/-]{0,80})=(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^\s"]*))(?:\s+|$)/y;

/** `key=value` pairs to the end of the line, a level or a message among them. */
export const parseLogfmt: LineParser = (line, reference) => {
  const fields = readPairs(line);
  if (fields === null || Object.keys(fields).length < 2) return null;
  const known = memberOf(fields, LEVEL_KEYS) !== undefined || memberOf(fields, MESSAGE_KEYS) !== undefined;
  return known ? structured(fields, reference) : null;
};

/** The pairs of a logfmt line; null when anything else stands in it. */
export function readPairs(line: string): JsonObject | null {
  const fields: Record<string, string> = {};
  let at = 0;
  while (at < line.length) {
    PAIR.lastIndex = at;
    const match = PAIR.exec(line);
    if (match === null) return null;
    const [whole, key = "", quoted, plain = ""] = match;
    if (key !== "__proto__") fields[key] = quoted === undefined ? plain : withoutEscapes(quoted);
    at += whole.length;
  }
  return fields;
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(["\\nt])/g, (_, c: string) => ESCAPES[c] ?? c);
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

const ACCESS =
  /^(\S{1,255}) (\S{1,64}) (\S{1,255}) \[([^\]]{20,40})\] "[^"\\]*(?:\\.[^"\\]*)*" (\d{3}) (?=(?:\d{1,18}|-)(?: |$))/;

/** Access logs of nginx and Apache, common and combined. A status from 500 on counts as ERROR, from 400 on as WARN. */
export const parseAccess: LineParser = (line, reference) => {
  const match = ACCESS.exec(line);
  const time = match === null ? null : readTime(match[4] ?? "", 0, reference);
  if (match === null || time === null) return null;
  const status = Number(match[5]);
  const level: Level = status >= 500 ? "ERROR" : status >= 400 ? "WARN" : "INFO";
  const who = `${match[1]} ${match[2]} ${match[3]} `;
  const what = line.indexOf("] ", match[0].indexOf("[")) + 2;
  // Request and status are what happened; sizes, referrers and browsers would scatter it.
  const until = who.length + match[0].lastIndexOf(match[5] ?? "") + 3 - what;
  return { time, level, service: null, logger: null, body: 0, at: who.length, until, line: who + line.slice(what) };
};

const SYSLOG_5424 = /^<(\d{1,3})>1 (\S{1,40}) (\S{1,255}) (\S{1,48}) (\S{1,128}) (\S{1,32}) /;
const STRUCTURED_DATA =
  /(?:-|(?:\[[^\s=\]"]{1,32}(?: [^\s=\]"]{1,32}="(?:[^"\\\]]|\\.){0,4096}"){0,64}\]){1,64})(?: |$)/y;

/** Syslog by RFC 5424. */
export const parseSyslog5424: LineParser = (line, reference) => {
  const match = SYSLOG_5424.exec(line);
  if (match === null) return null;
  STRUCTURED_DATA.lastIndex = match[0].length;
  const data = STRUCTURED_DATA.exec(line);
  if (data === null) return null;
  const app = match[4] === "-" ? null : (match[4] ?? null);
  const level = syslogLevel(Number(match[1]) % 8);
  return {
    time: readTime(match[2] ?? "", 0, reference),
    level,
    service: app,
    logger: null,
    body: line.indexOf(" ", line.indexOf(" ") + 1) + 1,
    at: match[0].length + data[0].length,
  };
};

/** Any other text with a header; what follows it may be a JSON event, as a program writes it behind syslog. */
export const parseText: LineParser = (line, reference) => {
  const header = readHeader(line, reference);
  if (header === null || line.charAt(header.at) !== "{") return header;
  const inner = parseNdjson(line.slice(header.at), reference);
  if (inner?.fields === undefined || messageKey(inner.fields) === null) return header;
  const { time, level, service, logger } = header;
  return {
    ...inner,
    time: time ?? inner.time,
    level: inner.level ?? level,
    service: inner.service ?? service,
    logger: inner.logger ?? logger,
    line: line.slice(header.at),
  };
};
