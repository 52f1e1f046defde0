import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { QueryLogsRequest } from "../../../src/tools/query-logs/request.ts";
import { queryLogsRequest } from "../../../src/tools/query-logs/request.ts";
import { resolveLogs } from "../../../src/tools/query-logs/resolve.ts";

const NOW = Date.UTC(2026, 6, 29, 12);
const SOURCES = [{ name: "app", timeZone: "Asia/Shanghai" }, { name: "edge" }];
const HOUR: QueryLogsRequest = { source: "edge", from: "now-1h", to: "now" };

const resolve = (request: Partial<QueryLogsRequest>) => resolveLogs({ ...HOUR, ...request }, SOURCES, NOW);
const code = (request: Partial<QueryLogsRequest>): unknown => {
  try {
    resolve(request);
    return null;
  } catch (error) {
    return [(error as { code: string }).code, (error as { field: string }).field];
  }
};

describe("resolving a request", () => {
  it("makes relative times absolute in the scope", () => {
    expect(resolve({}).scope).toEqual({
      source: "edge",
      time_from: "2026-07-29T11:00:00.000Z",
      time_to: "2026-07-29T12:00:00.000Z",
    });
  });

  it("reads times with a zone as they are and others in the zone of the source", () => {
    const scope = resolve({ source: "app", from: "2026-07-29T18:00:00+08:00", to: "2026-07-29 19:00" }).scope;
    expect(scope).toMatchObject({ time_from: "2026-07-29T10:00:00.000Z", time_to: "2026-07-29T11:00:00.000Z" });
  });

  it.each([
    [{ from: "2026-07-29 10:00" }, ["TIME_ZONE_MISSING", "from"]],
    [{ to: "2026-07-29T12:00:00" }, ["TIME_ZONE_MISSING", "to"]],
    [{ from: "yesterday" }, ["TIME_INVALID", "from"]],
    [{ from: "2026-02-30T00:00:00Z" }, ["TIME_INVALID", "from"]],
    [{ from: "2026-07-29T10:61:00Z" }, ["TIME_INVALID", "from"]],
    [{ from: "now", to: "now-1h" }, ["RANGE_INVALID", "from"]],
    [{ from: "now", to: "now" }, ["RANGE_INVALID", "from"]],
    [{ from: "now+1h", to: "now+2h" }, ["RANGE_IN_FUTURE", "from"]],
    [{ source: "elsewhere" }, ["SOURCE_NOT_FOUND", "source"]],
    [{ pattern: "(a)\\1" }, ["PATTERN_UNSUPPORTED", "pattern"]],
  ])("refuses %j", (request, expected) => {
    expect(code(request)).toEqual(expected);
  });

  it("asks for a source only where there are several", () => {
    const { source: _, ...request } = HOUR;
    expect(() => resolveLogs(request, SOURCES, NOW)).toThrow(
      expect.objectContaining({ code: "REQUEST_INVALID", field: "source" }),
    );
    expect(resolveLogs(request, SOURCES.slice(1), NOW).scope).toMatchObject({ source: "edge" });
  });

  it("gives equal questions one identity", () => {
    const asked = resolve({ keywords: ["Time Out", "DB"], level: "*" }).identity;
    expect(resolve({ keywords: "db  out ｔｉｍｅ db" }).identity).toBe(asked);
    expect(resolve({ keywords: "db out time", from: "2026-07-29T11:00:00Z" }).identity).toBe(asked);
  });

  it("tells different questions apart", () => {
    const requests: Partial<QueryLogsRequest>[] = [
      {},
      { source: "app" },
      { service: "checkout" },
      { level: "ERROR" },
      { keywords: "-1" },
      { keywords: "1" },
      { pattern: "1" },
      { to: "now-1m" },
      { limit: 5 },
    ];
    const identities = requests.map((request) => resolve(request).identity);
    expect(new Set(identities).size).toBe(requests.length);
  });

  it("lets a wider question cover a narrower one, by level too", () => {
    const wide = resolve({ level: "WARN" }).covers;
    const narrow = resolve({ level: "ERROR", keywords: "db", service: "Checkout" }).covers;
    expect(narrow?.family).toBe(wide?.family);
    expect(wide?.filters.every((filter) => narrow?.filters.includes(filter))).toBe(true);
    expect(narrow?.filters.every((filter) => wide?.filters.includes(filter))).toBe(false);
    expect(narrow?.window).toEqual({ from: NOW - 3_600_000, to: NOW });
  });

  it("never throws anything but its own refusals", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (from, to, pattern) => {
        const parsed = queryLogsRequest.safeParse({ source: "edge", from, to, pattern });
        if (parsed.success) expect(code(parsed.data) ?? ["", ""]).toHaveLength(2);
      }),
    );
  });
});
