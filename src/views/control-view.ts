import { type Amounts, subtractAmounts } from "../model/budget.ts";
import type { BoundaryErrorCode } from "../model/errors.ts";
import type { EvidenceStatus } from "../model/evidence.ts";
import type { RunState, RunStatus } from "../model/run.ts";

/** What progress says after a call. */
export interface ProgressView {
  readonly noGain: number;
  readonly noGainLimit: number;
  readonly stop: { readonly required: boolean; readonly reason: string | null };
  /** The model went on after a stop: end the run, or take its tools away. */
  readonly abort: boolean;
}

/** What became of the call itself. */
export interface CallView {
  readonly toolCallId: string;
  readonly toolName: string;
  /** EXECUTED: the backend was asked. REFUSED: it was not. */
  readonly decision: "EXECUTED" | "REFUSED";
  readonly code: BoundaryErrorCode | null;
  readonly evidenceStatus: EvidenceStatus | "ERROR" | null;
  readonly truncated: boolean | null;
  /** The scope's normalised identity; calls of one tool with the same identity ask the same. */
  readonly identity: string | null;
  readonly sameAs: string | null;
  readonly returnedCount: number | null;
  readonly l0MatchCount: number | null;
  readonly l1MatchCount: number | null;
  readonly requestBytes: number;
  readonly rawBytes: number;
  readonly agentResultBytes: number;
  /** Values held back in this call's observation, by kind. */
  readonly heldBack: Readonly<Record<string, number>>;
  readonly durationMs: number;
}

/** What the Harness decides from. Never shown to a model. */
export interface ControlView extends CallView {
  readonly runId: string;
  readonly runStatus: RunStatus;
  readonly progress: ProgressView;
  readonly remaining: Amounts;
}

export function controlView(run: RunState, status: RunStatus, call: CallView, progress: ProgressView): ControlView {
  const { limits, used } = run.budget;
  const left = subtractAmounts(limits, used);
  const remaining: Amounts = {
    calls: Math.max(0, left.calls),
    requestBytes: Math.max(0, left.requestBytes),
    rawBytes: Math.max(0, left.rawBytes),
    projectionBytes: Math.max(0, left.projectionBytes),
  };
  return { ...call, runId: run.runId, runStatus: status, progress, remaining };
}
