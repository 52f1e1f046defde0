import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentStepRow, AuditSink, DiagnosisRunRow, ToolInvocationRow } from "../audit/audit.ts";

/** One empty audit database; every `open` gives another sink on it. */
export interface AuditFixture {
  open(): Promise<AuditSink>;
  /** Removes the database; the sinks are closed before. */
  dispose(): Promise<void>;
}

/** What every audit sink promises, as a vitest suite for the authors of drivers. */
export function describeAudit(name: string, makeFixture: () => Promise<AuditFixture>): void {
  describe(name, () => {
    let fixture: AuditFixture;
    let sinks: AuditSink[];
    const open = async (): Promise<AuditSink> => {
      const sink = await fixture.open();
      sinks.push(sink);
      return sink;
    };
    beforeEach(async () => {
      fixture = await makeFixture();
      sinks = [];
    });
    afterEach(async () => {
      for (const sink of sinks) await sink.close();
      await fixture.dispose();
    });

    describeRows(open);
    describePositions(open);
    describeQueries(open);
    describeRelatedTables(open);
  });
}

type Open = () => Promise<AuditSink>;

function describeRows(open: Open): void {
  it("gives back every column of a row as it was written", async () => {
    const sink = await open();
    const full = auditRow({ step_id: 7, l0_match_count: 2, l1_match_count: 5, is_truncated: true });
    const refusal = auditRow({
      run_id: null,
      output_preview: null,
      output_length: null,
      is_truncated: null,
      relevance_level: null,
      retrieval_details: {
        tool_call_id: "c2",
        status: "REFUSED",
        evidence_status: null,
        agent_result_bytes: null,
        error_code: "STOP_REQUIRED",
      },
      success: false,
      error_message: "STOP_REQUIRED",
    });
    await sink.record([full, refusal]);
    const stored = await sink.list({ afterId: 0 });
    expect(stored.map(({ id: _id, ...row }) => row)).toEqual([full, refusal]);
  });

  it("writes all rows of a batch or none of them", async () => {
    const sink = await open();
    const bad = { ...auditRow({}), session_id: null as unknown as string };
    await expect(sink.record([auditRow({}), bad], position(2))).rejects.toMatchObject({ code: "AUDIT_FAILED" });
    expect(await sink.list({})).toEqual([]);
    await sink.record([auditRow({}), auditRow({})], position(2));
    expect(await sink.list({})).toHaveLength(2);
  });

  it("says nothing of a row's values when it cannot be written", async () => {
    const sink = await open();
    const bad = { ...auditRow({ tool_name: "hunter2-in-a-name" }), created_at: null as unknown as string };
    const failure = await sink.record([bad]).then(
      () => "written",
      (error: Error) => `${error.message} ${String(error.cause)} ${error.stack}`,
    );
    expect(failure).not.toContain("hunter2");
    expect(failure).not.toMatch(/insert|NOT NULL/);
  });

  it("keeps rows of more than one statement in order", async () => {
    const sink = await open();
    const rows = Array.from({ length: 321 }, (_, i) => auditRow({ duration_ms: i }));
    await sink.record(rows, position(321));
    expect((await sink.list({ afterId: 0, limit: 1_000 })).map((row) => row.duration_ms)).toEqual([...rows.keys()]);
  });

  it("tells ids apart that differ in case only", async () => {
    const sink = await open();
    await sink.record([auditRow({ run_id: "Run-A" }), auditRow({ run_id: "run-a" })]);
    expect(await sink.list({ runId: "run-a" })).toHaveLength(1);
  });
}

function describePositions(open: Open): void {
  it("writes a batch once, however often it is repeated", async () => {
    const sink = await open();
    const rows = [auditRow({ duration_ms: 1 }), auditRow({ duration_ms: 2 })];
    for (let i = 0; i < 3; i += 1) await sink.record(rows, position(2));
    expect(await sink.list({})).toHaveLength(2);
  });

  it("writes only what lies beyond the stored position when a longer batch repeats it", async () => {
    const sink = await open();
    const rows = [1, 2, 3, 4].map((n) => auditRow({ duration_ms: n }));
    await sink.record(rows.slice(0, 2), position(2));
    await sink.record(rows, position(4));
    await sink.record(rows.slice(1, 3), position(3));
    expect((await sink.list({ afterId: 0 })).map((row) => row.duration_ms)).toEqual([1, 2, 3, 4]);
  });

  it("writes all rows of a batch that begins beyond the stored position", async () => {
    const sink = await open();
    await sink.record([auditRow({ duration_ms: 1 })], position(1));
    await sink.record([auditRow({ duration_ms: 8 }), auditRow({ duration_ms: 9 })], position(9));
    expect((await sink.list({ afterId: 0 })).map((row) => row.duration_ms)).toEqual([1, 8, 9]);
  });

  it("counts partitions and epochs apart", async () => {
    const sink = await open();
    await sink.record([auditRow({})], { partition: 0, epoch: "a", sequence: 5 });
    await sink.record([auditRow({})], { partition: 1, epoch: "a", sequence: 1 });
    await sink.record([auditRow({})], { partition: 0, epoch: "b", sequence: 1 });
    expect(await sink.list({})).toHaveLength(3);
  });

  it("remembers the position across a restart", async () => {
    const first = await open();
    await first.record([auditRow({}), auditRow({})], position(2));
    const second = await open();
    await second.record([auditRow({}), auditRow({})], position(2));
    expect(await second.list({})).toHaveLength(2);
  });

  it("writes each row once when two sinks drain the same outbox at the same time", async () => {
    const both = [await open(), await open()];
    const rows = Array.from({ length: 120 }, (_, i) => auditRow({ duration_ms: i }));
    const drainAll = async (sink: AuditSink, size: number): Promise<void> => {
      for (let start = 0; start < rows.length; start += size) {
        const batch = rows.slice(start, start + size);
        await sink.record(batch, position(start + batch.length));
      }
    };
    await Promise.all(both.map((sink, i) => drainAll(sink, 7 + i * 4)));
    const stored = await both[0]?.list({ afterId: 0, limit: 1_000 });
    expect(stored?.map((row) => row.duration_ms)).toEqual([...rows.keys()]);
  });
}

function describeQueries(open: Open): void {
  it("lists the newest first, and from an id onwards the oldest first", async () => {
    const sink = await open();
    await sink.record([1, 2, 3, 4].map((n) => auditRow({ duration_ms: n })));
    expect((await sink.list({ limit: 2 })).map((row) => row.duration_ms)).toEqual([4, 3]);
    const [first] = await sink.list({ afterId: 0, limit: 1 });
    const rest = await sink.list({ afterId: first?.id ?? -1, limit: 2 });
    expect(rest.map((row) => row.duration_ms)).toEqual([2, 3]);
  });

  it("finds rows by run, session and tool together", async () => {
    const sink = await open();
    await sink.record([
      auditRow({ run_id: "r1", session_id: "s1", tool_name: "query_logs" }),
      auditRow({ run_id: "r1", session_id: "s1", tool_name: "query_mysql" }),
      auditRow({ run_id: "r2", session_id: "s1", tool_name: "query_logs" }),
      auditRow({ run_id: "r1", session_id: "s2", tool_name: "query_logs" }),
    ]);
    expect(await sink.list({ runId: "r1" })).toHaveLength(3);
    expect(await sink.list({ runId: "r1", sessionId: "s1", toolName: "query_logs" })).toHaveLength(1);
    expect(await sink.list({ runId: "r3" })).toEqual([]);
  });
}

function describeRelatedTables(open: Open): void {
  it("inserts a run's row and brings it up to date", async () => {
    const sink = await open();
    await sink.recordRun(runRow({}));
    await sink.recordRun(runRow({ status: "COMPLETED", verdict: "PASS", ended_at: "2026-03-12 03:00:00" }));
    await sink.recordRun(runRow({ run_id: "r2" }));
  });

  it("takes a step that is recorded again as the same step", async () => {
    const sink = await open();
    const step: AgentStepRow = { run_id: "r1", ordinal: 1, kind: "tool_calls", created_at: "2026-03-12 02:00:00" };
    await sink.recordStep(step);
    await sink.recordStep(step);
  });
}

function position(sequence: number): { partition: number; epoch: string; sequence: number } {
  return { partition: 3, epoch: "epoch-1", sequence };
}

/** A row as a READY call writes it, with the given columns changed. */
export function auditRow(changes: Partial<ToolInvocationRow>): ToolInvocationRow {
  return {
    session_id: "s1",
    run_id: "r1",
    step_id: null,
    tool_name: "query_logs",
    input_params: { tool_call_id: "c1", request_bytes: 120 },
    output_preview: '{"status":"READY","evidence_status":"EVIDENCE_FOUND"}',
    output_length: 2_048,
    retrieval_layer: "HARNESS",
    l0_match_count: null,
    l1_match_count: null,
    is_truncated: false,
    relevance_level: "EVIDENCE_FOUND",
    dedup_reason: null,
    retrieval_details: {
      tool_call_id: "c1",
      status: "READY",
      evidence_status: "EVIDENCE_FOUND",
      agent_result_bytes: 2_048,
    },
    duration_ms: 12,
    success: true,
    error_message: null,
    created_at: "2026-03-12 02:14:05",
    ...changes,
  };
}

function runRow(changes: Partial<DiagnosisRunRow>): DiagnosisRunRow {
  return {
    run_id: "r1",
    session_id: "s1",
    status: "ACTIVE",
    stop_reason: null,
    call_count: 3,
    claim_count: null,
    verdict: null,
    started_at: "2026-03-12 02:00:00",
    ended_at: null,
    ...changes,
  };
}
