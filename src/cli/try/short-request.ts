import { isJsonObject, type JsonObject, type JsonValue, stableJson } from "../../model/json.ts";
import type { Coverage, Scope } from "../../model/scope.ts";
import { questionTopics } from "../../tools/lookup-knowledge/text/tokens.ts";
import { sqlIdentity } from "../../tools/query-mysql/validator.ts";

/** A request of the short form, resolved: `{service, q, from, to}`, `{ds, sql}` or `{query}`. */
export interface ShortCall {
  readonly scope: Scope;
  readonly identity: string;
  readonly covers: Coverage | null;
}

export const SHORT_DAY: number = Date.parse("2026-01-02T00:00:00Z");
const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS };

export function readShortCall(tool: string, request: JsonValue, now: number): ShortCall {
  const fields = isJsonObject(request) ? request : { value: request };
  if (tool === "query_logs") return logsCall(fields, now);
  if (tool === "query_mysql") return mysqlCall(fields, now);
  if (tool === "lookup_knowledge") return knowledgeCall(fields);
  return { scope: {}, identity: stableJson(fields), covers: null };
}

/** Milliseconds since the epoch. A clock time is of the day that lies nearest to `now`; others are ISO 8601 or relative to `now`. */
export function readShortTime(value: JsonValue | undefined, now: number): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return null;
  const text = value.trim().toLowerCase();
  return readClock(text, now) ?? readRelative(text, now) ?? readIso(value.trim());
}

function readClock(text: string, now: number): number | null {
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  if (clock === null) return null;
  const sinceMidnight = Number(clock[1]) * 3_600_000 + Number(clock[2]) * 60_000 + Number(clock[3] ?? 0) * 1_000;
  const day = Math.floor(now / DAY_MS) * DAY_MS;
  const candidates = [day - DAY_MS, day, day + DAY_MS].map((start) => start + sinceMidnight);
  return candidates.reduce((best, time) => (Math.abs(time - now) < Math.abs(best - now) ? time : best));
}

function readRelative(text: string, now: number): number | null {
  if (text === "now") return now;
  const match = /^(?:now|last|past|最近|过去)?\s*([+-]?)\s*(\d+)\s*(s|m|h|d)[a-z]*(?:\s+ago)?$/.exec(text);
  if (match === null) return null;
  const amount = Number(match[2]) * (UNITS[match[3] ?? "s"] ?? 0);
  return match[1] === "+" ? now + amount : now - amount;
}

function readIso(text: string): number | null {
  const zoned = /(?:z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes(":") ? text : `${text.replace(" ", "T")}Z`;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? null : time;
}

function logsCall(request: JsonObject, now: number): ShortCall {
  const from = readShortTime(request["from"], now);
  const end = readShortTime(request["to"], now) ?? (from === null ? null : now);
  const to = from !== null && end !== null && end < from ? end + DAY_MS : end;
  const filters = [...plainFilters(request), ...keywords(request).map((word) => `keyword=${word}`)].sort();
  const window = from === null || to === null ? {} : { window: { from, to } };
  return {
    scope: logsScope(request, from, to),
    identity: stableJson([filters, from, to]),
    covers: { family: "query_logs", filters, ...window },
  };
}

/** A star asks for everything, as does an absent field. */
function plainFilters(request: JsonObject): readonly string[] {
  return Object.entries(request)
    .filter(
      ([name, value]) =>
        !["q", "keywords", "from", "to"].includes(name) && value !== "*" && value !== "" && value !== null,
    )
    .map(([name, value]) => `${name}=${name === "level" ? String(value).toUpperCase() : stableJson(value)}`);
}

function keywords(request: JsonObject): readonly string[] {
  const given = [request["q"], request["keywords"]].flat().filter((part): part is string => typeof part === "string");
  const words = given.flatMap((text) => text.normalize("NFKC").toLowerCase().split(/\s+/));
  return [...new Set(words.filter((word) => word !== ""))].sort();
}

function logsScope(request: JsonObject, from: number | null, to: number | null): Scope {
  const service = request["service"];
  return {
    ...(typeof service === "string" && { service }),
    keywords: keywords(request),
    ...(from !== null && { time_from: new Date(from).toISOString() }),
    ...(to !== null && { time_to: new Date(to).toISOString() }),
  };
}

function mysqlCall(request: JsonObject, now: number): ShortCall {
  const datasource = String(request["ds"] ?? request["datasource"] ?? "");
  const sql = String(request["sql"] ?? "");
  try {
    const { fingerprint, covers, usesClock } = sqlIdentity(datasource, sql);
    return { scope: { datasource }, identity: usesClock ? `${fingerprint}@${now}` : fingerprint, covers };
  } catch {
    // what cannot be read is the same only when it is written the same
    return { scope: { datasource }, identity: `${datasource}\n${sql.trim()}`, covers: null };
  }
}

function knowledgeCall(request: JsonObject): ShortCall {
  const query = String(request["query"] ?? request["q"] ?? "");
  const collection = String(request["collection"] ?? request["corpus"] ?? "");
  return { scope: { collection, query }, identity: stableJson([collection, questionTopics(query)]), covers: null };
}
