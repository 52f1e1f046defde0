import type { Redact } from "../../../src/redact/redact.ts";
import { searchLines } from "../../../src/tools/query-logs/backends/lines.ts";
import type { LogQuery } from "../../../src/tools/query-logs/match/filter.ts";
import { projectLogs } from "../../../src/tools/query-logs/projector.ts";
import type { RawLogs } from "../../../src/tools/query-logs/raw.ts";
import type { EventItem, PatternItem, QueryLogsResult } from "../../../src/tools/query-logs/result.ts";

/** An instant after every time in the fixtures. */
export const WRITTEN = Date.UTC(2026, 6, 30);

export const EVERYTHING: LogQuery = {
  source: "app",
  service: null,
  level: null,
  keywords: [],
  pattern: null,
  from: Number.MIN_SAFE_INTEGER,
  to: Number.MAX_SAFE_INTEGER,
  limit: 1_000_000,
};

export const IDENTITY: Redact = {
  text: (text) => text,
  field: (_, value) => value,
  tree: (value) => value,
  comparable: (redacted) => redacted,
};

/** Masks what follows `token=` up to a blank, and IPv4 addresses; enough to see when and on what redaction is called. */
export const MASKING: Redact = {
  text: mask,
  field: (_, value) => (typeof value === "string" ? mask(value) : value),
  tree: (value) => JSON.parse(mask(JSON.stringify(value))),
  comparable: (redacted, source) =>
    redacted.replaceAll("[[secret:token]]", "\uffff").replaceAll("[[ip:abcdefgh]]", IP.exec(source)?.[0] ?? ""),
};

const IP = /\b\d{1,3}(?:\.\d{1,3}){3}\b/;

function mask(text: string): string {
  return text
    .replace(/token=[^\s"]+/g, "token=[[secret:token]]")
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, "[[ip:abcdefgh]]");
}

export function rawOf(lines: readonly string[], query: Partial<LogQuery> = {}): RawLogs {
  return searchLines(lines, { ...EVERYTHING, ...query }, WRITTEN, Number.MAX_SAFE_INTEGER);
}

export function project(
  lines: readonly string[],
  options: { readonly redact?: Redact; readonly maxBytes?: number; readonly query?: Partial<LogQuery> } = {},
): QueryLogsResult {
  const query = { ...EVERYTHING, ...options.query };
  const context = { limits: { maxBytes: options.maxBytes ?? 16_384 }, redact: options.redact ?? IDENTITY };
  return projectLogs(rawOf(lines, query), query, context);
}

export function patternsOf(result: QueryLogsResult): PatternItem[] {
  return result.items.filter((item): item is PatternItem => item.kind === "pattern");
}

export function eventsOf(result: QueryLogsResult): EventItem[] {
  return result.items.filter((item): item is EventItem => item.kind === "event");
}

/** Processor time of the quickest of three runs, in milliseconds; other suites on the machine do not count. */
export function cpuMs(work: () => unknown): number {
  const runs = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}
