import type { Zone } from "./zone.ts";

/** An instant found in a text. */
export interface FoundTime {
  /** Milliseconds since the epoch. */
  readonly ms: number;
  /** ISO 8601 in UTC, with all the digits the text had (at most nine). */
  readonly iso: string;
  /** Where the time ends in the text. */
  readonly end: number;
  /** True when zone or year did not stand in the text. */
  readonly assumed: boolean;
}

/** What is needed to read times that do not say everything. */
export interface TimeReference {
  /** For readings without a zone; UTC when the source declares none. */
  readonly zone: Zone | null;
  /** An instant shortly after the text was written, in milliseconds: decides the year of times without one. */
  readonly written: number;
}

interface Reading {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly fraction: string;
  /** Offset from UTC in minutes, null when the text has none. */
  readonly offset: number | null;
}

const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
const DAY_MS = 86_400_000;
const ZONE =
  "(?: ?(Z|UTC|GMT)(?![A-Za-z0-9])|([+-]\\d{2}:?\\d{2})(?!\\d)|([+-]\\d{2})(?![\\d:])| ([+-]\\d{2}:?\\d{2})(?!\\d))?";
const CLOCK = "(\\d{1,2}):(\\d{1,2}):(\\d{1,2})(?:[.,:](\\d{1,9}))?(?!\\d)";

type Read = (match: RegExpExecArray) => Reading | null;
interface Form {
  readonly expression: RegExp;
  readonly read: Read;
}

const number = (text: string | undefined): number => Number(text ?? Number.NaN);
const monthOf = (name: string | undefined): number => {
  const at = MONTHS.indexOf(name ?? "?");
  return at % 3 === 0 ? at / 3 + 1 : Number.NaN;
};

/** Builds a reading from the groups of a match: year, month, day, then clock and zone from `clock` on. */
function reading(match: RegExpExecArray, year: number | null, month: number, day: number, clock: number): Reading {
  return {
    year,
    month,
    day,
    hour: number(match[clock]),
    minute: number(match[clock + 1]),
    second: number(match[clock + 2]),
    fraction: match[clock + 3] ?? "",
    offset: offsetOf(match.slice(clock + 4)),
  };
}

function offsetOf(zones: readonly (string | undefined)[]): number | null {
  const zone = zones.find((text) => text !== undefined);
  if (zone === undefined) return null;
  if (/^[A-Z]/.test(zone)) return 0;
  const digits = zone.replace(/\D/g, "");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || "0");
  return zone.startsWith("-") ? -minutes : minutes;
}

const form = (source: string, read: Read): Form => ({ expression: new RegExp(source, "y"), read });
const century = (text: string | undefined): number => 2000 + number(text);

const NUMERIC_FORMS: readonly Form[] = [
  form(`(\\d{4})([-/.])(\\d{2})\\2(\\d{2})(?:[T_ ]|, ?| - )${CLOCK}${ZONE}`, (m) =>
    reading(m, number(m[1]), number(m[3]), number(m[4]), 5),
  ),
  form(`(\\d{1,2})[/ -]([A-Z][a-z]{2})[/ -](\\d{4})[: ]${CLOCK}${ZONE}`, (m) =>
    reading(m, number(m[3]), monthOf(m[2]), number(m[1]), 4),
  ),
  form(`(\\d{4})(\\d{2})(\\d{2})[-T ]${CLOCK}${ZONE}`, (m) => reading(m, number(m[1]), number(m[2]), number(m[3]), 4)),
  form(`(\\d{4})(\\d{2})(\\d{2})T(\\d{2})(\\d{2})(\\d{2})(?:[.,](\\d{1,9}))?${ZONE}`, (m) =>
    reading(m, number(m[1]), number(m[2]), number(m[3]), 4),
  ),
  form(`(\\d{2})/(\\d{2})/(\\d{2}) ${CLOCK}${ZONE}`, (m) => reading(m, century(m[1]), number(m[2]), number(m[3]), 4)),
  form("(\\d{4})-(\\d{2})-(\\d{2})-(\\d{2})\\.(\\d{2})\\.(\\d{2})(?:\\.(\\d{1,9}))?(?!\\d)", (m) => ({
    ...reading(m, number(m[1]), number(m[2]), number(m[3]), 4),
    offset: null,
  })),
  form("(\\d{2})(\\d{2})(\\d{2}) (\\d{2})(\\d{2})(\\d{2})(?= )", (m) => ({
    ...reading(m, century(m[1]), number(m[2]), number(m[3]), 4),
    fraction: "",
    offset: null,
  })),
  form(`(\\d{2})\\.(\\d{2})\\.(\\d{4}),? ${CLOCK}${ZONE}`, (m) =>
    reading(m, number(m[3]), number(m[2]), number(m[1]), 4),
  ),
  form(`(\\d{2})[-.](\\d{2}) ${CLOCK}${ZONE}`, (m) => reading(m, null, number(m[1]), number(m[2]), 3)),
];
const NAMED_FORMS: readonly Form[] = [
  form(`(?:[A-Z][a-z]{2},? )?([A-Z][a-z]{2}) {1,2}(\\d{1,2}) ${CLOCK}(?: [A-Z]{3,4})? (\\d{4})(?!\\d)`, (m) => ({
    ...reading(m, number(m[7]), monthOf(m[1]), number(m[2]), 3),
    offset: / (?:UTC|GMT) \d{4}$/.test(m[0]) ? 0 : null,
  })),
  form(`(?:[A-Z][a-z]{2}, )?(\\d{1,2}) ([A-Z][a-z]{2}) (\\d{4}) ${CLOCK}${ZONE}`, (m) =>
    reading(m, number(m[3]), monthOf(m[2]), number(m[1]), 4),
  ),
  form(`([A-Z][a-z]{2}) {1,2}(\\d{1,2}),? (?:(\\d{4}),? )?${CLOCK}${ZONE}`, (m) =>
    reading(m, m[3] === undefined ? null : number(m[3]), monthOf(m[1]), number(m[2]), 4),
  ),
  form(`[IWEF](\\d{2})(\\d{2}) ${CLOCK}${ZONE}`, (m) => reading(m, null, number(m[1]), number(m[2]), 3)),
];
const EPOCH = /(\d{10})(\d{9}|\d{6}|\d{3})?(?:\.(\d{1,9}))?(?![\d.])/y;

/** The time that starts at a position, in any of the forms logs use; null when none does. */
export function readTime(text: string, at: number, reference: TimeReference): FoundTime | null {
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return readForm(NUMERIC_FORMS, text, at, reference) ?? readEpoch(text, at);
  return code >= 65 && code <= 90 ? readForm(NAMED_FORMS, text, at, reference) : null;
}

function readForm(forms: readonly Form[], text: string, at: number, reference: TimeReference): FoundTime | null {
  for (const { expression, read } of forms) {
    expression.lastIndex = at;
    const match = expression.exec(text);
    const found = match === null ? null : read(match);
    if (match === null || found === null) continue;
    const time = instant(...halfDay(text, at + match[0].length, found), reference);
    if (time !== null) return time;
  }
  return null;
}

const HALF_DAY = / ([AP])M(?![A-Za-z])/y;

/** A clock of twelve hours says after the time which half of the day it means. */
function halfDay(text: string, end: number, found: Reading): [Reading, number] {
  HALF_DAY.lastIndex = end;
  const match = HALF_DAY.exec(text);
  if (match === null || found.hour < 1 || found.hour > 12) return [found, end];
  return [{ ...found, hour: (found.hour % 12) + (match[1] === "P" ? 12 : 0) }, end + match[0].length];
}

/** An epoch in seconds, milli-, micro- or nanoseconds, told apart by its number of digits. */
function readEpoch(text: string, at: number): FoundTime | null {
  EPOCH.lastIndex = at;
  const match = EPOCH.exec(text);
  if (match === null) return null;
  const seconds = number(match[1]);
  if (seconds < 1_000_000_000 || seconds > 4_102_444_800) return null;
  const fraction = (match[2] ?? "") + (match[3] ?? "");
  return { ...withFraction(seconds * 1000, fraction), end: at + match[0].length, assumed: false };
}

/** A numeric time of a structured event; its unit is told by its magnitude. */
export function timeOfNumber(value: number | string): FoundTime | null {
  const text = typeof value === "number" ? plainDigits(value) : value;
  const found = readEpoch(text, 0);
  return found !== null && found.end === text.length ? found : null;
}

function plainDigits(value: number): string {
  return Number.isInteger(value) ? value.toFixed(0) : String(value);
}

function instant(found: Reading, end: number, reference: TimeReference): FoundTime | null {
  if (!inRange(found)) return null;
  const wall = (year: number): number =>
    Date.UTC(year, found.month - 1, found.day, found.hour, found.minute, Math.min(found.second, 59));
  const toUtc = (reading: number): number =>
    found.offset === null ? (reference.zone?.toUtc(reading) ?? reading) : reading - found.offset * 60_000;
  let ms: number;
  if (found.year === null) {
    const year = new Date(reference.written).getUTCFullYear();
    ms = toUtc(wall(year));
    // A log line is not written in the future: a December line in a January file is last year's.
    if (ms > reference.written + DAY_MS) ms = toUtc(wall(year - 1));
  } else ms = toUtc(wall(found.year));
  const assumed = found.year === null || found.offset === null;
  return { ...withFraction(ms, found.fraction), end, assumed };
}

function inRange(found: Reading): boolean {
  const { month, day, hour, minute, second } = found;
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 24 && minute <= 59 && second <= 60;
}

function withFraction(ms: number, fraction: string): { readonly ms: number; readonly iso: string } {
  const digits = fraction.padEnd(3, "0");
  const exact = ms + Number(digits.slice(0, 3));
  const iso = new Date(exact).toISOString();
  const rest = digits.slice(3).replace(/0+$/, "");
  return { ms: exact, iso: rest === "" ? iso : `${iso.slice(0, -1)}${rest}Z` };
}
