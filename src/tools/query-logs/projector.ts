import { BoundaryError } from "../../model/errors.ts";
import type { AgentResult } from "../../model/evidence.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { ProjectionContext, Projector } from "../tool.ts";
import { LEVELS, type Level } from "./events/level.ts";
import { compileFilter, type LogQuery } from "./match/filter.ts";
import { minePatterns } from "./mine/mine.ts";
import { aggregate } from "./projection/aggregate.ts";
import { type Found, fitResult } from "./projection/fit.ts";
import { EventRedactor } from "./projection/view.ts";
import { type EventForm, MAX_UNDECIDED, type RawEvent, type RawLogs } from "./raw.ts";
import type { QueryLogsResult } from "./result.ts";

/**
 * Patterns and sampled events out of what a log backend returned: redacted first, then grouped, sampled over the whole range
 * and fitted to the byte budget. An empty answer is only given when the backend's was complete.
 */
export const queryLogsResultProjector: Projector<LogQuery> = {
  id: "QueryLogsResultProjector",
  version: "2",
  project: (raw, query, context) => projectLogs(readLogs(raw), query, context) as unknown as AgentResult,
  measure: (raw, { limit }) => ({ returnedCount: Math.min(limit, readLogs(raw).events.length) }),
};

/** The pure core of the projector. */
export function projectLogs(logs: RawLogs, query: LogQuery, context: ProjectionContext): QueryLogsResult {
  const redactor = new EventRedactor(context.redact);
  const matches = matcher(query, redactor);
  const found = foundOf(logs, query, matches);
  if (found.events.length === 0 && !provesAbsence(logs, matches)) throw new BoundaryError("PARTIAL_RESULT");
  const events = found.events.map((event) => redactor.view(event));
  const patterns = minePatterns(events.map(({ message }) => message));
  return fitResult(found, aggregate(patterns, events), events, context.limits.maxBytes);
}

type Matcher = (event: RawEvent) => boolean;

/**
 * Whether keywords and pattern match an event also without its secrets. The backend compared them with what it holds: an event
 * that matches by a secret alone would tell a right guess at the secret from a wrong one, so it counts as none.
 */
function matcher(query: LogQuery, redactor: EventRedactor): Matcher {
  if (query.keywords.length === 0 && query.pattern === null) return () => true;
  const filter = compileFilter(query);
  return (event) => filter.text({ form: event.form, text: redactor.comparable(event) });
}

/** The events that count. Backends keep some beyond the limit, since not all of theirs do. */
function foundOf(logs: RawLogs, { limit }: LogQuery, matches: Matcher): Found {
  const matching = logs.events.filter(matches);
  return {
    events: matching.slice(0, limit),
    backend_truncated: logs.backend_truncated || matching.length > limit,
    partial: logs.partial,
  };
}

/** Nothing was found, everything was searched, and nothing that was searched could have been missed for want of a zone, a level or a service. */
function provesAbsence(logs: RawLogs, matches: Matcher): boolean {
  if (logs.partial || logs.backend_truncated || logs.service_unknown) return false;
  return logs.undecided.length < MAX_UNDECIDED && !logs.undecided.some(matches);
}

/** Raw as the store gives it back: read with care, since it is outside data. Throws BACKEND_SCHEMA_ERROR. */
function readLogs(raw: JsonValue): RawLogs {
  if (!isJsonObject(raw)) throw new BoundaryError("BACKEND_SCHEMA_ERROR");
  return {
    source: textOf(raw, "source"),
    events: eventsOf(raw, "events"),
    backend_truncated: flagOf(raw, "backend_truncated"),
    partial: flagOf(raw, "partial"),
    service_unknown: flagOf(raw, "service_unknown"),
    undecided: eventsOf(raw, "undecided"),
  };
}

function eventsOf(from: JsonObject, key: string): readonly RawEvent[] {
  const events = from[key];
  if (!Array.isArray(events)) throw new BoundaryError("BACKEND_SCHEMA_ERROR");
  return (events as readonly JsonValue[]).map(readEvent);
}

function readEvent(value: JsonValue): RawEvent {
  if (!isJsonObject(value)) throw new BoundaryError("BACKEND_SCHEMA_ERROR");
  return {
    file: textOf(value, "file"),
    line: countOf(value, "line"),
    time: textOrNull(value, "time"),
    level: levelOrNull(value["level"]),
    service: textOrNull(value, "service"),
    logger: textOrNull(value, "logger"),
    form: formOf(value["form"]),
    text: textOf(value, "text"),
    body: countOf(value, "body"),
    at: countOf(value, "at"),
    until: countOf(value, "until"),
    assumed: flagOf(value, "assumed"),
    unparsed: flagOf(value, "unparsed"),
  };
}

function textOf(from: JsonObject, key: string): string {
  const value = from[key];
  if (typeof value !== "string") throw new BoundaryError("BACKEND_SCHEMA_ERROR");
  return value;
}

function textOrNull(from: JsonObject, key: string): string | null {
  return from[key] === null ? null : textOf(from, key);
}

function flagOf(from: JsonObject, key: string): boolean {
  const value = from[key];
  if (typeof value !== "boolean") throw new BoundaryError("BACKEND_SCHEMA_ERROR");
  return value;
}

function countOf(from: JsonObject, key: string): number {
  const value = from[key];
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
    throw new BoundaryError("BACKEND_SCHEMA_ERROR");
  return value;
}

function levelOrNull(value: JsonValue | undefined): Level | null {
  return LEVELS.find((level) => level === value) ?? null;
}

function formOf(value: JsonValue | undefined): EventForm {
  return value === "json" || value === "logfmt" ? value : "text";
}
