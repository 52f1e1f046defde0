import { LEVELS, type Level } from "../events/level.ts";
import type { MinedPattern } from "../mine/mine.ts";
import type { Slot } from "../result.ts";
import { capText, type EventView } from "./view.ts";

/** A pattern with what its events have in common. `members` are positions among the events, ascending. */
export interface Aggregate {
  readonly id: string;
  readonly text: string;
  readonly members: readonly number[];
  readonly level: Level | null;
  readonly services: readonly string[];
  readonly first: string | null;
  readonly last: string | null;
  /** Values of each wildcard; worked out when asked for, because most patterns of a large answer are not shown. */
  readonly slots: () => readonly Slot[];
}

const MAX_SERVICES = 8;
const MAX_SLOTS = 12;
const MAX_FIELDS = 6;
const TOP_VALUES = 3;
const MAX_VALUE_BYTES = 64;

/** Patterns with their figures, the most severe first, then the most frequent. */
export function aggregate(patterns: readonly MinedPattern[], events: readonly EventView[]): Aggregate[] {
  return patterns
    .flatMap((pattern) => byLevel(pattern, events))
    .map(([level, pattern]) => aggregateOne(pattern, level, events))
    .sort((a, b) => severity(b) - severity(a) || b.members.length - a.members.length || (a.text < b.text ? -1 : 1));
}

function severity({ level }: Aggregate): number {
  // Whether a warning or information comes first is less telling than how often it came.
  return level === "FATAL" || level === "ERROR" ? LEVELS.indexOf(level) : 0;
}

/** A count is a count of one level: a request that failed and one that did not may have the same text. */
function byLevel(pattern: MinedPattern, events: readonly EventView[]): (readonly [Level | null, MinedPattern])[] {
  const levels = new Map<Level | null, number[]>();
  for (const i of pattern.members) {
    const level = events[i]?.level ?? null;
    const members = levels.get(level);
    if (members === undefined) levels.set(level, [i]);
    else members.push(i);
  }
  return [...levels].map(([level, members]) => [level, { ...pattern, members }] as const);
}

function aggregateOne(pattern: MinedPattern, level: Level | null, events: readonly EventView[]): Aggregate {
  const members = pattern.members.map((i) => events[i]).filter((event) => event !== undefined);
  const timed = members.filter((event): event is EventView & { ms: number; time: string } => event.ms !== null);
  const first = timed.reduce((least, event) => (event.ms < least.ms ? event : least), timed[0] ?? NO_TIME);
  const last = timed.reduce((most, event) => (event.ms >= most.ms ? event : most), timed[0] ?? NO_TIME);
  return {
    id: level === null ? pattern.id : `${pattern.id}.${level.toLowerCase()}`,
    text: pattern.text,
    members: pattern.members,
    level,
    services: byCount(members.map(({ service }) => service).filter((service) => service !== null)).map(
      ([name]) => name,
    ),
    first: first.time,
    last: last.time,
    slots: once(() => [...slotsOf(pattern, members), ...fieldSlots(members)]),
  };
}

function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

const NO_TIME = { ms: 0, time: null };

/** The services worth naming. */
export function shownServices(services: readonly string[]): readonly string[] {
  return services.slice(0, MAX_SERVICES);
}

function slotsOf(pattern: MinedPattern, members: readonly EventView[]): Slot[] {
  const slots: Map<string, number>[] = [];
  for (const [message, count] of byCount(members.map((event) => event.message))) {
    const values = pattern.valuesOf(message).slice(0, MAX_SLOTS);
    values.forEach((value, i) => {
      const slot = slots[i] ?? new Map<string, number>();
      slots[i] = slot;
      slot.set(value, (slot.get(value) ?? 0) + count);
    });
  }
  return slots.map(slotOf);
}

function slotOf(counts: ReadonlyMap<string, number>): Slot {
  const top = ranked(counts).slice(0, TOP_VALUES);
  return {
    distinct: counts.size,
    top: top.map(([value, count]) => ({ value: capText(value, MAX_VALUE_BYTES), count })),
  };
}

/** Members of structured events, those with the fewest different values first: they divide the events most usefully. */
function fieldSlots(members: readonly EventView[]): Slot[] {
  const fields = new Map<string, Map<string, number>>();
  for (const { fields: own } of members) {
    for (const [name, value] of own) {
      const counts = fields.get(name) ?? new Map<string, number>();
      fields.set(name, counts);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return [...fields]
    .sort(([a, m], [b, n]) => m.size - n.size || (a < b ? -1 : 1))
    .slice(0, MAX_FIELDS)
    .map(([name, counts]) => ({ name: capText(name, MAX_VALUE_BYTES), ...slotOf(counts) }));
}

function byCount(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return ranked(counts);
}

function ranked(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
