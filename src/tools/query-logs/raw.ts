import type { Level } from "./events/level.ts";

/** How the text of an event is to be read: `json` and `logfmt` are structured. */
export type EventForm = "text" | "json" | "logfmt";

/** One event as the backend holds it. Everything of it is outside data, kept whole. */
export interface RawEvent {
  /** Where it comes from: a file's path within its source, or a stream. */
  readonly file: string;
  /** Number of its first line in that file, from 1. */
  readonly line: number;
  /** ISO 8601 in UTC; null when the event says no time. */
  readonly time: string | null;
  readonly level: Level | null;
  readonly service: string | null;
  readonly logger: string | null;
  readonly form: EventForm;
  /** All lines of the event, decoded, without terminal codes. */
  readonly text: string;
  /** Where what is not the time starts in `text`. */
  readonly body: number;
  /** Where the message starts in `text`. */
  readonly at: number;
  /** Where the message ends in `text`, when values follow it; 0 when it goes to the end. */
  readonly until: number;
  /** Its time without zone or year was completed by what the source declares, or by UTC. */
  readonly assumed: boolean;
  /** Its first line has no header although most lines of the file have one. */
  readonly unparsed: boolean;
}

export const MAX_UNDECIDED = 100;

/**
 * The answer of a log backend: the matching events by time, and how complete they are. Keywords and pattern were compared with
 * what the events really hold; whether they match without their secrets is for the projector to see.
 */
export interface RawLogs {
  readonly source: string;
  readonly events: readonly RawEvent[];
  /** More events match than are here: a limit or the byte budget was reached. */
  readonly backend_truncated: boolean;
  /** A part of the source could not be searched. */
  readonly partial: boolean;
  /** The service asked for was never seen, and events that do not say their service were: they may be of it. */
  readonly service_unknown: boolean;
  /**
   * Events that may match and cannot be told: those without any level when one is asked for, and, where no zone is declared,
   * those so close to the window that another zone would bring them into it. At most `MAX_UNDECIDED`.
   */
  readonly undecided: readonly RawEvent[];
}
