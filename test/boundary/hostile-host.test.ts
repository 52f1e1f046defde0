import { describe, expect, it } from "vitest";
import type { RunCall } from "../../src/boundary/run.ts";
import { BoundaryError } from "../../src/model/errors.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { answering, fixture, type LinesRequest, linesTool, projecting } from "./fixture.ts";

describe("a host that hands over something odd", () => {
  it.each<[string, unknown]>([
    ["no text", { id: 7n }],
    ["a number", 3],
  ])("does not lose the run to a turn that is %s", async (_what, turn) => {
    const { run } = await fixture();
    const call = (toolCallId: string, more: object) =>
      run.call({ toolCallId, toolName: "query_lines", request: { service: toolCallId }, ...more } as RunCall);
    expect((await call("c1", { turn })).observation.outcome).toBe("OK");
    expect((await call("c2", {})).observation.outcome).toBe("OK");
    expect(await run.stop("done")).toBe(true);
  });

  it("keeps a turn's long name short, and tells it from others", async () => {
    const { run, store } = await fixture();
    const long = (last: string) => `${"t".repeat(100_000)}${last}`;
    const call = (toolCallId: string, turn: string) =>
      run.call({ toolCallId, toolName: "query_lines", request: { service: toolCallId }, turn });
    for (const [id, turn] of Object.entries({ c1: "a", c2: "a", c3: "b" })) await call(id, long(turn));
    expect((await run.progress()).batches).toBe(2);
    expect(JSON.stringify((await store.readRun(run.runId))?.progress).length).toBeLessThan(5_000);
  });
});

describe("a resolver that does not keep its promise", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  it.each<[string, unknown]>([
    ["gives nothing", undefined],
    ["gives an empty answer", {}],
    ["gives a promise", Promise.resolve({ resolved: {}, scope: {}, identity: "a" })],
    ["gives no scope", { resolved: {}, scope: null, identity: "a" }],
    ["gives a scope that goes in circles", { resolved: {}, scope: cyclic, identity: "a" }],
    ["gives a scope with parts of parts", { resolved: {}, scope: { a: { b: 1 } }, identity: "a" }],
    ["gives no identity", { resolved: {}, scope: {} }],
    ["gives a broken region", { resolved: {}, scope: {}, identity: "a", covers: { family: 1, filters: null } }],
    ["gives a region that is a text", { resolved: {}, scope: {}, identity: "a", covers: "all" }],
  ])("that %s fails its own call, audited, and no later one", async (_what, resolved) => {
    const broken = linesTool({ name: "broken", resolve: (() => resolved) as never });
    const { call, rows } = await fixture([broken, linesTool()]);
    expect((await call()).observation).toMatchObject({ outcome: "ERROR", code: "INTERNAL_ERROR" });
    expect((await call({ service: "a" }, "query_lines")).observation.outcome).toBe("OK");
    expect((await rows()).map((row) => row.error_message)).toEqual(["INTERNAL_ERROR", null]);
  });

  it("may name a time in its scope by a date", async () => {
    const resolve = (request: LinesRequest) =>
      ({ resolved: request, scope: { time_from: new Date(0) }, identity: "a" }) as never;
    const { call } = await fixture([linesTool({ resolve })]);
    expect((await call()).observation).toMatchObject({ scope: { time_from: "1970-01-01T00:00:00.000Z" } });
  });
});

describe("a tool that speaks in another's name", () => {
  const SECRET = "hunter2-is-the-password";
  const OWNED = [
    "STOP_REQUIRED",
    "DUPLICATE",
    "BUDGET_EXHAUSTED",
    "STORE_ERROR",
    "CONFIG_INVALID",
    "RUN_EXISTS",
  ] as const;

  it.each(OWNED)("is not believed when it throws %s", async (code) => {
    const throwing = (): never => {
      throw new BoundaryError(code);
    };
    const codeOf = async (tool: Tool) => (await (await fixture([tool])).call()).observation;
    expect(await codeOf(linesTool({ resolve: throwing }))).toMatchObject({ code: "INTERNAL_ERROR" });
    expect(await codeOf(answering(throwing))).toMatchObject({ outcome: "ERROR", code: "BACKEND_ERROR" });
    expect(await codeOf(projecting(throwing))).toMatchObject({ outcome: "ERROR", code: "PROJECTION_FAILED" });
  });

  it("cannot show a text as the name of a field", async () => {
    const resolve = (): never => {
      const fields = { name: "BoundaryError", code: "REQUEST_INVALID", field: `password=${SECRET}` };
      throw Object.assign(new Error(SECRET), fields);
    };
    const { observation } = await (await fixture([linesTool({ resolve })])).call();
    expect(observation).toMatchObject({ code: "REQUEST_INVALID" });
    expect(JSON.stringify(observation)).not.toContain(SECRET);
  });

  it("gets one answer even when what it throws cannot be looked at", async () => {
    const resolve = (): never => {
      throw new Proxy(new Error(SECRET), {
        getPrototypeOf: () => {
          throw new Error(SECRET);
        },
      });
    };
    const { observation } = await (await fixture([linesTool({ resolve })])).call();
    expect(observation).toMatchObject({ outcome: "ERROR", code: "INTERNAL_ERROR" });
  });
});
