import { randomUUID } from "node:crypto";
import type { Amounts } from "../model/budget.ts";
import type { BoundaryErrorCode } from "../model/errors.ts";
import type { Projecting } from "../model/invocation.ts";
import type { JsonValue } from "../model/json.ts";
import type { RunMemory } from "../model/memory.ts";
import type { RunState } from "../model/run.ts";
import type { Scope } from "../model/scope.ts";
import { type Admission, admit } from "../progress/progress-projector.ts";
import { readProgress } from "../progress/state.ts";
import type { BeginResult, RefuseResult } from "../store/store.ts";
import type { RunLedger } from "./ledger.ts";
import type { BoundaryParts } from "./parts.ts";
import type { Checked } from "./preflight.ts";
import { type CallFrame, progressCall, type Refusal, refuseOperation, toStored } from "./refusal.ts";

/** A call whose record is PROJECTING and whose budgets are reserved: the backend may be asked. */
export interface Begun {
  readonly kind: "begun";
  readonly record: Projecting;
  readonly allowance: Amounts;
  /** Aliases that the shown scope gave. */
  readonly learned: RunMemory;
}

export type BeginOutcome =
  | Begun
  /** Refused and already recorded. */
  | { readonly kind: "recorded"; readonly refusal: Refusal }
  /** Refused by the store: still to be recorded. */
  | { readonly kind: "unrecorded"; readonly refusal: Refusal };

type Step =
  | { readonly kind: "began"; readonly result: Exclude<BeginResult, { kind: "stale" }>; readonly run?: RunState }
  | { readonly kind: "held"; readonly refusal: Refusal; readonly run?: RunState };

/** Asks progress, then the store, in one change of the run: no other call of this run can come between the two. */
export async function begin(
  parts: BoundaryParts,
  ledger: RunLedger,
  checked: Checked,
  frame: CallFrame,
): Promise<BeginOutcome> {
  const { scope, learned } = shownScope(parts, ledger.run, checked);
  const record = projecting(parts, ledger.run, checked, scope, frame.startedAt);
  const attempt = randomUUID();
  const step = await ledger.change<Step>(async (run) => {
    const admission = admit(readProgress(run.progress), admissionCall(parts, checked, frame, scope), parts.progress);
    if (admission.decision !== "EXECUTE") return await hold(parts, run, checked, frame, admission, attempt);
    const wanted = wantedBy(parts, checked);
    const { revision } = run;
    const progress = toStored(admission.next);
    const ttlMs = parts.limits.recordTtlMs;
    const result = await parts.store.begin({ record, wanted, revision, progress, attempt, ttlMs });
    if (result.kind === "stale") return result;
    return result.kind === "begun" ? { kind: "began", result, run: result.run } : { kind: "began", result };
  });
  if (step.kind === "held") return { kind: "recorded", refusal: step.refusal };
  if (step.result.kind === "refused") {
    if (step.result.code === "RUN_NOT_ACTIVE") await ledger.refresh();
    return { kind: "unrecorded", refusal: { code: step.result.code, identity: checked.prepared.identity } };
  }
  return { kind: "begun", record, allowance: step.result.allowance, learned };
}

const HELD_CODES = { STOP: "STOP_REQUIRED", DUPLICATE: "DUPLICATE", COVERED: "COVERED" } as const satisfies Record<
  string,
  BoundaryErrorCode
>;

async function hold(
  parts: BoundaryParts,
  run: RunState,
  checked: Checked,
  frame: CallFrame,
  admission: Exclude<Admission, { decision: "EXECUTE" }>,
  attempt: string,
): Promise<Step | { readonly kind: "stale"; readonly run: RunState }> {
  const code = HELD_CODES[admission.decision];
  const operation = refuseOperation(parts, run, checked, frame, code, admission.next, attempt);
  const result: RefuseResult = await parts.store.refuse(operation);
  if (result.kind === "stale") return result;
  const sameAs = admission.decision === "STOP" ? undefined : admission.sameAs;
  const refusal: Refusal = { code, sameAs, identity: checked.prepared.identity };
  return result.kind === "refused" ? { kind: "held", refusal, run: result.run } : { kind: "held", refusal };
}

/** The scope as the model may see it: what was put back for an alias is an alias again. */
function shownScope(parts: BoundaryParts, run: RunState, checked: Checked): { scope: Scope; learned: RunMemory } {
  const redactor = parts.redaction.redactor({ salt: run.salt, memory: run.memory });
  const scope = redactor.tree(checked.prepared.scope as JsonValue) as Scope;
  return { scope, learned: redactor.learned() };
}

function projecting(
  parts: BoundaryParts,
  run: RunState,
  checked: Checked,
  scope: Scope,
  createdAt: number,
): Projecting {
  return {
    runId: run.runId,
    toolCallId: checked.wireCallId,
    toolName: checked.tool.name,
    request: checked.request,
    requestBytes: checked.requestBytes,
    scope,
    identity: checked.prepared.identity,
    createdAt,
    expiresAt: createdAt + parts.limits.recordTtlMs,
    deadlineAt: createdAt + parts.limits.call.deadlineMs,
    status: "PROJECTING",
    evidence: null,
  };
}

function admissionCall(
  parts: BoundaryParts,
  checked: Checked,
  frame: CallFrame,
  scope: Scope,
): Parameters<typeof admit>[1] {
  return {
    ...progressCall(checked, frame, parts.clock()),
    identity: checked.prepared.identity,
    covers: checked.prepared.covers,
    scope,
    deadlineMs: parts.limits.call.deadlineMs,
  };
}

function wantedBy(parts: BoundaryParts, checked: Checked): Amounts {
  const { rawBytes, projectionBytes } = parts.limits.call;
  return { calls: 1, requestBytes: checked.requestBytes, rawBytes, projectionBytes };
}
