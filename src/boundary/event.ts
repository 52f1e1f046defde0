import type { AuditEvent } from "../model/audit-event.ts";
import type { BoundaryErrorCode } from "../model/errors.ts";
import type { EvidenceStatus } from "../model/evidence.ts";
import type { RunContext } from "../model/run.ts";
import type { Measures } from "../tools/tool.ts";

/** What of a call's end goes into the audit: metadata only. */
export interface CallEnd {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly requestBytes: number;
  readonly stepId: number | null;
  readonly status: "READY" | "ERROR" | "REFUSED";
  readonly evidenceStatus: EvidenceStatus | "ERROR" | null;
  readonly errorCode: BoundaryErrorCode | null;
  readonly agentResultBytes: number | null;
  readonly truncated: boolean | null;
  readonly measures: Measures;
  readonly startedAt: number;
  readonly endedAt: number;
}

export function auditEvent(run: Pick<RunContext, "runId" | "sessionId">, end: CallEnd): AuditEvent {
  const { measures, startedAt, endedAt, ...rest } = end;
  return {
    ...rest,
    sessionId: run.sessionId,
    runId: run.runId,
    l0MatchCount: measures.l0MatchCount ?? null,
    l1MatchCount: measures.l1MatchCount ?? null,
    durationMs: Math.max(0, Math.round(endedAt - startedAt)),
    at: endedAt,
  };
}
