import type { SqliteValue } from "./database.ts";
import { addMonths, dayOfYear, formatDate, isoDate, isoDateTime, type Moment, parseMoment } from "./moment.ts";

type Value = number | string | undefined;
type Entry = readonly [string, (...values: readonly (number | string)[]) => SqliteValue | boolean];

const DAY_MS = 86_400_000;
/** Milliseconds of the units that always have the same length. */
const UNIT_MS: Readonly<Record<string, number>> = {
  MICROSECOND: 0.001,
  SECOND: 1_000,
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: DAY_MS,
  WEEK: 7 * DAY_MS,
};
const UNIT_MONTHS: Readonly<Record<string, number>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };

/** Units an INTERVAL can have on SQLite. */
export const SQLITE_UNITS: ReadonlySet<string> = new Set([...Object.keys(UNIT_MS), ...Object.keys(UNIT_MONTHS)]);

const part =
  (read: (date: Date) => number) =>
  (value: Value): number | null => {
    const moment = parseMoment(value);
    return moment === null ? null : read(moment.date);
  };

const PARTS: Readonly<Record<string, (date: Date) => number>> = {
  YEAR: (date) => date.getUTCFullYear(),
  QUARTER: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  MONTH: (date) => date.getUTCMonth() + 1,
  DAY: (date) => date.getUTCDate(),
  DAYOFMONTH: (date) => date.getUTCDate(),
  HOUR: (date) => date.getUTCHours(),
  MINUTE: (date) => date.getUTCMinutes(),
  SECOND: (date) => date.getUTCSeconds(),
  DAYOFWEEK: (date) => date.getUTCDay() + 1,
  WEEKDAY: (date) => (date.getUTCDay() + 6) % 7,
  DAYOFYEAR: dayOfYear,
};

/** Dates as MySQL treats them. SQLite keeps them as text, `YYYY-MM-DD[ HH:MM:SS[.fff]]`, read as UTC. */
export const DATE_FUNCTIONS: readonly Entry[] = [
  ...Object.entries(PARTS).map(([name, read]): Entry => [name, part(read)]),
  [
    "EXTRACT",
    (unit, value) => (PARTS[String(unit)] === undefined ? null : part(PARTS[String(unit)] ?? dayOfYear)(value)),
  ],
  ["DATE", (value) => withMoment(value, ({ date }) => isoDate(date))],
  ["TIME", (value) => withMoment(value, ({ date }) => isoDateTime(date).slice(11))],
  ["LAST_DAY", (value) => withMoment(value, ({ date }) => isoDate(lastDay(date)))],
  ["DATEDIFF", (a, b) => twoMoments(a, b, (x, y) => dayNumber(x) - dayNumber(y))],
  ["TIMESTAMPDIFF", (unit, a, b) => twoMoments(a, b, (x, y) => difference(String(unit), x, y))],
  ["DATE_FORMAT", (value, format) => withMoment(value, ({ date }) => formatDate(date, String(format)))],
  ["DAYNAME", (value) => withMoment(value, ({ date }) => formatDate(date, "%W"))],
  ["MONTHNAME", (value) => withMoment(value, ({ date }) => formatDate(date, "%M"))],
  ["UNIX_TIMESTAMP", (value) => withMoment(value, ({ date }) => date.getTime() / 1_000)],
  ["FROM_UNIXTIME", (value) => isoDateTime(new Date(Number(value) * 1_000))],
  ["DATE_ADD", (value, amount, unit) => add(value, Number(amount), String(unit))],
  ["DATE_SUB", (value, amount, unit) => add(value, -Number(amount), String(unit))],
];

function withMoment<T extends SqliteValue>(value: Value, read: (moment: Moment) => T): T | null {
  const moment = parseMoment(value);
  return moment === null ? null : read(moment);
}

function twoMoments(a: Value, b: Value, read: (x: Date, y: Date) => number | null): number | null {
  const x = parseMoment(a);
  const y = parseMoment(b);
  return x === null || y === null ? null : read(x.date, y.date);
}

function dayNumber(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS);
}

function lastDay(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
}

/** Whole units from x to y. */
function difference(unit: string, x: Date, y: Date): number | null {
  const ms = UNIT_MS[unit];
  if (ms !== undefined) return Math.trunc((y.getTime() - x.getTime()) / ms);
  const months = UNIT_MONTHS[unit];
  if (months === undefined) return null;
  let whole = (y.getUTCFullYear() - x.getUTCFullYear()) * 12 + y.getUTCMonth() - x.getUTCMonth();
  if (whole > 0 && addMonths(x, whole).getTime() > y.getTime()) whole--;
  if (whole < 0 && addMonths(x, whole).getTime() < y.getTime()) whole++;
  return Math.trunc(whole / months);
}

/** A date stays a date unless the unit is shorter than a day. */
function add(value: Value, amount: number, unit: string): string | null {
  const moment = parseMoment(value);
  const ms = UNIT_MS[unit];
  const months = UNIT_MONTHS[unit];
  if (moment === null || !Number.isFinite(amount) || (ms === undefined && months === undefined)) return null;
  const date =
    ms === undefined
      ? addMonths(moment.date, Math.round(amount) * (months ?? 1))
      : new Date(moment.date.getTime() + amount * ms);
  if (!Number.isFinite(date.getTime())) return null;
  return moment.dateOnly && (ms === undefined || ms >= DAY_MS) ? isoDate(date) : isoDateTime(date);
}
