import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { projectLogs, queryLogsResultProjector } from "../../../src/tools/query-logs/projector.ts";
import type { RawLogs } from "../../../src/tools/query-logs/raw.ts";
import { queryLogsResult } from "../../../src/tools/query-logs/result.ts";
import { EVERYTHING, eventsOf, IDENTITY, MASKING, patternsOf, project, rawOf } from "./fixture.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 6, 29, 10) + second * 1000).toISOString();
const CONTEXT = { limits: { maxBytes: 16_384 }, redact: IDENTITY };

describe("patterns of an answer", () => {
  it("counts exactly and never loses the single odd event", () => {
    const lines = Array.from({ length: 500 }, (_, i) => `${at(i)} INFO poll ${i} done`);
    lines[250] = `${at(250)} INFO disk full on /data`;
    const result = project(lines);
    expect(patternsOf(result).map(({ text, count }) => [text, count])).toEqual([
      ["poll <*> done", 499],
      ["disk full on <*>", 1],
    ]);
    expect(eventsOf(result).some(({ text }) => text.includes("disk full on /data"))).toBe(true);
    expect(result).toMatchObject({ matched_events: 500, sampled: true, truncated: false });
  });

  it("puts errors first, tells services, times and the most frequent values", () => {
    const lines = [
      ...Array.from(
        { length: 6 },
        (_, i) => `{"ts":"${at(i)}","level":"info","service":"cart","msg":"hello ${i % 2}"}`,
      ),
      `{"ts":"${at(9)}","level":"error","service":"stock","msg":"cannot reach 10.0.0.7"}`,
      `{"ts":"${at(8)}","level":"error","service":"cart","msg":"cannot reach 10.0.0.8"}`,
    ];
    const [first, second] = patternsOf(project(lines));
    expect(first).toMatchObject({
      text: "cannot reach <*>",
      level: "ERROR",
      services: ["cart", "stock"],
      first: at(8),
      last: at(9),
    });
    expect(second?.slots).toEqual([
      {
        distinct: 2,
        top: [
          { value: "0", count: 3 },
          { value: "1", count: 3 },
        ],
      },
    ]);
  });

  it("links patterns to the events shown of them", () => {
    const result = project([`${at(1)} ERROR a 1`, `${at(2)} ERROR a 2`, `${at(3)} INFO b`]);
    const ids = eventsOf(result).map(({ item_id }) => item_id);
    expect(
      patternsOf(result)
        .flatMap(({ examples }) => examples ?? [])
        .sort(),
    ).toEqual([...ids].sort());
  });

  it("tells traces apart by their exception, not by their frames", () => {
    const trace = (exception: string, line: number): string =>
      `${at(line)} ERROR [x] shop.Door - cannot open\nshop.${exception}: stuck\n\tat shop.Door.open(Door.java:${line})`;
    const lines = [trace("RustError", 1), trace("RustError", 2), trace("LockError", 3)].flatMap((text) =>
      text.split("\n"),
    );
    expect(patternsOf(project(lines)).map(({ text, count }) => [text, count])).toEqual([
      ["cannot open shop.RustError: stuck", 2],
      ["cannot open shop.LockError: stuck", 1],
    ]);
  });
});

describe("events of an answer", () => {
  it("spread over the whole range", () => {
    const times = eventsOf(project(Array.from({ length: 2000 }, (_, i) => `${at(i)} INFO poll ${i}`))).map(({ time }) =>
      Date.parse(time ?? ""),
    );
    expect(times.length).toBeGreaterThan(10);
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(300_000);
    expect(times.at(-1)).toBe(Date.parse(at(1999)));
  });

  it("include the last event of every error", () => {
    const lines = Array.from({ length: 50 }, (_, i) => `${at(i)} ERROR cannot open door ${i}`);
    expect(eventsOf(project(lines)).map(({ time }) => time)).toContain(at(49));
  });

  it("have the same id in every answer that holds them, and different ones when alike", () => {
    const lines = [`${at(1)} ERROR a`, `${at(1)} ERROR a`, `${at(2)} INFO b`];
    const ids = eventsOf(project(lines)).map(({ item_id }) => item_id);
    expect(new Set(ids).size).toBe(3);
    expect(eventsOf(project(lines.slice(2)))[0]?.item_id).toBe(ids[2]);
  });

  it("show a JSON event's message first, then its other members", () => {
    const [event] = eventsOf(project([`{"ts":"${at(1)}","level":"warn","msg":"shut","door":7,"who":{"id":"x"}}`]));
    expect(event).toMatchObject({ time: at(1), level: "WARN", text: 'shut {"door":7,"who":{"id":"x"}}' });
  });

  it("say nothing of a time that the line does not say", () => {
    const result = project(["worker started"]);
    expect(eventsOf(result)[0]).not.toHaveProperty("time");
    expect(result).not.toHaveProperty("observed");
  });
});

describe("redaction in an answer", () => {
  it("comes before grouping: what differs only in held-back values is one pattern", () => {
    const lines = [1, 2, 3].map((i) => `${at(i)} ERROR login from 10.0.0.${i} token=s3cr3t${i} refused`);
    expect(patternsOf(project(lines, { redact: MASKING })).map(({ text, count }) => [text, count])).toEqual([
      ["login from <*> token=<*> refused", 3],
    ]);
  });

  it("comes before cutting: no secret is cut in two", () => {
    for (let shift = 0; shift < 40; shift += 1) {
      const line = `${at(1)} ERROR ${"x".repeat(4070 + shift)} token=hunter2hunter2hunter2 end`;
      const text = JSON.stringify(project([line], { redact: MASKING }));
      expect(text).not.toContain("hunter2");
      expect(text).not.toMatch(/\[\[(?![a-z:]+\]\])/);
    }
  });

  it("sees all lines of an event at once", () => {
    const redact = { ...IDENTITY, text: (text: string) => text.replace(/BEGIN[\s\S]*END/, "[[secret:private_key]]") };
    const result = project(["key -----BEGIN A KEY-----", "MIIE", "q3Zz", "-----END A KEY-----", "ready"], { redact });
    expect(JSON.stringify(result)).not.toContain("MIIE");
    expect(eventsOf(result).map(({ text }) => text)).toContain("ready");
  });

  it("reaches the members of JSON and the names of services", () => {
    const redact = { ...MASKING, field: () => "[[host:abcdefgh]]" };
    const line = `{"ts":"${at(1)}","service":"node-7","msg":"x","inner":{"auth":"token=abcdef"}}`;
    const text = JSON.stringify(project([line], { redact }));
    expect(text).not.toContain("token=abcdef");
    expect(text).not.toContain("node-7");
  });
});

describe("an empty answer", () => {
  const empty = (marks: Partial<RawLogs>): RawLogs => ({ ...rawOf([]), ...marks });

  it("is given when the backend's was complete", () => {
    expect(projectLogs(empty({}), EVERYTHING, CONTEXT)).toMatchObject({
      items: [],
      truncated: false,
      matched_events: 0,
    });
  });

  it.each([{ partial: true }, { backend_truncated: true }, { service_unknown: true }])(
    "is an error when it proves nothing: %j",
    (marks) => {
      expect(() => projectLogs(empty(marks), EVERYTHING, CONTEXT)).toThrow(
        expect.objectContaining({ code: "PARTIAL_RESULT" }),
      );
    },
  );

  it("is an error when events without a level could be what was asked for", () => {
    const query = { ...EVERYTHING, level: "ERROR" as const };
    const undecided = rawOf(["worker started"]).events;
    expect(() => projectLogs(empty({ undecided }), query, CONTEXT)).toThrow(
      expect.objectContaining({ code: "PARTIAL_RESULT" }),
    );
  });
});

describe("flags", () => {
  it("are apart, and truncated is any of the four that cut", () => {
    const raw = rawOf([`${at(1)} INFO a`]);
    const flags = (marks: Partial<RawLogs>) => projectLogs({ ...raw, ...marks }, EVERYTHING, CONTEXT);
    expect(flags({}).truncated).toBe(false);
    expect(flags({ partial: true })).toMatchObject({ truncated: true, partial: true, backend_truncated: false });
    expect(flags({ backend_truncated: true })).toMatchObject({ truncated: true, partial: false });
    const events = raw.events.flatMap((event) => [
      { ...event, assumed: true, unparsed: true },
      { ...event, unparsed: true },
    ]);
    expect(flags({ events })).toMatchObject({ truncated: false, tz_assumed: true, unparsed_lines: 2 });
  });

  it("tell a cut line and its whole length", () => {
    const result = project([`ERROR payload=${"QUJD".repeat(262_144)}`]);
    expect(result).toMatchObject({ line_truncated: true, truncated: true, projection_truncated: false });
    const [event] = eventsOf(result);
    expect(event?.text_bytes).toBe(1_048_590);
    expect(Buffer.byteLength(event?.text ?? "")).toBeLessThanOrEqual(4096);
  });

  it("keep the last line of a long Python trace", () => {
    const trace = [
      "ERROR died",
      "Traceback (most recent call last):",
      `  File "a.py", line 1, in f`,
      `    g("${"x".repeat(6000)}")`,
      "KeyError: 'knob'",
    ];
    const [event] = eventsOf(project(trace));
    expect(event?.text.endsWith("KeyError: 'knob'")).toBe(true);
    expect(event?.text_bytes).toBeGreaterThan(6000);
  });
});

describe("the projector", () => {
  const lines = fc.array(
    fc
      .tuple(
        fc.nat(5000),
        fc.constantFrom("INFO", "ERROR", "WARN"),
        fc.string({ maxLength: 120 }),
        fc.constantFrom("a", "b", "cannot open door 7 at 10.0.0.7", "token=hunter2hunter2"),
      )
      .map(([second, level, noise, message]) => `${at(second)} ${level} ${message} ${noise.replace(/[\r\n]/g, " ")}`),
    { minLength: 1, maxLength: 60 },
  );

  it("stays within its bytes, keeps its form and shows no secret, for all lines and budgets", () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1200, max: 20_000 }), (input, maxBytes) => {
        const result = project(input, { redact: MASKING, maxBytes });
        const text = JSON.stringify(result);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
        expect(queryLogsResult.safeParse(result).success).toBe(true);
        expect(text).not.toContain("hunter2");
        const ids = result.items.map(({ item_id }) => item_id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(result.matched_events).toBe(input.length);
      }),
      { numRuns: 60 },
    );
  });

  it("says projection_truncated exactly when something it would show with room is missing", () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1200, max: 20_000 }), (input, maxBytes) => {
        const whole = project(input, { maxBytes: 10_000_000 });
        const fitted = project(input, { maxBytes });
        if (!fitted.projection_truncated && !fitted.line_truncated) expect(fitted.items).toEqual(whole.items);
        if (JSON.stringify(fitted.items) === JSON.stringify(whole.items))
          expect(fitted.projection_truncated).toBe(whole.projection_truncated);
      }),
      { numRuns: 60 },
    );
  });

  it("gives the same bytes for the same raw, and the same patterns for shuffled lines", () => {
    fc.assert(
      fc.property(lines, (input) => {
        expect(JSON.stringify(project(input))).toBe(JSON.stringify(project(input)));
        const patterns = (list: readonly string[]) =>
          JSON.stringify(patternsOf(project(list, { maxBytes: 10_000_000 })).map(({ examples: _, ...rest }) => rest));
        expect(patterns([...input].reverse())).toBe(patterns(input));
      }),
      { numRuns: 40 },
    );
  });

  it("reads raw only in the form a backend gives it", () => {
    const projection = queryLogsResultProjector.project;
    for (const raw of [null, {}, { events: [] }, { ...rawOf(["a"]), events: [{ text: 1 }] }] as never[])
      expect(() => projection(raw, EVERYTHING, CONTEXT)).toThrow(
        expect.objectContaining({ code: "BACKEND_SCHEMA_ERROR" }),
      );
    expect(queryLogsResultProjector.measure?.(rawOf(["a", "b"]) as never, EVERYTHING)).toEqual({ returnedCount: 2 });
  });
});

describe("patterns of structured events and access logs", () => {
  it("count each level apart, so that a count is never more than its level says", () => {
    const line = (second: number, status: number): string =>
      `10.0.0.7 - - [29/Jul/2026:10:00:${10 + second} +0000] "GET /door/${second} HTTP/1.1" ${status} ${second * 7} "-" "agent/${second}"`;
    const lines = [200, 200, 200, 503, 404].map((status, i) => line(i, status));
    const patterns = patternsOf(project(lines));
    expect(patterns.map(({ level, count, text }) => [level, count, text])).toEqual([
      ["ERROR", 1, '"GET <*> HTTP/<*>" <*>'],
      ["INFO", 3, '"GET <*> HTTP/<*>" <*>'],
      ["WARN", 1, '"GET <*> HTTP/<*>" <*>'],
    ]);
    expect(new Set(patterns.map(({ item_id }) => item_id)).size).toBe(3);
    expect(patterns[1]?.slots?.at(-1)).toEqual({ distinct: 1, top: [{ value: "200", count: 3 }] });
  });

  it("tell the most frequent values of members, those of few values first", () => {
    const lines = Array.from(
      { length: 6 },
      (_, i) =>
        `{"ts":"${at(i)}","level":"warn","msg":"callback failed","order":${i},"provider":"${i < 5 ? "lane" : "road"}"}`,
    );
    expect(patternsOf(project(lines))[0]?.slots).toEqual([
      {
        name: "provider",
        distinct: 2,
        top: [
          { value: "lane", count: 5 },
          { value: "road", count: 1 },
        ],
      },
      { name: "order", distinct: 6, top: ["0", "1", "2"].map((value) => ({ value, count: 1 })) },
    ]);
  });

  it("shorten the middle of a blob and say so", () => {
    const blob = "QUJDabc9".repeat(250);
    const result = project([`INFO avatar data:image/png;base64,${blob} stored`]);
    expect(eventsOf(result)[0]?.text).toBe(
      "INFO avatar data:image/png;base64,QUJDabc9QUJDabc9QUJDabc9...(2000 characters) stored",
    );
    expect(result).toMatchObject({ line_truncated: true, truncated: true });
    expect(project([`INFO path /${"long-name/".repeat(40)}`]).line_truncated).toBe(false);
  });
});
