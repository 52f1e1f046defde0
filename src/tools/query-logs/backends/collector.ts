import { utf8Bytes } from "../../../model/json.ts";
import type { ReadEvent } from "../events/reader.ts";
import { compileFilter, type EventFilter, type LogQuery } from "../match/filter.ts";
import { MAX_UNDECIDED, type RawEvent, type RawLogs } from "../raw.ts";

/** Room for what stands around the events. */
const FRAME_BYTES = 1024;
/** Events beyond the limit that are kept in case others match by their secrets alone and do not count. */
const SPARE_EVENTS = 1_000;
/** Around the globe a wrong zone moves a time by at most so much. */
const ZONE_REACH_MS = 14 * 3_600_000;

interface Collected {
  event: RawEvent;
  readonly ms: number | null;
  readonly order: number;
}

/** Gathers the events of one search: filters, counts their bytes, and knows whether there is room for another. */
export class EventCollector {
  readonly #query: LogQuery;
  readonly #filter: EventFilter;
  readonly #zoneDeclared: boolean;
  readonly #maxBytes: number;
  readonly #events: Collected[] = [];
  #bytes = FRAME_BYTES;
  #full = false;
  readonly #limit: number;
  readonly #undecided: RawEvent[] = [];
  #serviceSeen = false;
  #unnamed = false;
  #declared = false;

  constructor(query: LogQuery, options: { readonly maxBytes: number; readonly zoneDeclared: boolean }) {
    this.#query = query;
    this.#filter = compileFilter(query);
    const isByText = query.keywords.length > 0 || query.pattern !== null;
    this.#limit = query.limit + (isByText ? SPARE_EVENTS : 0);
    this.#maxBytes = options.maxBytes;
    this.#zoneDeclared = options.zoneDeclared;
  }

  /** True when a matching event had no room: nothing more needs to be read. */
  get full(): boolean {
    return this.#full;
  }

  /** Takes an event if it matches. `around` is the time of its surroundings, which counts where it says none itself. */
  take(read: ReadEvent, around: number | null): void {
    const ms = read.time === null ? around : Date.parse(read.time);
    if (!this.#ofService(read) || !this.#inWindow(ms, read) || !this.#filter.text(read)) return;
    if (!this.#filter.level(read)) {
      if (read.level === null) this.#takeUndecided(read);
      return;
    }
    const event = this.#fitting(read);
    if (event === null || this.#events.length >= this.#limit) this.#full = true;
    else this.#events.push({ event, ms, order: this.#events.length });
  }

  #takeUndecided(read: ReadEvent): void {
    if (this.#undecided.length >= MAX_UNDECIDED) return;
    const event = this.#fitting(read);
    if (event === null) this.#full = true;
    else this.#undecided.push(event);
  }

  /** The event as it is kept, or null when there is no room for it. */
  #fitting({ named: _, ...event }: ReadEvent): RawEvent | null {
    const size = utf8Bytes(JSON.stringify(event)) + 1;
    if (this.#bytes + size > this.#maxBytes) return null;
    this.#bytes += size;
    return event;
  }

  #ofService(read: ReadEvent): boolean {
    const found = this.#filter.service(read);
    if (found) this.#serviceSeen = true;
    else if (!read.named && !this.#declared) this.#unnamed = true;
    return found;
  }

  /** Tells of a file's service, declared or taken from its name; `declared` speaks for every event that names none. */
  expect(service: string, declared: boolean): void {
    if (this.#filter.service({ service })) this.#serviceSeen = true;
    this.#declared = declared;
  }

  /** Whether events of a file are among those gathered. */
  has(file: string): boolean {
    return this.#events.some(({ event }) => event.file === file);
  }

  /** Corrects the line numbers of a file that was not read from its beginning. */
  shiftLines(file: string, by: number): void {
    for (const collected of this.#events)
      if (collected.event.file === file) collected.event = { ...collected.event, line: collected.event.line + by };
  }

  #inWindow(ms: number | null, read: ReadEvent): boolean {
    if (ms === null) return true;
    const { from, to } = this.#query;
    if (ms >= from && ms < to) return true;
    const near = ms >= from - ZONE_REACH_MS && ms < to + ZONE_REACH_MS;
    if (near && read.assumed && !this.#zoneDeclared && this.#filter.text(read)) this.#takeUndecided(read);
    return false;
  }

  result(marks: { readonly partial: boolean }): RawLogs {
    const sorted = this.#events.sort((a, b) => (a.ms ?? 0) - (b.ms ?? 0) || a.order - b.order);
    return {
      source: this.#query.source,
      events: sorted.map(({ event }) => event),
      backend_truncated: this.#full,
      partial: marks.partial,
      service_unknown: this.#query.service !== null && !this.#serviceSeen && this.#unnamed,
      undecided: this.#undecided,
    };
  }
}
