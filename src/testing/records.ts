import type { AuditEvent } from "../model/audit-event.ts";
import type { Amounts } from "../model/budget.ts";
import { shownCallId } from "../model/ids.ts";
import { markError, markReady, type Projecting, type Ready, type Settled } from "../model/invocation.ts";
import { EMPTY_MEMORY } from "../model/memory.ts";
import type { RunState } from "../model/run.ts";
import type { Begin, NewRun, Refuse, Settle } from "../store/store.ts";

/** Small, real-looking input for store tests. Every part can be overridden. */

export const AMOUNTS: Amounts = { calls: 5, requestBytes: 10_000, rawBytes: 100_000, projectionBytes: 50_000 };
export const WANTED: Amounts = { calls: 1, requestBytes: 100, rawBytes: 1_000, projectionBytes: 500 };

export function aRun(overrides: Partial<NewRun> = {}): NewRun {
  return {
    runId: "run-1",
    sessionId: "session-1",
    principal: null,
    grants: null,
    openedAt: 1_000,
    lifetimeMs: 60_000,
    keepMs: 60_000,
    limits: AMOUNTS,
    progress: { step: 0 },
    salt: "00ff",
    ...overrides,
  };
}

export function aRecord(overrides: Partial<Projecting> = {}): Projecting {
  return {
    runId: "run-1",
    toolCallId: "call-1",
    toolName: "query_logs",
    request: { keywords: ["timeout"] },
    requestBytes: 100,
    scope: { service: "checkout" },
    identity: "logs:checkout:timeout",
    createdAt: 2_000,
    expiresAt: 32_000,
    deadlineAt: 12_000,
    status: "PROJECTING",
    evidence: null,
    ...overrides,
  };
}

export function aBegin(run: Pick<RunState, "revision">, overrides: Partial<Begin> = {}): Begin {
  const record = overrides.record ?? aRecord();
  return {
    record,
    ttlMs: record.expiresAt - record.createdAt,
    wanted: WANTED,
    revision: run.revision,
    progress: { step: 1 },
    attempt: `begin-${record.toolCallId}`,
    ...overrides,
  };
}

export function aReady(from: Projecting = aRecord(), overrides: Partial<Ready> = {}): Ready {
  const outcome = {
    evidence: "EVIDENCE_FOUND",
    raw: '{"lines":["pool timed out"]}',
    agentResult: { items: [{ item_id: "e1", text: "pool timed out" }], truncated: false },
    derivation: {
      projectorId: "p",
      projectorVersion: "1",
      policyDigest: "d",
      maxBytes: 500,
      memory: { secrets: 0, aliases: 0 },
    },
  } as const;
  return { ...markReady(from, outcome, 3_000), ...overrides };
}

export function anError(from: Projecting = aRecord()): Settled {
  return markError(from, "BACKEND_ERROR", 3_000);
}

export function anEvent(overrides: Partial<AuditEvent> = {}): AuditEvent {
  return {
    sessionId: "session-1",
    runId: "run-1",
    stepId: null,
    toolName: "query_logs",
    toolCallId: "call-1",
    requestBytes: 100,
    status: "READY",
    evidenceStatus: "EVIDENCE_FOUND",
    errorCode: null,
    agentResultBytes: 60,
    truncated: false,
    l0MatchCount: null,
    l1MatchCount: null,
    durationMs: 12,
    at: 3_000,
    ...overrides,
  };
}

export function aSettle(run: Pick<RunState, "revision">, overrides: Partial<Settle> = {}): Settle {
  const record = overrides.record ?? aReady();
  return {
    record,
    spent: { calls: 1, requestBytes: 100, rawBytes: 28, projectionBytes: 60 },
    learned: EMPTY_MEMORY,
    revision: run.revision,
    progress: { step: 2 },
    attempt: `settle-${record.toolCallId}`,
    event: anEvent({ toolCallId: shownCallId(record.toolCallId) }),
    ...overrides,
  };
}

export function aRefusal(run: Pick<RunState, "revision">, overrides: Partial<Refuse> = {}): Refuse {
  return {
    runId: "run-1",
    charge: { calls: 0, requestBytes: 70, rawBytes: 0, projectionBytes: 0 },
    revision: run.revision,
    progress: { step: 9 },
    attempt: "refuse-1",
    event: anEvent({ status: "REFUSED", evidenceStatus: null, errorCode: "DUPLICATE", agentResultBytes: null }),
    ...overrides,
  };
}
