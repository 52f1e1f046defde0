import { randomUUID } from "node:crypto";
import { shownCallId } from "../model/ids.ts";
import type { Settled } from "../model/invocation.ts";
import type { RunState } from "../model/run.ts";
import { complete } from "../progress/progress-projector.ts";
import { readProgress } from "../progress/state.ts";
import type { SettleResult } from "../store/store.ts";
import { type DeniedObservation, denied, type Observation } from "../views/observation.ts";
import { type CallAnswer, callView, controlOf } from "./answer.ts";
import type { Begun } from "./begin.ts";
import { type Ending, endOf, failedEnding } from "./ending.ts";
import { auditEvent, type CallEnd } from "./event.ts";
import type { RunLedger } from "./ledger.ts";
import type { BoundaryParts } from "./parts.ts";
import type { Checked } from "./preflight.ts";
import { type CallFrame, toStored } from "./refusal.ts";
import { observeWithLegend } from "./show.ts";

type Stored = Exclude<SettleResult, { kind: "stale" }>;

/** Ends a call that has begun. No observation of evidence leaves before its record is stored as READY. */
export async function finish(
  parts: BoundaryParts,
  ledger: RunLedger,
  checked: Checked,
  begun: Begun,
  frame: CallFrame,
): Promise<CallAnswer> {
  const ending = await endOf(parts, () => ledger.run, checked, begun);
  const stored = await settle(parts, ledger, ending, frame);
  if (stored.kind === "settled") return answerOf(parts, ledger.run, checked, ending, frame);
  // no room for the record, or it was given up meanwhile: then there is no evidence, whatever was read
  const code = stored.kind === "full" ? "STORE_FULL" : "ABANDONED";
  const failed = failedEnding(begun, code, ending.spent.rawBytes, parts.clock());
  if (stored.kind === "full") await settle(parts, ledger, failed, frame);
  return answerOf(parts, ledger.run, checked, failed, frame);
}

async function settle(parts: BoundaryParts, ledger: RunLedger, ending: Ending, frame: CallFrame): Promise<Stored> {
  const attempt = randomUUID();
  const { record, spent, learned, outcome } = ending;
  return await ledger.change<Stored>((run) => {
    const now = parts.clock();
    const completed = { callId: shownCallId(record.toolCallId), now, outcome };
    const progress = toStored(complete(readProgress(run.progress), completed, parts.progress));
    const event = auditEvent(run, callEnd(ending, frame, now));
    return parts.store.settle({ record, spent, learned, progress, revision: run.revision, attempt, event });
  });
}

function callEnd(ending: Ending, frame: CallFrame, endedAt: number): CallEnd {
  const { record, measures, agentResultBytes } = ending;
  const { startedAt, stepId } = frame;
  const ready = record.status === "READY";
  return {
    toolCallId: shownCallId(record.toolCallId),
    toolName: record.toolName,
    requestBytes: record.requestBytes,
    status: record.status,
    evidenceStatus: record.evidence,
    errorCode: ready ? null : record.code,
    agentResultBytes: ready ? agentResultBytes : null,
    truncated: ready ? record.agentResult.truncated : null,
    measures,
    stepId,
    startedAt,
    endedAt,
  };
}

function answerOf(parts: BoundaryParts, run: RunState, checked: Checked, ending: Ending, frame: CallFrame): CallAnswer {
  const { record, measures, spent, agentResultBytes, heldBack } = ending;
  const ready = record.status === "READY";
  const control = controlOf(parts, run, {
    ...callView(checked, frame.startedAt, parts.clock(), measures),
    decision: "EXECUTED",
    code: ready ? null : record.code,
    evidenceStatus: record.evidence,
    truncated: ready ? record.agentResult.truncated : null,
    identity: record.identity,
    returnedCount: ready ? (measures.returnedCount ?? record.agentResult.items.length) : null,
    rawBytes: spent.rawBytes,
    agentResultBytes,
    heldBack,
  });
  return { observation: observationOf(record, ending.field), control };
}

function observationOf(record: Settled, field: string | undefined): Observation {
  return record.status === "READY" ? observeWithLegend(record) : failedObservation(record, field);
}

function failedObservation(
  record: Exclude<Settled, { status: "READY" }>,
  field: string | undefined,
): DeniedObservation {
  return denied("ERROR", shownCallId(record.toolCallId), record.toolName, record.code, { field });
}
