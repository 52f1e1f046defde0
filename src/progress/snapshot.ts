import type { EvidenceStatus } from "../model/evidence.ts";
import type { Scope } from "../model/scope.ts";
import { abandonOverdue } from "./batch.ts";
import type { ProgressConfig } from "./config.ts";
import { provenStop, tallies } from "./gain.ts";
import type { CheckedCall, ProgressState, StopReason } from "./state.ts";

/** A scope that was asked for, in the wire's names: this part may also be shown to the model. */
export interface CheckedScope {
  readonly tool_name: string;
  readonly tool_call_id: string;
  readonly scope: Scope;
  /** PENDING while the call is in flight. */
  readonly evidence_status: EvidenceStatus | "ERROR" | "PENDING";
  readonly truncated: boolean;
}

/** How far a run has come. For the host: but for `checkedScopes` and the stop's reason nothing of it may reach a model. */
export interface ProgressSnapshot {
  readonly checkedScopes: readonly CheckedScope[];
  /** Consecutive batches without gain, the current one included. */
  readonly noGain: number;
  readonly errors: number;
  readonly threshold: number;
  readonly stop: { readonly required: boolean; readonly reason: StopReason | null };
  /** The model went on after a stop. */
  readonly abort: boolean;
  readonly batches: number;
  readonly inFlight: number;
  readonly seenItems: number;
}

/** What a state amounts to at a moment. Within a turn that is named, a stop that it proves becomes final with the next turn. */
export function snapshot(stored: ProgressState, config: ProgressConfig, now: number): ProgressSnapshot {
  const state = abandonOverdue(stored, now);
  const { noGain, errors } = tallies(state).now.counters;
  const reason = state.stop ?? provenStop(state, config);
  return {
    checkedScopes: state.calls.map(checkedScope),
    noGain,
    errors,
    threshold: config.noGainLimit,
    stop: { required: reason !== null, reason },
    abort: state.ignoredStops > 1,
    batches: state.current?.number ?? state.calls.at(-1)?.batch ?? 0,
    inFlight: state.calls.filter((call) => call.outcome.kind === "PENDING").length,
    seenItems: state.seen.length,
  };
}

function checkedScope({ toolName, callId, scope, outcome }: CheckedCall): CheckedScope {
  return {
    tool_name: toolName,
    tool_call_id: callId,
    scope,
    evidence_status: outcome.kind === "READY" ? outcome.evidenceStatus : outcome.kind,
    truncated: outcome.kind === "READY" && outcome.truncated,
  };
}
