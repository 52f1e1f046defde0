import type { AuditEvent } from "../model/audit-event.ts";
import { isBoundaryErrorCode } from "../model/errors.ts";
import { isCallId, isOwnId, shownCallId } from "../model/ids.ts";
import type { RetrievalDetails, ToolInvocationRow } from "./audit.ts";

const INT_MAX = 2_147_483_647;
const FIRST_TIME = Date.UTC(1970, 0, 1);
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * The one mapping from what the audit learns to what it stores. Total: every event gives a row that fits the table, since a
 * row the database refuses would hold up all that follow it. A field that is not of its own closed form is replaced, never
 * copied, so that no text of a request or a backend can pass.
 */
export function toRow(event: AuditEvent): ToolInvocationRow {
  const callId = callIdOf(event.toolCallId);
  const status = oneOf(["READY", "ERROR", "REFUSED"], event.status) ?? "ERROR";
  const evidence = oneOf(["EVIDENCE_FOUND", "NO_EVIDENCE", "ERROR"], event.evidenceStatus);
  const code = codeOf(event.errorCode);
  return {
    session_id: ownIdOr(event.sessionId, "INVALID"),
    run_id: ownIdOr(event.runId, "INVALID"),
    step_id: isCount(event.stepId) ? event.stepId : null,
    tool_name: ownIdOr(event.toolName, "UNKNOWN"),
    input_params: { tool_call_id: callId, request_bytes: toInt(event.requestBytes) ?? 0 },
    output_preview: JSON.stringify({ status, evidence_status: evidence }),
    output_length: toInt(event.agentResultBytes),
    retrieval_layer: "HARNESS",
    l0_match_count: toInt(event.l0MatchCount),
    l1_match_count: toInt(event.l1MatchCount),
    is_truncated: typeof event.truncated === "boolean" ? event.truncated : null,
    relevance_level: evidence,
    dedup_reason: null,
    retrieval_details: detailsOf(callId, status, evidence, toInt(event.agentResultBytes), code),
    duration_ms: toInt(event.durationMs),
    success: status === "READY",
    error_message: code,
    created_at: toDatetime(event.at),
  };
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, truncated: servers disagree on whether a fraction is rounded. */
export function toDatetime(at: number): string {
  const time = Number.isFinite(at) ? Math.min(Math.max(at, FIRST_TIME), LAST_TIME) : FIRST_TIME;
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}

function detailsOf(
  callId: string,
  status: string,
  evidence: string | null,
  bytes: number | null,
  code: string | null,
): RetrievalDetails {
  const details = { tool_call_id: callId, status, evidence_status: evidence, agent_result_bytes: bytes };
  return code === null ? details : { ...details, error_code: code };
}

function ownIdOr(value: unknown, otherwise: string): string {
  return isOwnId(value) ? value : otherwise;
}

function callIdOf(value: unknown): string {
  return isCallId(value) ? shownCallId(value) : "INVALID";
}

function codeOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return isBoundaryErrorCode(value) ? value : "INTERNAL_ERROR";
}

function oneOf<T extends string>(words: readonly T[], value: unknown): T | null {
  return words.find((word) => word === value) ?? null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Whole, not negative and within the column's INT; a larger amount is shown as the largest. */
function toInt(value: number | null): number | null {
  if (typeof value !== "number" || Number.isNaN(value)) return null;
  return Math.round(Math.min(Math.max(value, 0), INT_MAX));
}
