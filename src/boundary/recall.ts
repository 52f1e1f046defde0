import { randomUUID } from "node:crypto";
import { NOTHING, subtractAmounts } from "../model/budget.ts";
import type { BoundaryErrorCode } from "../model/errors.ts";
import { isCallId, shownCallId } from "../model/ids.ts";
import type { Readable } from "../model/invocation.ts";
import { utf8Bytes } from "../model/json.ts";
import { type RunState, statusAt } from "../model/run.ts";
import { readProgress } from "../progress/state.ts";
import type { Refuse, RefuseResult } from "../store/store.ts";
import { type Observation, observeFailed } from "../views/observation.ts";
import { type CallAnswer, callView, controlOf } from "./answer.ts";
import { auditEvent } from "./event.ts";
import type { RunLedger } from "./ledger.ts";
import type { BoundaryParts } from "./parts.ts";
import type { Asked } from "./preflight.ts";
import { type CallFrame, refusedAnswer, refuseOperation } from "./refusal.ts";
import { observeWithLegend } from "./show.ts";

/** The tool name under which a recalled observation is audited. */
export const RECALL_TOOL_NAME = "recall_observation";

interface Recalled {
  readonly observation: Observation;
  readonly record: Exclude<Readable, { status: "PROJECTING" }>;
  readonly bytes: number;
}

type RecallStep =
  | Exclude<RefuseResult, { kind: "stale" }>
  | { readonly kind: "denied"; readonly code: BoundaryErrorCode };

/** Shows a stored observation of this run again. It asks no backend and moves no progress, but it spends projection budget. */
export async function recall(parts: BoundaryParts, ledger: RunLedger, toolCallId: unknown): Promise<CallAnswer> {
  const startedAt = parts.clock();
  const shown = isCallId(toolCallId) ? shownCallId(toolCallId) : "INVALID";
  const asked: Asked = { toolCallId: shown, toolName: RECALL_TOOL_NAME, requestBytes: shown.length, evaluation: null };
  const frame = { startedAt, turn: null, stepId: null };
  try {
    if (statusAt(ledger.run, startedAt) !== "ACTIVE") return await deny(parts, ledger, asked, frame, "RUN_NOT_ACTIVE");
    const recalled = isCallId(toolCallId) ? await find(parts, ledger.run, toolCallId) : null;
    if (recalled === null) return await deny(parts, ledger, asked, frame, "OBSERVATION_NOT_FOUND");
    const step = await charge(parts, ledger, asked, recalled, startedAt);
    if (step.kind !== "refused") {
      return await deny(parts, ledger, asked, frame, step.kind === "denied" ? step.code : "RUN_NOT_ACTIVE");
    }
    return shownAgain(parts, ledger.run, asked, recalled, startedAt);
  } catch {
    return refusedAnswer(parts, ledger.run, asked, frame, { code: "STORE_ERROR" });
  } finally {
    parts.nudge();
  }
}

/** Like any refusal it is charged and audited; the id is the model's own text, so the audit gets it only of a call that exists. */
async function deny(
  parts: BoundaryParts,
  ledger: RunLedger,
  asked: Asked,
  frame: CallFrame,
  code: BoundaryErrorCode,
): Promise<CallAnswer> {
  const attempt = randomUUID();
  const audited = code === "BUDGET_EXHAUSTED" ? asked : { ...asked, toolCallId: "INVALID" };
  await ledger.change<RefuseResult>((run) =>
    parts.store.refuse(refuseOperation(parts, run, audited, frame, code, readProgress(run.progress), attempt)),
  );
  return refusedAnswer(parts, ledger.run, asked, frame, { code });
}

/** A forged id, another run's and an expired one look the same. */
async function find(parts: BoundaryParts, run: RunState, toolCallId: string): Promise<Recalled | null> {
  const [found] = await parts.store.read(run.runId, [toolCallId]);
  if (found?.kind !== "found" || found.record.status === "PROJECTING") return null;
  const { record } = found;
  if (parts.clock() >= record.expiresAt) return null;
  const observation = record.status === "READY" ? observeWithLegend(record) : observeFailed(record);
  const bytes = record.status === "READY" ? utf8Bytes(JSON.stringify(record.agentResult)) : 0;
  return { observation, record, bytes };
}

async function charge(
  parts: BoundaryParts,
  ledger: RunLedger,
  asked: Asked,
  recalled: Recalled,
  startedAt: number,
): Promise<RecallStep> {
  const attempt = randomUUID();
  const { bytes } = recalled;
  return await ledger.change<RecallStep>(async (run) => {
    const left = subtractAmounts(run.budget.limits, run.budget.used);
    if (left.projectionBytes < bytes) return { kind: "denied", code: "BUDGET_EXHAUSTED" };
    const operation: Refuse = {
      runId: run.runId,
      attempt,
      revision: run.revision,
      progress: run.progress,
      charge: { ...NOTHING, requestBytes: asked.requestBytes, projectionBytes: bytes },
      event: recallEvent(run, asked, recalled, startedAt, parts.clock()),
    };
    return await parts.store.refuse(operation);
  });
}

function recallEvent(
  run: RunState,
  asked: Asked,
  { record, bytes }: Recalled,
  startedAt: number,
  endedAt: number,
): Refuse["event"] {
  const ready = record.status === "READY";
  return auditEvent(run, {
    toolCallId: asked.toolCallId,
    toolName: asked.toolName,
    requestBytes: asked.requestBytes,
    status: record.status,
    evidenceStatus: record.evidence,
    errorCode: ready ? null : record.code,
    agentResultBytes: ready ? bytes : null,
    truncated: ready ? record.agentResult.truncated : null,
    measures: {},
    stepId: null,
    startedAt,
    endedAt,
  });
}

function shownAgain(
  parts: BoundaryParts,
  run: RunState,
  asked: Asked,
  { observation, record, bytes }: Recalled,
  startedAt: number,
): CallAnswer {
  const view = callView(asked, startedAt, parts.clock());
  const ready = record.status === "READY";
  const control = controlOf(parts, run, {
    ...view,
    evidenceStatus: record.evidence,
    truncated: ready ? record.agentResult.truncated : null,
    returnedCount: ready ? record.agentResult.items.length : null,
    agentResultBytes: bytes,
  });
  return { observation, control };
}
