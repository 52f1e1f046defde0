import type { CheckFinding, ClaimContext } from "./claim-context.ts";
import type { ItemView } from "./evidence.ts";
import { type Interval, intervals, type Window, windowGroups, windowOf } from "./interval.ts";
import { DAY_MS, type Moment } from "./moment.ts";
import { readSpokenTimes, relativeDays, type SpokenTime } from "./spoken-time.ts";

/** Every time of the claim must be a time of a cited item; windows, dates and times of a negative claim must lie in what was looked at. */
export function checkTimes(context: ClaimContext): readonly CheckFinding[] {
  if (context.citations.length === 0) return [];
  const groups = windowGroups(context.records);
  const supported =
    context.claim.kind === "negative"
      ? isNegativeSupported(context, groups)
      : isPositiveSupported(context, groups.flat());
  if (supported) return [];
  const prose = context.onlyKnowledge && context.claim.kind !== "negative";
  return [{ code: prose ? "EG_NUMBER_NOT_IN_PROSE" : "EG_TIME_OUT_OF_SCOPE" }];
}

/** What was not found was not found in every window that the claim rests on, and nowhere else. */
function isNegativeSupported(context: ClaimContext, groups: readonly (readonly Window[])[]): boolean {
  const spoken = readSpokenTimes(context);
  if (spoken.length === 0) return true;
  const clock = spoken.some(({ first }) => first.timeOfDay !== null);
  return groups.length > 0 && groups.every((windows) => spoken.every((part) => isCovered(part, windows, clock)));
}

/** A date beside a time of day only names the day; alone it means all of it, as a bound means all that lies beyond it. */
function isCovered({ first, last, bound }: SpokenTime, windows: readonly Window[], clock: boolean): boolean {
  if (last !== null) return windows.some((window) => rangesIn(first, last, window).length > 0);
  if (first.timeOfDay !== null) return bound === null && windows.some((window) => liesIn(first, window));
  if (clock) return windows.some((window) => liesIn(first, window));
  return windows.some((window) =>
    intervals(first, [window]).some(({ from, to }) => window.from <= from && to - 60_000 < window.to),
  );
}

/** What the times of a positive claim are held against. */
interface TimeEvidence {
  readonly context: ClaimContext;
  readonly windows: readonly Window[];
  /** The instants that the cited items show. */
  readonly shown: readonly Interval[];
}

/** A statement that names more times than this is no statement. */
const MAX_TIMES = 64;

function isPositiveSupported(context: ClaimContext, windows: readonly Window[]): boolean {
  const days = relativeDays(context.own, context.now, windows[0]?.zone ?? 0);
  const spoken = readSpokenTimes(context);
  if (days.length + spoken.length === 0) return true;
  const evidence: TimeEvidence = { context, windows, shown: shownInstants(context) };
  const known = windows.length > 0 || context.reach.some((item) => item.moments.length > 0);
  const counted = days.every((day) => !known || isDateSupported(day, evidence));
  return counted && spoken.length <= MAX_TIMES && spoken.every((part) => isSupported(part, evidence));
}

function isSupported(part: SpokenTime, evidence: TimeEvidence): boolean {
  const { first, last, bound } = part;
  const { context, windows } = evidence;
  if (last !== null) return isRangeSupported(first, last, evidence);
  if (first.timeOfDay === null) return isDateSupported(first, evidence);
  const inScope = windows.some((window) => liesIn(first, window));
  if (context.items.length === 0) return inScope;
  if (bound !== null) return (inScope || windows.length === 0) && isBoundKept(part, evidence);
  return isInstantShown(first, evidence);
}

function isDateSupported(day: Moment, { context, windows }: TimeEvidence): boolean {
  return windows.some((window) => liesIn(day, window)) || context.reach.some((item) => hasDate(item, day, windows));
}

function liesIn(moment: Moment, window: Window): boolean {
  const start = Math.floor(window.from / moment.precision) * moment.precision;
  return intervals(moment, [window]).some(({ from, to }) => {
    if (moment.timeOfDay === null) return from < window.to && to > window.from;
    return from >= start && from <= window.to && to > window.from;
  });
}

/** A written instant is shown when an item has one that is at least as fine and begins like it. */
function isInstantShown(moment: Moment, { context, windows }: TimeEvidence): boolean {
  const wanted = intervals(moment, windows);
  return context.citations.some(({ item, view }) => {
    const window = windowOf(view);
    const shown = (item === null ? view.items : [item]).flatMap(({ moments }) => moments);
    const fine = shown.filter((own) => own.timeOfDay !== null && own.precision <= moment.precision);
    return fine.some((own) => meets(wanted, itemIntervals(own, moment, window)));
  });
}

/** A time of day in an item is of a day of its scope; where there is no scope, of any day. */
function itemIntervals(own: Moment, claimed: Moment, window: Window | null): readonly Interval[] {
  if (window !== null) {
    const within = ({ from, to }: Interval): boolean => to > window.from && from <= window.to;
    return intervals(own, [window]).filter((interval) => own.day !== null || within(interval));
  }
  if (own.day === null && claimed.day !== null) return [];
  return intervals(claimed.day === null ? { ...own, day: 0, yearless: false } : own, []);
}

function meets(wanted: readonly Interval[], shown: readonly Interval[]): boolean {
  return wanted.some((a) => shown.some((b) => b.from >= a.from && b.from < a.to));
}

function isBoundKept({ first, bound }: SpokenTime, { windows, shown }: TimeEvidence): boolean {
  if (shown.length === 0) return windows.length > 0;
  const keeps = (a: Interval, b: Interval): boolean => (bound === "after" ? b.from >= a.from : b.from < a.from);
  return intervals(first, windows).some((a) => shown.some((b) => keeps(a, b)));
}

/** The instants of the cited items, where a window tells their day. */
function shownInstants(context: ClaimContext): readonly Interval[] {
  return context.citations.flatMap(({ item, view }) => {
    const window = windowOf(view);
    return window === null || item === null ? [] : instantsOf(item, window);
  });
}

function instantsOf(item: ItemView, window: Window): readonly Interval[] {
  const times = item.moments.filter(({ timeOfDay }) => timeOfDay !== null);
  const instants = times.flatMap((own) =>
    intervals(own, [window]).filter(({ from }) => from >= window.from && from <= window.to),
  );
  return item.isSpan ? spanOf(instants) : instants.map(({ from }) => ({ from, to: from + 1 }));
}

/** An item that says when it was first and last seen stands for all of the time between. */
function spanOf(instants: readonly Interval[]): readonly Interval[] {
  if (instants.length === 0) return [];
  return [
    { from: Math.min(...instants.map(({ from }) => from)), to: Math.max(...instants.map(({ from }) => from)) + 1 },
  ];
}

function hasDate(item: ItemView, wanted: Moment, windows: readonly Window[]): boolean {
  const days = intervals(wanted, windows);
  const own = item.moments
    .filter(({ day }) => day !== null)
    .map((moment) => ({ ...moment, timeOfDay: null, precision: DAY_MS }));
  return own.some((moment) =>
    intervals(moment, windows).some((a) => days.some((b) => a.from >= b.from && a.from < b.to)),
  );
}

/** A stated range lies in a window that was looked at, and, where the cited items show times, one of them lies in the range. */
function isRangeSupported(first: Moment, last: Moment, evidence: TimeEvidence): boolean {
  const { context, windows, shown } = evidence;
  const within = windows.flatMap((window) => rangesIn(first, last, window));
  if (within.length === 0)
    return context.items.length > 0 && [first, last].every((end) => isInstantShown(end, evidence));
  return shown.length === 0 || shown.some((own) => within.some(({ from, to }) => own.from >= from && own.to - 1 <= to));
}

/** The ranges that two ends may mean, as far as they lie in the window. An end that is earlier than its start is of the next day. */
function rangesIn(first: Moment, last: Moment, window: Window): readonly Interval[] {
  const whole = last.timeOfDay === null ? DAY_MS : 0;
  const ends = intervals(last, [window]).map(({ from }) => from + whole);
  return intervals(first, [window]).flatMap(({ from }) =>
    ends
      .map((end) => (end < from && last.day === null ? end + DAY_MS : end))
      .filter((to) => to >= from && from >= window.from && to - Math.min(last.precision, 60_000) < window.to)
      .map((to) => ({ from, to: to + (whole === 0 ? last.precision - 1 : 0) })),
  );
}
