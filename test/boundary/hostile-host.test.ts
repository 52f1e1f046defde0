import { describe, expect, it } from "vitest";
import type { RunCall } from "../../src/boundary/run.ts";
import { fixture } from "./fixture.ts";

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
