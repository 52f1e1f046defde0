import { blankZones, withZone } from "./zone.ts";

/** A point in time as it is written: a day, a time of day or both. Milliseconds; the zone is in minutes, null where none is given. */
export interface Moment {
  readonly day: number | null;
  /** A day without its year: every year is meant. */
  readonly yearless: boolean;
  readonly timeOfDay: number | null;
  /** How fine it is written: a day, an hour, a minute, a second, or less. */
  readonly precision: number;
  readonly zone: number | null;
  readonly start: number;
  readonly end: number;
}

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?";
const CLOCK = "(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?";
const PERIOD = "(上午|早上|早晨|凌晨|清晨|中午|下午|傍晚|晚上|夜里|夜间|深夜)?";
const BEFORE = "(?<![\\w.:/+-])";
const AFTER = "(?!\\d|:\\d|\\.\\d)";

type Groups = readonly (string | undefined)[];
interface Parts {
  readonly year?: string | undefined;
  readonly month?: string | undefined;
  readonly date?: string | undefined;
  readonly hour?: string | undefined;
  readonly minute?: string | undefined;
  readonly second?: string | undefined;
  readonly fraction?: string | undefined;
  /** AM, PM, or a Chinese part of the day. */
  readonly half?: string | undefined;
}

const FORMS: readonly (readonly [pattern: RegExp, read: (g: Groups) => Parts])[] = [
  [
    new RegExp(
      `(?:${BEFORE}|(?<=[\\dZ]/)(?=\\d{4}-\\d{2}-\\d{2}T))(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})(?:(?:T|_| {1,2})${CLOCK}(?: ?([AaPp])\\.?[Mm]\\b)?)?${AFTER}`,
      "g",
    ),
    ([, year, , month, date, hour, minute, second, fraction, half]) => ({
      year,
      month,
      date,
      hour,
      minute,
      second,
      fraction,
      half,
    }),
  ],
  [
    new RegExp(`${BEFORE}(\\d{1,2})/${MONTH}/(\\d{4})(?::${CLOCK})?${AFTER}`, "g"),
    ([, date, month, year, hour, minute, second, fraction]) => ({ year, month, date, hour, minute, second, fraction }),
  ],
  [
    new RegExp(
      `(?:(\\d{4}) ?年 ?)?(\\d{1,2}) ?月 ?(\\d{1,2}) ?[日号](?: ?${PERIOD} ?(?:${CLOCK}|(\\d{1,2}) ?[点时](?: ?(\\d{1,2}) ?分| ?(半|整))?(?: ?(\\d{1,2}) ?秒)?))?`,
      "g",
    ),
    ([, year, month, date, half, hour, minute, second, fraction, spoken, spokenMinute, mark, spokenSecond]) => ({
      year,
      month,
      date,
      half,
      fraction,
      hour: hour ?? spoken,
      minute: minute ?? spokenMinute ?? (mark === "半" ? "30" : mark === "整" ? "0" : undefined),
      second: second ?? spokenSecond,
    }),
  ],
  [
    new RegExp(
      `${BEFORE}(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? (\\d{4}))?(?![A-Za-z\\d])(?:,? ${CLOCK})?${AFTER}`,
      "gi",
    ),
    ([, date, month, year, hour, minute, second, fraction]) => ({ year, month, date, hour, minute, second, fraction }),
  ],
  [
    new RegExp(
      `(?<![\\w])${MONTH} {1,2}(\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,? (\\d{4})(?![\\d:]))?(?:,? ${CLOCK})?${AFTER}`,
      "gi",
    ),
    ([, month, date, year, hour, minute, second, fraction]) => ({ year, month, date, hour, minute, second, fraction }),
  ],
  [
    new RegExp(
      `${PERIOD} ?(?<![\\d:.])(\\d{1,2}) ?[点时] ?(?:(\\d{1,2}) ?分(?: ?(\\d{1,2}) ?秒)?|(半|整|钟|(?= ?(?:到|至|[-–—~]|左右|前|后|以|之|开始|起))))`,
      "g",
    ),
    ([, half, hour, minute, second, mark]) => ({
      half,
      hour,
      minute: minute ?? (mark === "半" ? "30" : undefined),
      second,
    }),
  ],
  [new RegExp(`${PERIOD.slice(0, -1)} ?(\\d{1,2}) ?[点时](?!\\d)`, "g"), ([, half, hour]) => ({ half, hour })],
  [
    new RegExp(`${PERIOD} ?${BEFORE.replace("-", "")}${CLOCK}(?: ?([AaPp])\\.?[Mm]\\b\\.?)?${AFTER}`, "g"),
    ([, part, hour, minute, second, fraction, half]) => ({ hour, minute, second, fraction, half: half ?? part }),
  ],
  [new RegExp(`(?<![\\w])${MONTH},? (\\d{4})(?![\\d:-])`, "g"), ([, month, year]) => ({ month, year })],
  [/(\d{4}) ?年 ?(\d{1,2}) ?月(?!\d)/g, ([, year, month]) => ({ year, month })],
  [new RegExp(`${BEFORE}(\\d{1,2}) ?([AaPp])\\.?[Mm]\\b\\.?`, "g"), ([, hour, half]) => ({ hour, half })],
];

/** All points in time that a text writes, in order, and the text with them blanked out. */
export interface Moments {
  readonly moments: readonly Moment[];
  readonly rest: string;
}

const MAY_HOLD_TIME = /\d[:点时年月/.-]?\d?|\d\s?[AaPp]\.?[Mm]/;

export function readMoments(text: string): Moments {
  if (!MAY_HOLD_TIME.test(text)) return { moments: [], rest: text };
  const moments: Moment[] = [];
  let rest = text;
  for (const [pattern, read] of FORMS) {
    pattern.lastIndex = 0;
    for (const found of [...rest.matchAll(pattern)]) {
      if (!rest.startsWith(found[0], found.index)) continue; // read as the zone of the time before it
      const parts = read([...found]);
      const moment = toMoment(parts, found.index, found[0]);
      if (moment === null) continue;
      const zoned = withZone(rest, moment, found[0]);
      moments.push(zoned.moment);
      rest = blank(rest, zoned.from, zoned.to);
    }
  }
  return { moments: moments.sort((a, b) => a.start - b.start), rest: blankZones(rest) };
}

function blank(text: string, from: number, to: number): string {
  return text.slice(0, from) + "\u0001".repeat(to - from) + text.slice(to);
}

function toMoment(parts: Parts, index: number, source: string): Moment | null {
  const day = readDay(parts);
  const time = readTime(parts);
  if (day === undefined || time === undefined || (day === null && time === null)) return null;
  const lead = source.length - source.trimStart().length;
  return {
    day,
    yearless: parts.year === undefined && day !== null,
    timeOfDay: time?.at ?? null,
    precision:
      time?.precision ?? (parts.month !== undefined && parts.date === undefined ? monthLength(day ?? 0) : DAY_MS),
    zone: null,
    start: index + lead,
    end: index + source.length,
  };
}

/** Days since the epoch; null where no day is written, undefined where it is none. Without a year it is counted in a leap year. */
function readDay({ year, month, date = "1" }: Parts): number | null | undefined {
  if (month === undefined) return null;
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  const index = named === -1 ? Number(month) - 1 : named;
  const full = year === undefined ? 2000 : Number(year);
  if (full < 1970 || full > 2200) return undefined;
  const time = Date.UTC(full, index, Number(date));
  const valid = index >= 0 && index < 12 && new Date(time).getUTCDate() === Number(date);
  return valid ? time / DAY_MS : undefined;
}

function monthLength(day: number): number {
  const first = new Date(day * DAY_MS);
  return Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1) - first.getTime();
}

function readTime({
  hour,
  minute,
  second,
  fraction,
  half,
}: Parts): { at: number; precision: number } | null | undefined {
  if (hour === undefined) return null;
  const hours = hourOfDay(Number(hour), half);
  if (hours > 24 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 60) return undefined;
  const millis = Math.floor(Number(`0.${fraction ?? 0}`) * 1_000);
  const at = hours * HOUR_MS + Number(minute ?? 0) * MINUTE_MS + Number(second ?? 0) * 1_000 + millis;
  if (fraction !== undefined) return { at, precision: 1 };
  if (second !== undefined) return { at, precision: 1_000 };
  return { at, precision: minute === undefined ? HOUR_MS : MINUTE_MS };
}

function hourOfDay(hour: number, half: string | undefined): number {
  if (half === undefined || hour > 12) return hour;
  if (/^p/i.test(half) || /下午|傍晚|晚上|夜/.test(half)) return hour === 12 ? 12 : hour + 12;
  if (half === "中午") return hour < 3 ? hour + 12 : hour;
  return hour === 12 ? 0 : hour;
}
