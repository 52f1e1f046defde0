import { BoundaryError } from "../../model/errors.ts";
import type { AgentResult } from "../../model/evidence.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { ProjectionContext, Projector } from "../tool.ts";
import { LEVELS, type Level } from "./events/level.ts";
import type { LogQuery } from "./match/filter.ts";
import { minePatterns } from "./mine/mine.ts";
import { aggregate } from "./projection/aggregate.ts";
import { fitResult } from "./projection/fit.ts";
import { EventRedactor } from "./projection/view.ts";
import type { EventForm, RawEvent, RawLogs } from "./raw.ts";
import type { QueryLogsResult } from "./result.ts";

/**
 * Patterns and sampled events out of what a log backend returned: redacted first, then grouped, sampled over the whole range
 * and fitted to the byte budget. An empty answer is only given when the backend's was complete.
 */
export const queryLogsResultProjector: Projector<LogQuery> = {
  id: "QueryLogsResultProjector",
  version: "1",
  project: (raw, query, context) => projectLogs(readLogs(raw), query, context) as unknown as AgentResult,
  measure: (raw) => ({ returnedCount: readLogs(raw).events.length }),
};

/** The pure core of the projector. */
export function projectLogs(
  logs: RawLogs,
  query: Pick<LogQuery, "level">,
  context: ProjectionContext,
): QueryLogsResult {
  if (logs.events.length === 0 && !provesAbsence(logs, query)) throw new BoundaryError("PARTIAL_RESULT");
  const redactor = new EventRedactor(context.redact);
  const events = logs.events.map((event) => redactor.view(event));
  const patterns = minePatterns(events.map(({ message }) => message));
  return fitResult(logs, aggregate(patterns, events), events, context.limits.maxBytes);
}

/** Nothing was found, everything was searched, and nothing that was searched could have been missed for want of a zone, a level or a service. */
function provesAbsence(logs: RawLogs, query: Pick<LogQuery, "level">): boolean {
  if (logs.partial || logs.backend_truncated || logs.zone_unknown || logs.service_unknown) return false;
  return query.level === null || logs.without_level === 0;
}

/** Raw as the store gives it back: read with care, since it is outside data. Throws BACKEND_SCHEMA_ERROR. */
function readLogs(raw: JsonValue): RawLogs {
  if (!isJsonObject(raw) || !Array.isArray(raw["events"])) throw new BoundaryError("BACKEND_SCHEMA_ERROR");
  return {
    source: textOf(raw, "source"),
    events: (raw["events"] as readonly JsonValue[]).map(readEvent),
    backend_truncated: flagOf(raw, "backend_truncated"),
    partial: flagOf(raw, "partial"),
    tz_assumed: flagOf(raw, "tz_assumed"),
    zone_unknown: flagOf(raw, "zone_unknown"),
    service_unknown: flagOf(raw, "service_unknown"),
    without_level: countOf(raw, "without_level"),
    unparsed_lines: countOf(raw, "unparsed_lines"),
  };
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
