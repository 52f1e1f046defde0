/** A date read from text, and whether it was a date without a time. */
export interface Moment {
  readonly date: Date;
  readonly dateOnly: boolean;
}

const MOMENT = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?Z?)?$/;

/** Reads `YYYY-MM-DD[ HH:MM[:SS[.ffffff]]]` as UTC; null for anything else and for days that do not exist. */
export function parseMoment(value: unknown): Moment | null {
  const match = MOMENT.exec(String(value));
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const ms = Math.round(Number(`0.${match[7] ?? "0"}`) * 1_000);
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second, ms));
  const exists =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return exists ? { date, dateOnly: match[4] === undefined } : null;
}

export function isoDate(date: Date): string {
  return date.toISOString().slice(0, 10);
}

export function isoDateTime(date: Date): string {
  const text = date.toISOString().replace("T", " ").replace("Z", "");
  return text.endsWith(".000") ? text.slice(0, -4) : text;
}

/** The same day of another month, or its last day where it has no such day. */
export function addMonths(date: Date, months: number): Date {
  const first = new Date(date.getTime());
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + months);
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(date.getUTCDate(), days));
  return first;
}

export function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
}

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const two = (value: number): string => String(value).padStart(2, "0");

function ordinal(day: number): string {
  const isTeen = day > 10 && day < 14;
  return `${day}${isTeen ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th")}`;
}

const SPECIFIERS: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getUTCFullYear()).padStart(4, "0"),
  y: (date) => two(date.getUTCFullYear() % 100),
  m: (date) => two(date.getUTCMonth() + 1),
  c: (date) => String(date.getUTCMonth() + 1),
  M: (date) => MONTHS[date.getUTCMonth()] ?? "",
  b: (date) => (MONTHS[date.getUTCMonth()] ?? "").slice(0, 3),
  d: (date) => two(date.getUTCDate()),
  e: (date) => String(date.getUTCDate()),
  H: (date) => two(date.getUTCHours()),
  k: (date) => String(date.getUTCHours()),
  h: (date) => two(((date.getUTCHours() + 11) % 12) + 1),
  l: (date) => String(((date.getUTCHours() + 11) % 12) + 1),
  I: (date) => two(((date.getUTCHours() + 11) % 12) + 1),
  i: (date) => two(date.getUTCMinutes()),
  s: (date) => two(date.getUTCSeconds()),
  S: (date) => two(date.getUTCSeconds()),
  f: (date) => `${String(date.getUTCMilliseconds()).padStart(3, "0")}000`,
  p: (date) => (date.getUTCHours() < 12 ? "AM" : "PM"),
  T: (date) => date.toISOString().slice(11, 19),
  W: (date) => DAYS[date.getUTCDay()] ?? "",
  a: (date) => (DAYS[date.getUTCDay()] ?? "").slice(0, 3),
  w: (date) => String(date.getUTCDay()),
  D: (date) => ordinal(date.getUTCDate()),
  r: (date) =>
    `${two(((date.getUTCHours() + 11) % 12) + 1)}:${date.toISOString().slice(14, 19)} ${date.getUTCHours() < 12 ? "AM" : "PM"}`,
  j: (date) => String(dayOfYear(date)).padStart(3, "0"),
};

/** DATE_FORMAT: a letter without a meaning stands for itself. */
export function formatDate(date: Date, format: string): string {
  return format.replace(/%(.)/gsu, (_, letter: string) => SPECIFIERS[letter]?.(date) ?? letter);
}
