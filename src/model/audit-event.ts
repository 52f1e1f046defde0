import type { BoundaryErrorCode } from "./errors.ts";
import type { EvidenceStatus } from "./evidence.ts";

/** What the audit learns of one call. Metadata only: it has no field that could hold a request, a result or a backend's text. */
export interface AuditEvent {
  readonly sessionId: string;
  readonly runId: string;
  readonly stepId: number | null;
  /** `UNKNOWN` where the model named a tool that does not exist. */
  readonly toolName: string;
  /** As `shownCallId` gives it; `INVALID` where the id was not usable. */
  readonly toolCallId: string;
  readonly requestBytes: number;
  readonly status: "READY" | "ERROR" | "REFUSED";
  readonly evidenceStatus: EvidenceStatus | "ERROR" | null;
  readonly errorCode: BoundaryErrorCode | null;
  readonly agentResultBytes: number | null;
  readonly truncated: boolean | null;
  readonly l0MatchCount: number | null;
  readonly l1MatchCount: number | null;
  readonly durationMs: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A place in one partition of the outbox. An epoch names one life of the outbox: after a loss of data a new one begins.
 * Sequence numbers are consecutive within an epoch. */
export interface OutboxPosition {
  readonly partition: number;
  readonly epoch: string;
  readonly sequence: number;
}

/** Consecutive events of one partition; `position` is that of the last. */
export interface OutboxBatch {
  readonly position: OutboxPosition;
  readonly events: readonly AuditEvent[];
  /** Whether further events of the partition wait behind these: the limit cut them off, or another epoch begins there. */
  readonly more: boolean;
}
