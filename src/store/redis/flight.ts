import type { AuditEvent } from "../../model/audit-event.ts";
import type { Amounts } from "../../model/budget.ts";
import { shownCallId } from "../../model/ids.ts";
import type { Failed, Projecting } from "../../model/invocation.ts";
import { damaged } from "./redis-failure.ts";
import { amountsOf, countOf } from "./reply.ts";

/** All that a sweep needs of a call in flight, so that it can be audited even when its record is gone. */
export interface Flight {
  readonly sessionId: string;
  readonly allowance: Amounts;
  readonly runId: string;
  readonly callKey: string;
  readonly createdAt: number;
  /** From creation to the moment from which it counts as abandoned. */
  readonly deadlineMs: number;
  readonly requestBytes: number;
  readonly toolName: string;
  readonly toolCallId: string;
}

/** The caller's part of a member of the in-flight set; the script puts session and allowance before it. */
export function encodeFlight(record: Projecting, key: string): string {
  const { runId, toolCallId, toolName, createdAt, deadlineAt, requestBytes } = record;
  const numbers = [createdAt, deadlineAt - createdAt, requestBytes].map(Math.round);
  const parts = [runId, key, ...numbers];
  return [...parts, toolName, shownCallId(toolCallId)].map(encodeURIComponent).join(" ");
}

export function decodeFlight(member: string): Flight {
  const parts = member.split(" ");
  const [sessionId, , , , , runId, key, createdAt, deadlineMs, requestBytes, toolName, toolCallId] = parts.map(decoded);
  if (parts.length !== 12 || sessionId === undefined || runId === undefined || key === undefined) throw damaged("call");
  if (toolName === undefined || toolCallId === undefined) throw damaged("call");
  return {
    sessionId,
    allowance: amountsOf(parts.slice(1, 5).join(" "), "call"),
    runId,
    callKey: key,
    createdAt: countOf(createdAt, "call"),
    deadlineMs: countOf(deadlineMs, "call"),
    requestBytes: countOf(requestBytes, "call"),
    toolName,
    toolCallId,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw damaged("call");
  }
}

/** What the record of an abandoned call becomes, and what the audit learns of it. `ageMs` is by the store's own clock. */
export function abandoned(flight: Flight, ageMs: number): { readonly outcome: string; readonly event: AuditEvent } {
  const { sessionId, runId, toolName, toolCallId, requestBytes } = flight;
  const at = flight.createdAt + ageMs;
  const end: Pick<Failed, "status" | "evidence" | "code" | "completedAt"> = {
    status: "ERROR",
    evidence: "ERROR",
    code: "ABANDONED",
    completedAt: at,
  };
  const event: AuditEvent = {
    sessionId,
    runId,
    stepId: null,
    toolName,
    toolCallId,
    requestBytes,
    status: "ERROR",
    evidenceStatus: "ERROR",
    errorCode: "ABANDONED",
    agentResultBytes: null,
    truncated: null,
    l0MatchCount: null,
    l1MatchCount: null,
    durationMs: ageMs,
    at,
  };
  return { outcome: JSON.stringify(end), event };
}
