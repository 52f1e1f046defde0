import { BoundaryError } from "../../../model/errors.ts";
import { fingerprint } from "../../../model/fingerprint.ts";
import { utf8Bytes } from "../../../model/json.ts";
import type { RawEvent } from "../raw.ts";
import type { EventItem, PatternItem, QueryLogsResult } from "../result.ts";
import { type Aggregate, shownServices } from "./aggregate.ts";
import { type Sample, sampleEvents } from "./sample.ts";
import { capText, type EventView } from "./view.ts";

/** What is said of the answer as a whole. */
export interface Found {
  readonly events: readonly RawEvent[];
  readonly backend_truncated: boolean;
  readonly partial: boolean;
}

/** How much of everything is shown at most. */
interface Room {
  readonly patterns: number;
  readonly firsts: number;
  readonly lasts: number;
  readonly fills: number;
  readonly slots: number;
  readonly values: number;
  /** Bytes of one text. */
  readonly text: number;
}

const FULL: Room = { patterns: 100, firsts: 100, lasts: 50, fills: 20, slots: 8, values: 3, text: 4096 };
/** From one shortening of everything to the next. */
const STEP = 0.85;

/**
 * The order of shortening; the first room whose answer fits is taken. First go events that only fill gaps in time, then values
 * of slots, then the ends of long texts; then patterns and events become fewer together, those that deserve their place least.
 */
const ROOMS: readonly Room[] = [
  FULL,
  { ...FULL, fills: 6 },
  { ...FULL, fills: 0, slots: 4, values: 2 },
  { ...FULL, fills: 0, slots: 4, values: 2, text: 1024 },
  { ...FULL, fills: 0, slots: 4, values: 1, text: 512 },
  ...fewer({ patterns: 80, firsts: 60, lasts: 16, fills: 0, slots: 3, values: 1, text: 400 }),
];

function fewer(first: Room): Room[] {
  const rooms: Room[] = [];
  for (let scale = 1; first.patterns * scale >= 1; scale *= STEP) {
    rooms.push({
      patterns: Math.floor(first.patterns * scale),
      firsts: Math.floor(first.firsts * scale),
      lasts: Math.floor(first.lasts * scale),
      fills: 0,
      slots: Math.floor(first.slots * Math.sqrt(scale)),
      values: 1,
      text: Math.max(80, Math.floor(first.text * Math.sqrt(scale))),
    });
  }
  return rooms;
}

/** The answer that fits the byte budget. Throws NOTHING_FITS when not even one pattern does. */
export function fitResult(
  found: Found,
  patterns: readonly Aggregate[],
  events: readonly EventView[],
  maxBytes: number,
): QueryLogsResult {
  for (const room of ROOMS) {
    const result = compose(found, patterns, events, room);
    if (utf8Bytes(JSON.stringify(result)) <= maxBytes) return result;
  }
  throw new BoundaryError("NOTHING_FITS");
}

function compose(
  found: Found,
  patterns: readonly Aggregate[],
  events: readonly EventView[],
  room: Room,
): QueryLogsResult {
  const sample = sampleEvents(patterns, events, FULL.fills);
  const chosen = choose(sample, room);
  const eventItems = withIds(chosen.map((i) => [i, eventItem(events[i], room)] as const));
  const shown = patterns.slice(0, room.patterns);
  const patternItems = shown.map((pattern) => patternItem(pattern, room, eventItems));
  const cut = eventItems.some(([i, item]) => item.text_bytes !== undefined || (events[i]?.shortened ?? false));
  const lineTruncated = cut || shown.some(({ text }) => utf8Bytes(text) > room.text);
  const projectionTruncated =
    shown.length < patterns.length ||
    chosen.length < choose(sample, FULL).length ||
    shown.some((pattern) => room !== FULL && slotsCut(pattern, room));
  return {
    items: [...patternItems, ...eventItems.map(([, item]) => item)],
    truncated: found.backend_truncated || found.partial || lineTruncated || projectionTruncated,
    matched_events: found.events.length,
    ...(shown.length < patterns.length ? { patterns_omitted: patterns.length - shown.length } : {}),
    ...observedRange(events),
    backend_truncated: found.backend_truncated,
    projection_truncated: projectionTruncated,
    line_truncated: lineTruncated,
    partial: found.partial,
    sampled: eventItems.length < events.length,
    tz_assumed: found.events.some(({ assumed }) => assumed),
    unparsed_lines: found.events.filter(({ unparsed }) => unparsed).length,
  };
}

/** Positions of the events that have room, in their order. */
function choose(sample: Sample, room: Room): number[] {
  const { firsts, lasts, fills } = sample;
  const chosen = [...firsts.slice(0, room.firsts), ...lasts.slice(0, room.lasts), ...fills.slice(0, room.fills)];
  return chosen.sort((a, b) => a - b);
}

function slotsCut(pattern: Aggregate, room: Room): boolean {
  if (pattern.members.length === 1) return false;
  const slots = pattern.slots();
  return slots.length > room.slots || slots.some(({ top }) => top.length > room.values);
}

function observedRange(events: readonly EventView[]): Pick<QueryLogsResult, "observed"> {
  const timed = events.filter((event): event is EventView & { ms: number; time: string } => event.ms !== null);
  const [one] = timed;
  if (one === undefined) return {};
  const from = timed.reduce((least, event) => (event.ms < least.ms ? event : least), one);
  const to = timed.reduce((most, event) => (event.ms >= most.ms ? event : most), one);
  return { observed: { from: from.time, to: to.time } };
}

type Numbered<T> = readonly (readonly [number, T])[];

/** An id says what the event is, so that it is the same in the next call; events alike in everything are numbered. */
function withIds(items: Numbered<Omit<EventItem, "item_id"> & { readonly key: string }>): Numbered<EventItem> {
  const seen = new Map<string, number>();
  return items.map(([i, { key, ...item }]) => {
    const id = `e_${fingerprint(key)}`;
    const before = seen.get(id) ?? 0;
    seen.set(id, before + 1);
    return [i, { item_id: before === 0 ? id : `${id}.${before + 1}`, ...item }] as const;
  });
}

function eventItem(event: EventView | undefined, room: Room): Omit<EventItem, "item_id"> & { readonly key: string } {
  const { time, level, service, text } = event ?? { time: null, level: null, service: null, text: "" };
  const shown = capText(text, room.text);
  return {
    key: JSON.stringify([time, level, service, text]),
    kind: "event",
    ...(time === null ? {} : { time }),
    ...(level === null ? {} : { level }),
    ...(service === null ? {} : { service }),
    text: shown,
    ...(shown === text ? {} : { text_bytes: utf8Bytes(text) }),
  };
}

function patternItem(pattern: Aggregate, room: Room, events: Numbered<EventItem>): PatternItem {
  const members = new Set(pattern.members);
  const examples = events.filter(([i]) => members.has(i)).map(([, item]) => item.item_id);
  const slots = room.slots === 0 || pattern.members.length === 1 ? [] : pattern.slots().slice(0, room.slots);
  return {
    item_id: pattern.id,
    kind: "pattern",
    text: capText(pattern.text, room.text),
    count: pattern.members.length,
    ...(pattern.level === null ? {} : { level: pattern.level }),
    ...(pattern.services.length === 0 ? {} : { services: shownServices(pattern.services) }),
    ...(pattern.first === null ? {} : { first: pattern.first }),
    ...(pattern.last === null ? {} : { last: pattern.last }),
    ...(slots.length === 0 ? {} : { slots: slots.map((slot) => ({ ...slot, top: slot.top.slice(0, room.values) })) }),
    ...(examples.length === 0 ? {} : { examples }),
  };
}
