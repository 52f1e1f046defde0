import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toDatetime, toRow } from "../../src/audit/row.ts";
import type { AuditEvent } from "../../src/model/audit-event.ts";

const READY: AuditEvent = {
  sessionId: "s1",
  runId: "r1",
  stepId: 4,
  toolName: "lookup_knowledge",
  toolCallId: "c1",
  requestBytes: 80,
  status: "READY",
  evidenceStatus: "EVIDENCE_FOUND",
  errorCode: null,
  agentResultBytes: 900,
  truncated: false,
  l0MatchCount: 1,
  l1MatchCount: 6,
  durationMs: 15,
  at: Date.UTC(2026, 2, 12, 2, 14, 5, 987),
};

describe("toRow", () => {
  it("maps a READY call column for column", () => {
    expect(toRow(READY)).toEqual({
      session_id: "s1",
      run_id: "r1",
      step_id: 4,
      tool_name: "lookup_knowledge",
      input_params: { tool_call_id: "c1", request_bytes: 80 },
      output_preview: '{"status":"READY","evidence_status":"EVIDENCE_FOUND"}',
      output_length: 900,
      retrieval_layer: "HARNESS",
      l0_match_count: 1,
      l1_match_count: 6,
      is_truncated: false,
      relevance_level: "EVIDENCE_FOUND",
      dedup_reason: null,
      retrieval_details: {
        tool_call_id: "c1",
        status: "READY",
        evidence_status: "EVIDENCE_FOUND",
        agent_result_bytes: 900,
      },
      duration_ms: 15,
      success: true,
      error_message: null,
      created_at: "2026-03-12 02:14:05",
    });
  });

  it("writes a refusal with its code and without an evidence status", () => {
    const row = toRow({
      ...READY,
      toolName: "UNKNOWN",
      status: "REFUSED",
      evidenceStatus: null,
      errorCode: "TOOL_UNKNOWN",
      agentResultBytes: null,
      truncated: null,
      l0MatchCount: null,
      l1MatchCount: null,
    });
    expect(row).toMatchObject({
      tool_name: "UNKNOWN",
      output_preview: '{"status":"REFUSED","evidence_status":null}',
      output_length: null,
      relevance_level: null,
      success: false,
      error_message: "TOOL_UNKNOWN",
      retrieval_details: { status: "REFUSED", evidence_status: null, error_code: "TOOL_UNKNOWN" },
    });
  });

  it("hashes a call id that is too long or too free to be shown, once", () => {
    const row = toRow({ ...READY, toolCallId: "call/with=odd+characters" });
    expect(row.input_params.tool_call_id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(toRow({ ...READY, toolCallId: row.input_params.tool_call_id }).input_params).toEqual(row.input_params);
  });

  it("keeps anything that is not of a closed form out of the row, whatever field it comes in", () => {
    const hostile = fc.constantFrom(
      "password=Sup3rS3cret",
      "SELECT * FROM users",
      "ER_ACCESS_DENIED_ERROR: Access denied for user 'root'",
      "secret\0tail",
      "ещё один",
      "x".repeat(9_000),
      { nested: "Sup3rS3cret" },
      Number.NaN,
      -1,
      2 ** 60,
    );
    const fields = Object.keys(READY) as (keyof AuditEvent)[];
    fc.assert(
      fc.property(fc.subarray(fields, { minLength: 1 }), hostile, (chosen, value) => {
        const event = { ...READY, ...Object.fromEntries(chosen.map((field) => [field, value])) } as AuditEvent;
        const text = JSON.stringify(toRow(event));
        expect(text).not.toMatch(/Sup3rS3cret|SELECT|ER_ACCESS|secret|ещё|xxxx|\\u0000/);
        expect(text.length).toBeLessThan(1_200);
      }),
      { numRuns: 300 },
    );
  });

  it("gives a row that fits the table for every event", () => {
    fc.assert(
      fc.property(fc.double(), fc.integer(), fc.double(), (bytes, step, at) => {
        const row = toRow({ ...READY, agentResultBytes: bytes, stepId: step, durationMs: bytes, at });
        expect(row.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
        expect(row.duration_ms === null || (Number.isInteger(row.duration_ms) && row.duration_ms >= 0)).toBe(true);
        expect(row.duration_ms ?? 0).toBeLessThanOrEqual(2_147_483_647);
        expect(row.step_id === null || row.step_id >= 0).toBe(true);
      }),
    );
  });
});

describe("toDatetime", () => {
  it("truncates to seconds in UTC and never rounds", () => {
    expect(toDatetime(Date.UTC(2025, 11, 31, 23, 59, 59, 999))).toBe("2025-12-31 23:59:59");
  });
});
