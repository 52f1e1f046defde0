import type { ClaimContext } from "./claim-context.ts";
import { DAY_MS, type Moment } from "./moment.ts";
import { lengthFrom } from "./span.ts";

/** A time as a claim uses it. */
export interface SpokenTime {
  readonly first: Moment;
  /** The other end of a range. */
  readonly last: Moment | null;
  /** `after 14:05`: a bound, not an instant. */
  readonly bound: "after" | "before" | null;
}

const RANGE_GAP = /^[\s)]*(?:[-–—~～至到/]|->|→|to|until|till|through|直到)[\s(]*(?:[上下]午)?$/i;
const AND_GAP = /^[\s)]*(?:and|和|与)[\s(]*$/i;
const BETWEEN = /(?:between|介于|在)[\s,]*(?:at )?$/i;
const AFTER = /(?:\b(?:after|since|from|starting(?: at)?|past)|自从?|从)\s*$/i;
const BEFORE = /(?:\b(?:before|until|till|by|prior to|no later than)|截至|直到|在?早于)\s*$/i;
const AFTER_ZH = /^\s*(?:之后|以后|后|起|以来|开始)/;
const BEFORE_ZH = /^\s*(?:之前|以前|前(?!后))/;

/** The times of a claim in order: ranges joined, dates put to the times beside them, zones that are named once meant for all. */
export function readSpokenTimes({ text, times }: ClaimContext): readonly SpokenTime[] {
  const zones = [...new Set(times.moments.flatMap(({ zone }) => zone ?? []))];
  const shared = zones.length === 1 ? (zones[0] ?? null) : null;
  const zoned = times.moments.map((moment) => (moment.zone === null ? { ...moment, zone: shared } : moment));
  const moments = joinDates(text, zoned);
  const spoken: SpokenTime[] = [];
  for (let i = 0; i < moments.length; i++) {
    const first = moments[i] as Moment;
    const next = moments[i + 1];
    if (next !== undefined && isRange(text, first, next)) {
      spoken.push({ first, last: endOf(first, next), bound: null });
      i++;
    } else spoken.push(single(text, first));
  }
  return spoken;
}

/** A time beside a length starts a range; beside a preposition it is a bound. */
function single(text: string, first: Moment): SpokenTime {
  const length = first.timeOfDay === null ? null : lengthFrom(text.slice(0, first.start), text.slice(first.end));
  if (length === null || length >= DAY_MS) return { first, last: null, bound: boundOf(text, first) };
  const end = (first.timeOfDay ?? 0) + length;
  const day = first.day === null ? null : first.day + Math.floor(end / DAY_MS);
  return { first, last: { ...first, day, timeOfDay: end % DAY_MS }, bound: null };
}

function isRange(text: string, first: Moment, next: Moment): boolean {
  const gap = text.slice(first.end, next.start);
  const before = text.slice(Math.max(0, first.start - 40), first.start);
  if (RANGE_GAP.test(gap) || (/^\s?,\s?$/.test(gap) && /[[(]$/.test(before))) return true;
  return AND_GAP.test(gap) && BETWEEN.test(before);
}

function boundOf(text: string, moment: Moment): SpokenTime["bound"] {
  const before = text.slice(Math.max(0, moment.start - 24), moment.start);
  const after = text.slice(moment.end, moment.end + 4);
  if (AFTER.test(before) || AFTER_ZH.test(after)) return "after";
  return BEFORE.test(before) || BEFORE_ZH.test(after) ? "before" : null;
}

/** The end of a range has the date of its start, or the next day's when it lies before it. */
function endOf(first: Moment, last: Moment): Moment {
  if (last.day !== null || first.day === null) return last;
  const over = first.timeOfDay !== null && last.timeOfDay !== null && last.timeOfDay < first.timeOfDay;
  return { ...last, day: first.day + (over ? 1 : 0), yearless: first.yearless };
}

const DATE_GAP = /^[\s,()]*(?:at|on|from|between|around|about|T|的|在|从|当天|那天|于)?[\s,]*(?:UTC|上午|下午)?\s*$/i;

/** A date and a time that stand side by side are one moment. */
function joinDates(text: string, moments: readonly Moment[]): readonly Moment[] {
  const out: Moment[] = [];
  for (let i = 0; i < moments.length; i++) {
    const moment = moments[i] as Moment;
    const next = moments[i + 1];
    if (next !== undefined && isDateAndTime(moment, next) && DATE_GAP.test(text.slice(moment.end, next.start))) {
      const [date, time] = moment.timeOfDay === null ? [moment, next] : [next, moment];
      out.push({ ...time, day: date.day, yearless: date.yearless, start: moment.start, end: next.end });
      i++;
    } else out.push(moment);
  }
  return out;
}

function isDateAndTime(a: Moment, b: Moment): boolean {
  return (a.timeOfDay === null) !== (b.timeOfDay === null) && (a.day === null || b.day === null);
}

/** Days counted from today, first and last. */
const RELATIVE_DAYS: readonly (readonly [first: number, last: number, words: RegExp])[] = [
  [0, 0, /\b(?:today|tonight|this (?:morning|afternoon|evening))\b|今天|今日|今早|今晚/i],
  [-1, -1, /(?<!before )\b(?:yesterday|last night)\b|昨天|昨日|昨晚|昨夜/i],
  [-2, -2, /\b(?:the )?day before yesterday\b|前天|前日/i],
  [1, 1, /\btomorrow\b|明天|明日/i],
  [-13, -1, /\blast week\b|上周|上星期/i],
  [-61, -1, /\blast month\b|上个?月/i],
  [-730, -1, /\blast year\b|去年/i],
];

/** Days that the claim counts from now, in the zone of what was looked at. */
export function relativeDays(text: string, now: number, zone: number): readonly Moment[] {
  const today = Math.floor((now + zone * 60_000) / DAY_MS);
  const said = RELATIVE_DAYS.filter(([, , words]) => words.test(text));
  return said.map(([first, last]) => ({
    day: today + first,
    yearless: false,
    timeOfDay: null,
    precision: (last - first + 1) * DAY_MS,
    zone: null,
    start: 0,
    end: 0,
  }));
}
