import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createHarness } from "../../src/boundary/harness.ts";
import { memoryStore } from "../../src/store/memory/memory-store.ts";
import type { Tool, ToolDefinition } from "../../src/tools/tool.ts";
import { answering, fixture, linesTool, projectLines } from "./fixture.ts";

const store = memoryStore();

describe("a harness", () => {
  it.each([
    ["two tools of one name", { tools: [linesTool(), linesTool()] }, "Two tools have the same name."],
    ["a definition in place of a tool", { tools: [definition() as unknown as Tool] }, "hand it to defineTool first"],
    ["a limit that is no limit", { tools: [], limits: { call: { rawBytes: 0 } } }, "limits.call.rawBytes must be"],
    ["a limit that is no number", { tools: [], limits: { noGain: 1.5 } }, "limits.noGain must be"],
  ])("is not made of %s, and says why", (_, options, message) => {
    expect(() => createHarness({ store, ...options })).toThrow(message);
  });

  it.each([
    ["a session id with blanks", { sessionId: "incident 42" }, { code: "CONFIG_INVALID", field: "sessionId" }],
    ["a run id that is too long", { runId: "r".repeat(65) }, { code: "CONFIG_INVALID", field: "runId" }],
    ["a grant of no tool", { grants: ["query_nothing"] }, { code: "CONFIG_INVALID", field: "grants" }],
    ["a budget below one", { budget: { calls: 0 } }, { code: "CONFIG_INVALID", field: "budget.calls" }],
    ["the id of another run", { runId: "run-1" }, { code: "RUN_EXISTS", field: "runId" }],
  ])("opens no run with %s", async (_, options, error) => {
    const { harness } = await fixture([linesTool()], {}, { runId: "run-1" });
    await expect(harness.openRun({ sessionId: "session-1", ...options })).rejects.toMatchObject(error);
  });

  it("resumes a run that its store knows, with what was spent of it, and no other", async () => {
    const first = await fixture([linesTool()], {}, { runId: "run-1" });
    await first.call();
    const second = createHarness({ store: first.store, tools: [linesTool()], clock: () => Date.UTC(2026, 2, 1, 8) });
    const resumed = await second.resumeRun("run-1");
    const { control } =
      (await resumed?.call({ toolCallId: "c2", toolName: "query_lines", request: { service: "b" } })) ?? {};
    expect(control?.remaining.calls).toBe(38);
    expect(await second.resumeRun("run-2")).toBeNull();
    expect(await second.resumeRun("not an id")).toBeNull();
  });

  it("waits for a call under way when it is closed, so that it is audited", async () => {
    let answer = (_lines: unknown): void => undefined;
    const slow = answering(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const { call, harness, audit } = await fixture([slow]);
    const called = call();
    await new Promise(setImmediate);
    const closed = harness.close();
    answer({ lines: ["late"] });
    await closed;
    expect(audit.rows).toMatchObject([{ success: true }]);
    expect((await called).observation.outcome).toBe("OK");
  });

  it("takes no call for a run that another session or principal owns", async () => {
    const { harness, run } = await fixture([linesTool()], {}, { principal: "alice" });
    const { runId } = run;
    const envelope = { run_id: runId, tool_call_id: "c1", tool_name: "query_lines", request: { service: "a" } };
    for (const context of [{ runId, principal: "bob" }, { runId, sessionId: "session-2" }, { runId: "run-x" }]) {
      await expect(harness.call(context, envelope)).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
    }
    expect((await harness.call({ runId, principal: "alice" }, envelope)).observation.outcome).toBe("OK");
  });
});

function definition(): ToolDefinition<{ service: string }> {
  return {
    name: "query_lines",
    description: "Finds lines.",
    readOnly: true,
    request: z.object({ service: z.string() }),
    execute: async () => ({ lines: [] }),
    projector: { id: "lines", version: "1", project: projectLines },
  };
}
