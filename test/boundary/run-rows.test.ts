import { describe, expect, it } from "vitest";
import type { DiagnosisRunRow } from "../../src/audit/audit.ts";
import { RunRows } from "../../src/boundary/run-rows.ts";
import { ListSink } from "./fixture.ts";

const row = (runId: string, status = "ACTIVE"): DiagnosisRunRow => ({
  run_id: runId,
  session_id: "session-1",
  status,
  stop_reason: null,
  call_count: 0,
  claim_count: null,
  verdict: null,
  started_at: "2026-03-01 08:00:00",
  ended_at: null,
});

const made = (recordRun?: (row: DiagnosisRunRow) => Promise<void>) => {
  const sink = new ListSink();
  if (recordRun !== undefined) sink.recordRun = recordRun as ListSink["recordRun"];
  const reported: string[] = [];
  return { sink, reported, rows: new RunRows(sink, (code) => reported.push(code)) };
};

describe("rows of runs", () => {
  it("are written with their latest state only", async () => {
    const { sink, rows } = made();
    rows.put(row("run-1"));
    rows.put(row("run-1", "COMPLETED"));
    await rows.close(1_000);
    expect(sink.runs).toEqual([row("run-1", "COMPLETED")]);
  });

  it("are written when they are put while another is, or right after it", async () => {
    const written: string[] = [];
    const { rows } = made(async ({ run_id }) => {
      written.push(run_id);
      if (run_id === "run-1") rows.put(row("run-2"));
      if (run_id === "run-2") queueMicrotask(() => queueMicrotask(() => rows.put(row("run-3"))));
    });
    rows.put(row("run-1"));
    await expect.poll(() => written).toEqual(["run-1", "run-2", "run-3"]);
    await rows.close(1_000);
  });

  it("stay when the sink fails, with a report, and are written by a later try", async () => {
    let failures = 1;
    const written: DiagnosisRunRow[] = [];
    const { rows, reported } = made(async (one) => {
      failures -= 1;
      if (failures >= 0) throw new Error("password=hunter2");
      written.push(one);
    });
    rows.put(row("run-1"));
    await expect.poll(() => reported).toEqual(["AUDIT_FAILED"]);
    await rows.close(1_000);
    expect(written).toEqual([row("run-1")]);
  });

  it("do not hold up a close beyond its time when the sink hangs", async () => {
    const { rows } = made(() => new Promise(() => undefined));
    rows.put(row("run-1"));
    const before = performance.now();
    await rows.close(50);
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});
