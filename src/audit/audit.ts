import type { OutboxPosition } from "../model/audit-event.ts";

/** One row of `tool_invocation`, column for column; JSON columns as values. `id` is given by the database. */
export interface ToolInvocationRow {
  readonly session_id: string;
  readonly run_id: string | null;
  readonly step_id: number | null;
  readonly tool_name: string;
  readonly input_params: { readonly tool_call_id: string; readonly request_bytes: number };
  readonly output_preview: string | null;
  readonly output_length: number | null;
  readonly retrieval_layer: string | null;
  readonly l0_match_count: number | null;
  readonly l1_match_count: number | null;
  readonly is_truncated: boolean | null;
  readonly relevance_level: string | null;
  readonly dedup_reason: string | null;
  readonly retrieval_details: RetrievalDetails | null;
  readonly duration_ms: number | null;
  readonly success: boolean | null;
  readonly error_message: string | null;
  /** `YYYY-MM-DD HH:MM:SS`, UTC, truncated to seconds. */
  readonly created_at: string;
}

export interface RetrievalDetails {
  readonly tool_call_id: string;
  readonly status: string;
  readonly evidence_status: string | null;
  readonly agent_result_bytes: number | null;
  readonly error_code?: string;
}

export interface StoredToolInvocationRow extends ToolInvocationRow {
  readonly id: number;
}

/** A run's row: metadata only. Times as in `created_at`. */
export interface DiagnosisRunRow {
  readonly run_id: string;
  readonly session_id: string;
  readonly status: string;
  readonly stop_reason: string | null;
  readonly call_count: number | null;
  readonly claim_count: number | null;
  readonly verdict: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
}

export interface AgentStepRow {
  readonly run_id: string;
  readonly ordinal: number;
  readonly kind: string;
  readonly created_at: string;
}

export interface AuditQuery {
  readonly runId?: string;
  readonly sessionId?: string;
  readonly toolName?: string;
  /** Rows with a larger id only; for following. */
  readonly afterId?: number;
  /** Newest first unless `afterId` is given. Default 100, at most 10,000. */
  readonly limit?: number;
}

/**
 * Where the drainer writes. `record` stores rows and position in one transaction and ignores rows at or before the position it
 * has already stored for that partition and epoch, so that a repeated batch is written once.
 */
export interface AuditSink {
  record(rows: readonly ToolInvocationRow[], position?: OutboxPosition): Promise<void>;
  list(query: AuditQuery): Promise<readonly StoredToolInvocationRow[]>;
  /** Inserts the run's row, or brings it up to date. */
  recordRun(row: DiagnosisRunRow): Promise<void>;
  recordStep(row: AgentStepRow): Promise<void>;
  close(): Promise<void>;
}

/** How much of the audit there is of one tool, by outcome. */
export interface AuditToolStats {
  readonly tool_name: string;
  readonly evidence_found: number;
  readonly no_evidence: number;
  readonly error: number;
  readonly refused: number;
}

/** A summary of all stored rows. */
export interface AuditStats {
  readonly rows: number;
  /** `created_at` of the oldest and the newest row; null where there is none. */
  readonly first: string | null;
  readonly last: string | null;
  readonly tools: readonly AuditToolStats[];
  /** How often each code stands in `error_message`, the most frequent first. */
  readonly codes: readonly { readonly code: string; readonly rows: number }[];
}

/** A sink over a database of ours, with what an operator does to it apart from any call. */
export interface AuditArchive extends AuditSink {
  /**
   * Deletes calls, steps and runs from before `before` (`YYYY-MM-DD HH:MM:SS`, UTC), in transactions that touch at most
   * `batchSize` rows, so that no call's row waits long. Gives how many calls were deleted.
   */
  prune(before: string, batchSize: number): Promise<number>;
  stats(): Promise<AuditStats>;
}
