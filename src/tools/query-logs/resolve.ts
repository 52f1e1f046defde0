import { BoundaryError } from "../../model/errors.ts";
import { stableJson } from "../../model/json.ts";
import type { Coverage, Scope } from "../../model/scope.ts";
import type { Resolved } from "../tool.ts";
import { LEVELS } from "./events/level.ts";
import { parseZone, type Zone } from "./events/zone.ts";
import { compileFilter, fold, type LogQuery } from "./match/filter.ts";
import { DEFAULT_LIMIT, type QueryLogsRequest } from "./request.ts";

/** What resolving has to know of a source. */
export interface SourceInfo {
  readonly name: string;
  /** Declared zone of times without one. */
  readonly timeZone?: string;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const RELATIVE = /^now(?:\s*([+-])\s*(\d{1,9})\s*([smhdw]))?$/i;
const ABSOLUTE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;

/** Makes a request absolute. Pure: the same request at the same time against the same sources gives the same. */
export function resolveLogs(
  request: QueryLogsRequest,
  sources: readonly SourceInfo[],
  now: number,
): Resolved<LogQuery> {
  const source = sourceOf(request, sources);
  const zone = source.timeZone === undefined ? null : parseZone(source.timeZone);
  const query: LogQuery = {
    source: source.name,
    service: request.service?.trim() || null,
    level: request.level === undefined || request.level === "*" ? null : request.level,
    keywords: keywordsOf(request.keywords),
    pattern: request.pattern ?? null,
    ...windowOf(request, zone, now),
    limit: request.limit ?? DEFAULT_LIMIT,
  };
  compileFilter(query);
  return { resolved: query, scope: scopeOf(query), identity: identityOf(query), covers: coverageOf(query) };
}

function sourceOf(request: QueryLogsRequest, sources: readonly SourceInfo[]): SourceInfo {
  if (request.source === undefined) {
    const [only, second] = sources;
    if (only === undefined || second !== undefined) throw new BoundaryError("REQUEST_INVALID", "source");
    return only;
  }
  const source = sources.find(({ name }) => name === request.source);
  if (source === undefined) throw new BoundaryError("SOURCE_NOT_FOUND", "source");
  return source;
}

/** A set of words: order, repetition, case and compatibility forms do not make another question. */
function keywordsOf(keywords: QueryLogsRequest["keywords"]): string[] {
  const text = typeof keywords === "string" ? keywords : (keywords ?? []).join(" ");
  return [
    ...new Set(
      fold(text)
        .split(/\s+/)
        .filter((word) => word !== ""),
    ),
  ].sort();
}

function windowOf(
  request: QueryLogsRequest,
  zone: Zone | null,
  now: number,
): { readonly from: number; readonly to: number } {
  const from = instantOf(request.from, "from", zone, now);
  const to = instantOf(request.to, "to", zone, now);
  if (from >= to) throw new BoundaryError("RANGE_INVALID", "from");
  if (from > now) throw new BoundaryError("RANGE_IN_FUTURE", "from");
  return { from, to };
}

function instantOf(text: string, field: "from" | "to", zone: Zone | null, now: number): number {
  const trimmed = text.trim();
  const relative = RELATIVE.exec(trimmed);
  if (relative !== null) {
    const shift = Number(relative[2] ?? 0) * (UNIT_MS[(relative[3] ?? "s").toLowerCase()] ?? 0);
    return checked(now + (relative[1] === "-" ? -shift : shift), field);
  }
  const match = ABSOLUTE.exec(trimmed);
  if (match === null) throw new BoundaryError("TIME_INVALID", field);
  const wall = wallOf(match);
  if (wall === null) throw new BoundaryError("TIME_INVALID", field);
  const named = match[8];
  const stated = named === undefined ? zone : parseZone(named.toUpperCase());
  if (stated === null) throw new BoundaryError("TIME_ZONE_MISSING", field);
  return checked(stated.toUtc(wall), field);
}

function checked(ms: number, field: "from" | "to"): number {
  if (ms < 0 || ms > 253_402_300_799_999) throw new BoundaryError("TIME_INVALID", field);
  return ms;
}

/** The reading as if it were UTC; null when the calendar or the clock has no such time. */
function wallOf(match: RegExpExecArray): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const ms = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  const date = new Date(wall);
  const same = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour;
  return same && minute < 60 && second < 60 ? wall : null;
}

function scopeOf(query: LogQuery): Scope {
  return {
    source: query.source,
    ...(query.service === null ? {} : { service: query.service }),
    ...(query.level === null ? {} : { level: query.level }),
    ...(query.keywords.length === 0 ? {} : { keywords: query.keywords }),
    ...(query.pattern === null ? {} : { pattern: query.pattern }),
    time_from: new Date(query.from).toISOString(),
    time_to: new Date(query.to).toISOString(),
  };
}

function identityOf(query: LogQuery): string {
  const { limit, service, keywords, ...rest } = query;
  // Another limit is another question only where it can give another answer; a complete answer covers it anyway.
  const asked = limit === DEFAULT_LIMIT ? {} : { limit };
  return stableJson({ ...rest, service: service === null ? null : fold(service), keywords, ...asked });
}

function coverageOf(query: LogQuery): Coverage {
  const levels = query.level === null ? [] : LEVELS.slice(0, LEVELS.indexOf(query.level) + 1);
  return {
    family: `query_logs:${query.source}`,
    filters: [
      ...(query.service === null ? [] : [`service=${fold(query.service)}`]),
      // Each level implies those below it, so that what was found from WARN on covers a question for ERROR.
      ...levels.map((level) => `level>=${level}`),
      ...query.keywords.map((keyword) => `keyword=${keyword}`),
      ...(query.pattern === null ? [] : [`pattern=${query.pattern}`]),
    ],
    window: { from: query.from, to: query.to },
  };
}
