import { stableJson } from "../model/json.ts";
import type { Scope } from "../model/scope.ts";
import type { RecordView } from "./evidence.ts";
import { DAY_MS, type Moment, readMoments } from "./moment.ts";

/** A stretch of time in milliseconds since the epoch, half open. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The window a record looked at, and the zone of times that name none, in minutes. */
export interface Window extends Interval {
  readonly zone: number;
}

export function windowOf({ record }: RecordView): Window | null {
  const { time_from: from, time_to: to } = record.scope;
  const start = typeof from === "string" ? Date.parse(from) : Number.NaN;
  const end = typeof to === "string" ? Date.parse(to) : Number.NaN;
  if (Number.isNaN(start) || Number.isNaN(end)) return null;
  return { from: start, to: end, zone: readMoments(String(from)).moments[0]?.zone ?? 0 };
}

/** The instants a moment may mean, as long as it is precise: its window supplies the date, year and zone that it leaves out. */
export function intervals(moment: Moment, windows: readonly Window[]): readonly Interval[] {
  const bases = windows.length === 0 ? [{ from: 0, to: 0, zone: 0 }] : windows;
  return bases.flatMap((window) => {
    const zone = (moment.zone ?? window.zone) * 60_000;
    return daysOf(moment, window, zone).map((day) => {
      const from = day * DAY_MS + (moment.timeOfDay ?? 0) - zone;
      return { from, to: from + moment.precision };
    });
  });
}

const MAX_DAYS = 400;

function daysOf(moment: Moment, window: Interval, zone: number): readonly number[] {
  if (moment.day !== null && !moment.yearless) return [moment.day];
  const first = Math.floor((window.from + zone) / DAY_MS);
  const last = Math.floor((window.to + zone) / DAY_MS);
  if (moment.day !== null) return yearsOf(moment.day, first, last);
  return Array.from({ length: Math.min(last - first, MAX_DAYS) + 1 }, (_, i) => first + i);
}

function yearsOf(day: number, first: number, last: number): readonly number[] {
  const written = new Date(day * DAY_MS);
  const years = [...new Set([first, last].map((at) => new Date(at * DAY_MS).getUTCFullYear()))];
  return years.map((year) => Date.UTC(year, written.getUTCMonth(), written.getUTCDate()) / DAY_MS);
}

/** Windows that touch or overlap, made one. */
function union(windows: readonly Window[]): readonly Window[] {
  const out: Window[] = [];
  for (const window of [...windows].sort((a, b) => a.from - b.from)) {
    const last = out.at(-1);
    if (last !== undefined && window.from <= last.to)
      out[out.length - 1] = { ...last, to: Math.max(last.to, window.to) };
    else out.push(window);
  }
  return out;
}

/** Windows by what was looked at in them: calls that differ in nothing but their times speak for all of their windows together. */
export function windowGroups(records: readonly RecordView[]): readonly (readonly Window[])[] {
  const groups = new Map<string, Window[]>();
  for (const view of records) {
    const window = windowOf(view);
    if (window === null) continue;
    const key = view.record.toolName + stableJson(withoutTimes(view.record.scope));
    groups.set(key, [...(groups.get(key) ?? []), window]);
  }
  return [...groups.values()].map(union);
}

function withoutTimes(scope: Scope): Scope {
  return Object.fromEntries(Object.entries(scope).filter(([field]) => !field.startsWith("time_")));
}
