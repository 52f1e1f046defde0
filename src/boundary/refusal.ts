import { randomUUID } from "node:crypto";
import { NOTHING } from "../model/budget.ts";
import type { BoundaryErrorCode } from "../model/errors.ts";
import type { JsonValue } from "../model/json.ts";
import type { RunState } from "../model/run.ts";
import { refuseCall } from "../progress/progress-projector.ts";
import { type ProgressState, readProgress } from "../progress/state.ts";
import type { Refuse, RefuseResult } from "../store/store.ts";
import { type CallAnswer, callView, controlOf, refusedObservation } from "./answer.ts";
import { auditEvent } from "./event.ts";
import type { RunLedger } from "./ledger.ts";
import type { BoundaryParts } from "./parts.ts";
import type { Asked } from "./preflight.ts";

/** Why a call is answered without executing. */
export interface Refusal {
  readonly code: BoundaryErrorCode;
  readonly field?: string | undefined;
  /** The earlier call that answers it. */
  readonly sameAs?: string | undefined;
  readonly identity?: string | undefined;
}

/** The circumstances of one call that are not the model's. */
export interface CallFrame {
  readonly startedAt: number;
  readonly turn: string | null;
  readonly stepId: number | null;
}

/** The store operation of a refusal: it charges the request, moves progress and appends the audit event in one step. */
export function refuseOperation(
  parts: BoundaryParts,
  run: RunState,
  asked: Asked,
  frame: CallFrame,
  code: BoundaryErrorCode,
  progress: ProgressState,
  attempt: string,
): Refuse {
  const { toolCallId, toolName, requestBytes } = asked;
  const event = auditEvent(run, {
    toolCallId,
    toolName,
    requestBytes,
    status: "REFUSED",
    errorCode: code,
    evidenceStatus: null,
    agentResultBytes: null,
    truncated: null,
    measures: {},
    stepId: frame.stepId,
    startedAt: frame.startedAt,
    endedAt: parts.clock(),
  });
  return {
    runId: run.runId,
    attempt,
    revision: run.revision,
    progress: toStored(progress),
    // one request that is much too large costs what the largest allowed one does: it must not cost the run
    charge: { ...NOTHING, requestBytes: Math.min(requestBytes, parts.limits.call.requestBytes) },
    event,
  };
}

/** Progress state is plain JSON by construction. */
export function toStored(progress: ProgressState): JsonValue {
  return progress as unknown as JsonValue;
}

/** Answers a call that will not be executed, and records that it was refused. */
export async function refuse(
  parts: BoundaryParts,
  ledger: RunLedger,
  asked: Asked,
  frame: CallFrame,
  refusal: Refusal,
): Promise<CallAnswer> {
  const attempt = randomUUID();
  await ledger.change<RefuseResult>((run) => {
    const state = refuseCall(readProgress(run.progress), progressCall(asked, frame, parts.clock()), parts.progress);
    return parts.store.refuse(refuseOperation(parts, run, asked, frame, refusal.code, state, attempt));
  });
  return refusedAnswer(parts, ledger.run, asked, frame, refusal);
}

/** The answer alone: for a refusal that is already recorded, or that cannot be. */
export function refusedAnswer(
  parts: BoundaryParts,
  run: RunState,
  asked: Asked,
  frame: CallFrame,
  refusal: Refusal,
): CallAnswer {
  const { code, field, sameAs } = refusal;
  const view = callView(asked, frame.startedAt, parts.clock());
  const control = controlOf(parts, run, { ...view, code, sameAs: sameAs ?? null, identity: refusal.identity ?? null });
  return { observation: refusedObservation(parts, run, asked, code, { field, sameAs }), control };
}

export function progressCall(asked: Asked, frame: CallFrame, now: number): Parameters<typeof refuseCall>[1] {
  return {
    callId: asked.toolCallId,
    toolName: asked.toolName,
    now,
    ...(asked.evaluation === null ? {} : { evaluation: asked.evaluation }),
    ...(frame.turn === null ? {} : { turn: frame.turn }),
  };
}
