import type { CheckFinding, ClaimContext } from "./claim-context.ts";
import type { ItemView, RecordView } from "./evidence.ts";
import { DAY_MS, type Moment, readMoments } from "./moment.ts";

/** The window a record looked at. Milliseconds since the epoch; the zone of times that name none, in minutes. */
export interface Window {
  readonly from: number;
  readonly to: number;
  readonly zone: number;
}

/** A stretch of instants that a written time may mean: half open, as long as its precision. */
interface Interval {
  readonly from: number;
  readonly to: number;
}

export function windowOf(record: RecordView): Window | null {
  const { time_from: from, time_to: to } = record.record.scope;
  const start = typeof from === "string" ? Date.parse(from) : Number.NaN;
  const end = typeof to === "string" ? Date.parse(to) : Number.NaN;
  if (Number.isNaN(start) || Number.isNaN(end)) return null;
  return { from: start, to: end, zone: (typeof from === "string" && readMoments(from).moments[0]?.zone) || 0 };
}

/** Every time of the claim must be a time of a cited item; windows, dates and times of a negative claim must lie in what was looked at. */
export function checkTimes(context: ClaimContext): readonly CheckFinding[] {
  const spoken = readSpoken(context);
  if (spoken.length === 0) return [];
  const windows = context.records.map(windowOf).filter((window): window is Window => window !== null);
  const right = spoken.every((part) => isSupported(part, context, windows));
  if (right) return [];
  return [
    {
      code:
        context.onlyKnowledge && context.claim.kind !== "negative" ? "EG_NUMBER_NOT_IN_PROSE" : "EG_TIME_OUT_OF_SCOPE",
    },
  ];
}

/** A time as the claim uses it. */
interface Spoken {
  readonly first: Moment;
  /** The other end of a range. */
  readonly last: Moment | null;
  /** `after 14:05`: a bound, not an instant. */
  readonly bound: "after" | "before" | null;
}

const RANGE_GAP = /^[\s)]*(?:[-–—~～至到]|to|until|till|through|直到)[\s(]*(?:[上下]午)?$/i;
const AND_GAP = /^[\s)]*(?:and|和|与)[\s(]*$/i;
const BETWEEN = /(?:between|介于|在)[\s\u0001,]*(?:at )?$/i;
const AFTER = /(?:\b(?:after|since|from|starting(?: at)?|past)|自从?|从)\s*$/i;
const BEFORE = /(?:\b(?:before|until|till|by|prior to|no later than)|截至|直到|在?早于)\s*$/i;
const AFTER_ZH = /^\s*(?:之后|以后|后|起|以来|开始)/;
const BEFORE_ZH = /^\s*(?:之前|以前|前(?!后))/;

export function readSpoken({ text, times }: ClaimContext): readonly Spoken[] {
  const zones = [...new Set(times.moments.flatMap(({ zone }) => zone ?? []))];
  const shared = zones.length === 1 ? (zones[0] ?? null) : null;
  const moments = dated(
    text,
    times.moments.map((moment) => (moment.zone === null ? { ...moment, zone: shared } : moment)),
  );
  const spoken: Spoken[] = [];
  for (let i = 0; i < moments.length; i++) {
    const first = moments[i] as Moment;
    const next = moments[i + 1];
    if (next !== undefined && isRange(text, first, next)) {
      spoken.push({ first, last: endOf(first, next), bound: null });
      i++;
    } else spoken.push({ first, last: null, bound: boundOf(text, first) });
  }
  return spoken;
}

function isRange(text: string, first: Moment, next: Moment): boolean {
  const gap = text.slice(first.end, next.start);
  if (RANGE_GAP.test(gap)) return true;
  return AND_GAP.test(gap) && BETWEEN.test(text.slice(Math.max(0, first.start - 40), first.start));
}

function boundOf(text: string, moment: Moment): Spoken["bound"] {
  const [before, after] = [
    text.slice(Math.max(0, moment.start - 24), moment.start),
    text.slice(moment.end, moment.end + 4),
  ];
  if (AFTER.test(before) || AFTER_ZH.test(after)) return "after";
  return BEFORE.test(before) || BEFORE_ZH.test(after) ? "before" : null;
}

/** The end of a range has the date of its start, or the next day's when it lies before it. */
function endOf(first: Moment, last: Moment): Moment {
  if (last.day !== null || first.day === null) return last;
  const over = first.timeOfDay !== null && last.timeOfDay !== null && last.timeOfDay < first.timeOfDay;
  return { ...last, day: first.day + (over ? 1 : 0), yearless: first.yearless };
}

const DATE_GAP =
  /^[\s,()]*(?:at|on|from|between|between times|around|about|T|的|在|从|当天|那天)?[\s,]*(?:UTC|上午|下午)?\s*$/i;

/** A date and a time that stand side by side are one moment. */
function dated(text: string, moments: readonly Moment[]): readonly Moment[] {
  const out: Moment[] = [];
  for (let i = 0; i < moments.length; i++) {
    const moment = moments[i] as Moment;
    const next = moments[i + 1];
    const joins =
      next !== undefined &&
      (moment.timeOfDay === null) !== (next.timeOfDay === null) &&
      (moment.day === null || next.day === null);
    if (joins && next !== undefined && DATE_GAP.test(text.slice(moment.end, next.start))) {
      const [date, time] = moment.timeOfDay === null ? [moment, next] : [next, moment];
      out.push({ ...time, day: date.day, yearless: date.yearless, start: moment.start, end: next.end });
      i++;
    } else out.push(moment);
  }
  return out;
}

function isSupported(part: Spoken, context: ClaimContext, windows: readonly Window[]): boolean {
  if (part.last !== null) return isRangeSupported(part.first, part.last, context, windows);
  const looseTimes = context.claim.kind === "negative" || context.items.length === 0;
  const inScope = windows.some((window) => liesIn(part.first, window));
  if (part.first.timeOfDay === null) return inScope || context.reach.some((item) => hasDate(item, part.first, windows));
  if (looseTimes) return inScope;
  if (part.bound !== null) return (inScope || windows.length === 0) && isBoundKept(part, context, windows);
  return isInstantShown(part.first, context, windows);
}

/** The instants a moment may mean, given the windows that supply its date, year and zone. */
function intervals(moment: Moment, windows: readonly Window[]): readonly Interval[] {
  const bases = windows.length === 0 ? [{ from: 0, to: 0, zone: 0 }] : windows;
  return bases.flatMap((window) => {
    const zone = (moment.zone ?? window.zone) * 60_000;
    return daysOf(moment, window, zone).map((day) => {
      const from = day * DAY_MS + (moment.timeOfDay ?? 0) - zone;
      return { from, to: from + moment.precision };
    });
  });
}

function daysOf(moment: Moment, window: Window, zone: number): readonly number[] {
  if (moment.day !== null && !moment.yearless) return [moment.day];
  const first = Math.floor((window.from + zone) / DAY_MS);
  const last = Math.floor((window.to + zone) / DAY_MS);
  if (moment.day !== null) return yearsOf(moment.day, first, last);
  const span = Math.min(last - first, 400);
  return Array.from({ length: span + 1 }, (_, i) => first + i);
}

function yearsOf(day: number, first: number, last: number): readonly number[] {
  const written = new Date(day * DAY_MS);
  const years = [...new Set([first, last].map((at) => new Date(at * DAY_MS).getUTCFullYear()))];
  return years.map((year) => Date.UTC(year, written.getUTCMonth(), written.getUTCDate()) / DAY_MS);
}

function liesIn(moment: Moment, window: Window): boolean {
  return intervals(moment, [window]).some(({ from, to }) =>
    moment.timeOfDay === null
      ? from < window.to && to > window.from
      : from <= window.to && to > window.from && from >= floor(window.from, moment.precision),
  );
}

function floor(at: number, precision: number): number {
  return Math.floor(at / precision) * precision;
}

/** A written instant is shown when an item has one that is at least as fine and begins like it. */
function isInstantShown(moment: Moment, context: ClaimContext, windows: readonly Window[]): boolean {
  const wanted = intervals(moment, windows);
  return context.citations.some(({ item, view }) => {
    const window = windowOf(view);
    return (item === null ? view.items : [item]).some((shown) =>
      shown.moments.some(
        (own) =>
          own.timeOfDay !== null &&
          own.precision <= moment.precision &&
          meets(wanted, itemIntervals(own, moment, window)),
      ),
    );
  });
}

/** A time of day in an item is of a day of its scope; where there is no scope, of any day. */
function itemIntervals(own: Moment, claimed: Moment, window: Window | null): readonly Interval[] {
  if (window !== null)
    return intervals(own, [window]).filter(
      ({ from, to }) => own.day !== null || (to > window.from && from <= window.to),
    );
  if (own.day === null && claimed.day !== null) return [];
  return intervals(own.day !== null && claimed.day === null ? { ...own, day: 0, yearless: false } : own, []);
}

function meets(wanted: readonly Interval[], shown: readonly Interval[]): boolean {
  return wanted.some((a) => shown.some((b) => b.from >= a.from && b.from < a.to));
}

function isBoundKept(part: Spoken, context: ClaimContext, windows: readonly Window[]): boolean {
  const wanted = intervals(part.first, windows);
  const shown = shownIntervals(context);
  if (shown.length === 0) return true;
  return wanted.some((a) => shown.some((b) => (part.bound === "after" ? b.from >= a.from : b.from < a.to)));
}

function shownIntervals(context: ClaimContext): readonly Interval[] {
  return context.citations.flatMap(({ item, view }) => {
    const window = windowOf(view);
    if (window === null) return [];
    return (item === null ? view.items : [item])
      .flatMap(({ moments }) => moments)
      .filter(({ timeOfDay }) => timeOfDay !== null)
      .flatMap((own) => intervals(own, [window]).filter(({ from }) => from >= window.from && from <= window.to));
  });
}

function hasDate(item: ItemView, wanted: Moment, windows: readonly Window[]): boolean {
  const days = intervals(wanted, windows);
  return item.moments.some(
    (own) =>
      own.day !== null &&
      intervals({ ...own, timeOfDay: null, precision: DAY_MS }, windows).some((a) =>
        days.some((b) => a.from === b.from),
      ),
  );
}

/** A stated range lies in a window that was looked at, and, where the cited items show times, one of them lies in the range. */
function isRangeSupported(first: Moment, last: Moment, context: ClaimContext, windows: readonly Window[]): boolean {
  const within = windows.flatMap((window) => rangesIn(first, last, window));
  if (within.length === 0)
    return context.reach.length > 0 && [first, last].every((end) => isInstantShown(end, context, windows));
  const shown = context.claim.kind === "negative" || context.items.length === 0 ? [] : shownIntervals(context);
  return shown.length === 0 || shown.some((own) => within.some(({ from, to }) => own.from >= from && own.from <= to));
}

function rangesIn(first: Moment, last: Moment, window: Window): readonly Interval[] {
  const ends = intervals(last, [window]);
  const day = last.timeOfDay === null ? DAY_MS : 0;
  return intervals(first, [window]).flatMap(({ from }) =>
    ends
      .map((end) => end.from + day)
      .map((to) => (to < from && last.day === null ? to + DAY_MS : to))
      .filter((to) => to >= from && to - from <= 400 * DAY_MS && fits(from, to, window, last))
      .map((to) => ({ from, to: to + (last.timeOfDay === null ? 0 : last.precision - 1) })),
  );
}

/** A range of whole days needs only to meet the window; one of times has to lie within it. */
function fits(from: number, to: number, window: Window, last: Moment): boolean {
  if (last.timeOfDay === null)
    return from < window.to && to > window.from && from + DAY_MS > window.from && to - DAY_MS <= window.to;
  return from >= window.from && to - Math.min(last.precision, 60_000) < window.to;
}
