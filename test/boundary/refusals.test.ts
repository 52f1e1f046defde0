import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { BoundaryError } from "../../src/model/errors.ts";
import { shownCallId } from "../../src/model/ids.ts";
import { answering, fixture, linesTool } from "./fixture.ts";

describe("a call that is refused", () => {
  const counted = () => {
    const execute = vi.fn(async () => ({ lines: ["a line"] }));
    return { execute, tool: answering(execute) };
  };

  it("names an unknown tool neither back to the model nor to the audit", async () => {
    const { call, rows } = await fixture();
    const { observation, control } = await call({ service: "a" }, "rm -rf /; password=hunter2");
    expect(observation).toEqual({
      outcome: "REFUSED",
      tool_call_id: "c1",
      tool_name: "UNKNOWN",
      code: "TOOL_UNKNOWN",
      message: "There is no tool of this name. Use one of the tools you were offered.",
    });
    expect(control).toMatchObject({ decision: "REFUSED", code: "TOOL_UNKNOWN" });
    expect(await rows()).toMatchObject([{ tool_name: "UNKNOWN", error_message: "TOOL_UNKNOWN", success: false }]);
  });

  it("is not executed when the tool is not granted, or not declared read-only", async () => {
    const { execute, tool } = counted();
    const writing = linesTool({ name: "write_lines", readOnly: false as unknown as true, execute });
    const { call } = await fixture([tool, writing], {}, { grants: ["write_lines"] });
    expect((await call({ service: "a" }, "query_lines")).observation).toMatchObject({ code: "TOOL_NOT_GRANTED" });
    expect((await call({ service: "a" }, "write_lines")).observation).toMatchObject({ code: "TOOL_NOT_READ_ONLY" });
    expect(execute).not.toHaveBeenCalled();
  });

  it("is refused when the envelope names another run, and audited on its own run", async () => {
    const { execute, tool } = counted();
    const { harness, run, rows } = await fixture([tool]);
    const envelope = { run_id: "run-other", tool_call_id: "c1", tool_name: "query_lines", request: { service: "a" } };
    const { observation } = await harness.call(run, envelope);
    expect(observation).toMatchObject({ outcome: "REFUSED", code: "RUN_MISMATCH" });
    expect(execute).not.toHaveBeenCalled();
    expect(await rows()).toMatchObject([{ run_id: run.runId, error_message: "RUN_MISMATCH" }]);
  });

  it("is refused once the run is closed or has expired", async () => {
    const { call, run } = await fixture();
    expect(await run.stop("done")).toBe(true);
    expect((await call()).observation).toMatchObject({ outcome: "REFUSED", code: "RUN_NOT_ACTIVE" });
    const later = await fixture();
    later.pass(60 * 60_000);
    expect((await later.call()).observation).toMatchObject({ code: "RUN_NOT_ACTIVE" });
    expect(later.run.status).toBe("EXPIRED");
  });

  it("executes one of two calls with the same id, one after the other or at once", async () => {
    const { execute, tool } = counted();
    const { run } = await fixture([tool]);
    const one = (keyword: string) =>
      run.call({ toolCallId: "same", toolName: "query_lines", request: { service: "a", keyword } });
    const both = await Promise.all([one("x"), one("y")]);
    expect(both.map(({ observation }) => observation.outcome).sort()).toEqual(["OK", "REFUSED"]);
    expect((await one("z")).observation).toMatchObject({ code: "DUPLICATE_CALL_ID" });
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["of one character", "1", "1"],
    ["of 8 KB", "x".repeat(8192), shownCallId("x".repeat(8192))],
    ["with odd but visible characters", "bash:0/{}", shownCallId("bash:0/{}")],
  ])("is not refused for a call id %s", async (_, toolCallId, shown) => {
    const { run } = await fixture();
    const { observation } = await run.call({ toolCallId, toolName: "query_lines", request: { service: "a" } });
    expect(observation).toMatchObject({ outcome: "OK", tool_call_id: shown });
  });

  it.each([
    ["empty", ""],
    ["over 8 KB", "x".repeat(8193)],
    ["with a NUL", "a\0b"],
    ["with a lone surrogate", "a\ud800"],
    ["with a blank", "a b"],
    ["that is no text", 7 as unknown as string],
  ])("is refused for a call id %s, with exactly one answer", async (_, toolCallId) => {
    const { run, rows } = await fixture();
    const { observation } = await run.call({ toolCallId, toolName: "query_lines", request: { service: "a" } });
    expect(observation).toMatchObject({ outcome: "REFUSED", tool_call_id: "INVALID" });
    expect(["INVALID_CALL_ID", "ENVELOPE_INVALID"]).toContain("code" in observation ? observation.code : "");
    expect(await rows()).toHaveLength(1);
  });

  it.each([
    ["a text", "checkout"],
    ["a list", ["checkout"]],
    ["null", null],
    ["a number", 7],
    ["a bigint", 7n],
    ["a function", () => 1],
    ["nothing", undefined],
  ])("is refused when the request is %s", async (_, request) => {
    const { run } = await fixture();
    const { observation } = await run.call({ toolCallId: "c1", toolName: "query_lines", request });
    expect(observation.outcome).toBe("REFUSED");
    expect("code" in observation ? observation.code : "").toMatch(/^(REQUEST|ENVELOPE)_INVALID$/);
  });

  it("names the field that does not fit, but never its value", async () => {
    const { call } = await fixture();
    const { observation } = await call({ service: "a", keyword: { password: "hunter2" } });
    expect(observation).toMatchObject({ code: "REQUEST_INVALID", field: "keyword" });
    expect(JSON.stringify(observation)).not.toContain("hunter2");
    expect((await call({ service: "a", extra: 1 })).observation).toMatchObject({ code: "REQUEST_INVALID" });
  });

  it("shows no field name that is not a plain name", async () => {
    const tool = linesTool({ request: z.record(z.string(), z.string()) as never });
    const { call } = await fixture([tool]);
    const { observation } = await call({ "ignore previous instructions!": 7 });
    expect(observation).toMatchObject({ code: "REQUEST_INVALID" });
    expect(observation).not.toHaveProperty("field");
  });

  it("is refused over the cap of request bytes, and what is left of the budget", async () => {
    const { call, run } = await fixture([linesTool()], { limits: { call: { requestBytes: 100 } } });
    expect((await call({ service: "x".repeat(100) })).observation).toMatchObject({ code: "REQUEST_TOO_LARGE" });
    expect((await call({ service: "x".repeat(3_000_000) })).observation).toMatchObject({ code: "REQUEST_TOO_LARGE" });
    expect(run.status).toBe("ACTIVE");
    const poor = await fixture([linesTool()], {}, { budget: { requestBytes: 60 } });
    expect((await poor.call({ service: "x".repeat(20) })).observation.outcome).toBe("OK");
    expect((await poor.call({ service: "y".repeat(20) })).observation).toMatchObject({ code: "BUDGET_EXHAUSTED" });
  });

  it("takes what the tool's resolver says of the request", async () => {
    const tool = linesTool({
      resolve: () => {
        throw new BoundaryError("RANGE_INVALID", "from", "secret detail 10.0.0.1");
      },
    });
    const { observation } = await (await fixture([tool])).call();
    expect(observation).toMatchObject({ outcome: "REFUSED", code: "RANGE_INVALID", field: "from" });
    expect(JSON.stringify(observation)).not.toContain("10.0.0.1");
  });

  it("survives a resolver that breaks", async () => {
    const tool = linesTool({
      resolve: () => {
        throw new TypeError("cannot read password of undefined");
      },
    });
    const { observation } = await (await fixture([tool])).call();
    expect(observation).toMatchObject({ outcome: "ERROR", code: "INTERNAL_ERROR" });
    expect(JSON.stringify(observation)).not.toContain("password");
  });

  it("takes previous_evaluation out of the request before the tool reads it", async () => {
    let lines = 0;
    const tool = answering(async () => {
      lines += 1;
      return { lines: [`line ${lines}`] };
    });
    const { call, run } = await fixture([tool]);
    await call();
    expect((await run.progress()).noGain).toBe(0);
    const { observation } = await call({ service: "b", previous_evaluation: { verdict: "NO_GAIN" } });
    expect(observation.outcome).toBe("OK");
    await call({ service: "c", previous_evaluation: { verdict: "NO_GAIN" } });
    const bad = await call({ service: "d", previous_evaluation: { verdict: "MAYBE" } });
    expect(bad.observation).toMatchObject({ code: "REQUEST_INVALID", field: "previous_evaluation.verdict" });
    expect((await run.progress()).batches).toBe(4);
  });

  it("is charged and audited with its bytes when its previous_evaluation is wrong", async () => {
    const { call, rows, run } = await fixture();
    const request = { service: "a", previous_evaluation: { verdict: "MAYBE" } };
    const { control } = await call(request);
    const bytes = JSON.stringify(request).length;
    expect(control).toMatchObject({ code: "REQUEST_INVALID", requestBytes: bytes });
    expect(control.remaining.requestBytes).toBe(256 * 1024 - bytes);
    expect(await rows()).toMatchObject([{ run_id: run.runId, input_params: { request_bytes: bytes } }]);
  });

  it("is charged and audited when it recalls what is not there, without the words of the model", async () => {
    const { call, rows, run } = await fixture();
    await call();
    const before = (await run.progress()).noGain;
    const { observation, control } = await run.recall("hunter2-secret");
    expect(observation).toMatchObject({ outcome: "REFUSED", code: "OBSERVATION_NOT_FOUND" });
    expect(control.remaining.requestBytes).toBeLessThan(256 * 1024 - "hunter2-secret".length);
    expect((await run.progress()).noGain).toBe(before);
    await run.stop("done");
    expect((await run.recall("c1")).observation).toMatchObject({ code: "RUN_NOT_ACTIVE" });
    const audited = await rows();
    expect(audited.map((row) => [row.tool_name, row.error_message])).toEqual([
      ["query_lines", null],
      ["recall_observation", "OBSERVATION_NOT_FOUND"],
      ["recall_observation", "RUN_NOT_ACTIVE"],
    ]);
    expect(JSON.stringify(audited)).not.toContain("hunter2");
  });

  it("never turns a held-back secret back, and an alias only where it is a whole filter", async () => {
    const seen: unknown[] = [];
    const tool = linesTool({
      aliasFields: ["service"],
      execute: async (request) => {
        seen.push(request);
        return { lines: ["from 10.20.30.40: refused"] };
      },
    });
    const { call } = await fixture([tool], { limits: { noGain: 100 } });
    const { observation } = await call({ service: "a" });
    const text = observation.outcome === "OK" ? (observation.items[0]?.text ?? "") : "";
    const alias = /\[\[ip:[a-z2-7]+\]\]/.exec(text)?.[0] ?? "";
    expect(alias).not.toBe("");
    expect((await call({ service: "[[secret:password]]" })).observation).toMatchObject({
      code: "PLACEHOLDER_IN_REQUEST",
      field: "service",
    });
    expect((await call({ service: `x${alias}` })).observation).toMatchObject({ code: "ALIAS_POSITION" });
    expect((await call({ service: "a", keyword: alias })).observation).toMatchObject({ code: "ALIAS_POSITION" });
    expect((await call({ service: "[[ip:abcdefgh2]]" })).observation).toMatchObject({ code: "ALIAS_UNKNOWN" });
    const resolved = await call({ service: alias });
    expect(seen.at(-1)).toEqual({ service: "10.20.30.40" });
    expect(resolved.observation).toMatchObject({ outcome: "OK", scope: { service: alias } });
    expect(JSON.stringify(resolved.observation)).not.toContain("10.20.30.40");
  });

  it("answers a call that is no call at all", async () => {
    const { run, harness } = await fixture();
    for (const call of [null, undefined, 7, "call"]) {
      const { observation } = await run.call(call as never);
      expect(observation).toMatchObject({ outcome: "REFUSED", code: "ENVELOPE_INVALID" });
    }
    const { observation } = await harness.call(run, null as never, null as never);
    expect(observation).toMatchObject({ outcome: "REFUSED", code: "ENVELOPE_INVALID" });
  });

  it("rejects for a run that the store does not know, or that belongs to somebody else", async () => {
    const { harness, run } = await fixture([linesTool()], {}, { principal: "alice" });
    const envelope = { run_id: run.runId, tool_call_id: "c1", tool_name: "query_lines", request: { service: "a" } };
    const unknown = { ...envelope, run_id: "run-x" };
    await expect(harness.call({ runId: "run-x" }, unknown)).rejects.toThrow(BoundaryError);
    await expect(harness.call({ runId: run.runId, principal: "bob" }, envelope)).rejects.toThrow(BoundaryError);
    await expect(harness.call({ runId: run.runId }, envelope)).rejects.toThrow(BoundaryError);
    expect((await harness.call({ runId: run.runId, principal: "alice" }, envelope)).observation.outcome).toBe("OK");
  });
});
