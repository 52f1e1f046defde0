import type { BoundaryErrorCode } from "../model/errors.ts";
import { BOUNDARY_ERRORS } from "../model/errors.ts";
import { type RunState, statusAt } from "../model/run.ts";
import { snapshot } from "../progress/snapshot.ts";
import { readProgress } from "../progress/state.ts";
import type { Measures } from "../tools/tool.ts";
import { type CallView, type ControlView, controlView } from "../views/control-view.ts";
import { type CheckedScopeView, type DeniedDetails, denied, type Observation } from "../views/observation.ts";
import type { BoundaryParts } from "./parts.ts";
import type { Asked } from "./preflight.ts";

/** The two sides of one answer: what the model sees, and what the Harness decides from. */
export interface CallAnswer {
  readonly observation: Observation;
  readonly control: ControlView;
}

/** Codes that ask the model to change its way: they show which scopes were checked. */
const SHOWS_SCOPES: ReadonlySet<BoundaryErrorCode> = new Set(["STOP_REQUIRED", "BUDGET_EXHAUSTED"]);

export function controlOf(parts: BoundaryParts, run: RunState, call: CallView): ControlView {
  const now = parts.clock();
  const { noGain, threshold, stop, abort } = snapshot(readProgress(run.progress), parts.progress, now);
  return controlView(run, statusAt(run, now), call, { noGain, noGainLimit: threshold, stop, abort });
}

/** A call as the control view shows it before anything is known of its outcome. */
export function callView(asked: Asked, startedAt: number, endedAt: number, measures: Measures = {}): CallView {
  return {
    toolCallId: asked.toolCallId,
    toolName: asked.toolName,
    decision: "REFUSED",
    code: null,
    evidenceStatus: null,
    truncated: null,
    identity: null,
    sameAs: null,
    returnedCount: measures.returnedCount ?? null,
    l0MatchCount: measures.l0MatchCount ?? null,
    l1MatchCount: measures.l1MatchCount ?? null,
    requestBytes: asked.requestBytes,
    rawBytes: 0,
    agentResultBytes: 0,
    heldBack: {},
    durationMs: Math.max(0, endedAt - startedAt),
  };
}

/** The observation of a call that was not executed. */
export function refusedObservation(
  parts: BoundaryParts,
  run: RunState,
  asked: Asked,
  code: BoundaryErrorCode,
  details: DeniedDetails,
): Observation {
  const outcome = BOUNDARY_ERRORS[code].outcome === "REFUSED" ? "REFUSED" : "ERROR";
  if (!SHOWS_SCOPES.has(code)) return denied(outcome, asked.toolCallId, asked.toolName, code, details);
  const { checkedScopes, stop } = snapshot(readProgress(run.progress), parts.progress, parts.clock());
  return denied(outcome, asked.toolCallId, asked.toolName, code, {
    ...details,
    reason: stop.reason ?? undefined,
    checkedScopes: newestWithin(checkedScopes.flatMap(answered), parts.limits.call.projectionBytes),
  });
}

type SnapshotScope = ReturnType<typeof snapshot>["checkedScopes"][number];

function answered(checked: SnapshotScope): CheckedScopeView[] {
  const { evidence_status } = checked;
  return evidence_status === "PENDING" ? [] : [{ ...checked, evidence_status }];
}

/** The newest scopes that fit, in the order they were asked. */
function newestWithin(scopes: readonly CheckedScopeView[], maxBytes: number): readonly CheckedScopeView[] {
  let left = maxBytes;
  const kept = [...scopes].reverse().filter((scope) => {
    left -= Buffer.byteLength(JSON.stringify(scope), "utf8") + 1;
    return left >= 0;
  });
  return kept.reverse();
}
