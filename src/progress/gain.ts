import type { PreviousEvaluation } from "../model/envelope.ts";
import { fingerprint } from "../model/fingerprint.ts";
import type { ProgressConfig } from "./config.ts";
import type { Batch, CallOutcome, Counters, ProgressState, StopReason } from "./state.ts";

/** What a batch objectively brought. OPEN: nothing is known yet, calls are still in flight. */
export type BatchClass = "STRONG" | "WEAK" | "NEGATIVE" | "NONE" | "ERROR" | "OPEN";

type Judgement = "GAIN" | "NO_GAIN" | "NEUTRAL" | "ERROR";

/** Counters and excluded hypotheses after a batch was judged. */
export interface Tally {
  readonly counters: Counters;
  readonly excluded: readonly string[];
}

function classify(state: ProgressState, batch: Batch): BatchClass {
  const outcomes = state.calls.filter((call) => call.batch === batch.number).map((call) => call.outcome);
  const answers = outcomes.flatMap((outcome) => (outcome.kind === "READY" ? [outcome.freshness] : []));
  if (answers.includes("STRONG")) return "STRONG";
  if (outcomes.some((outcome) => outcome.kind === "PENDING")) return "OPEN";
  if (answers.includes("WEAK")) return "WEAK";
  if (answers.includes("EMPTY")) return "NEGATIVE";
  return outcomes.length > 0 && answers.length === 0 ? "ERROR" : "NONE";
}

/** Adds one batch to a tally, in the light of what the model said of it. */
function tallyBatch(
  state: ProgressState,
  tally: Tally,
  batch: Batch | null,
  evaluation: PreviousEvaluation | null,
): Tally {
  if (batch === null) return tally;
  const kind = classify(state, batch);
  const judgement = judge(kind, evaluation, { excluded: tally.excluded, weak: () => weakItems(state, batch) });
  const accepted = kind === "NEGATIVE" && judgement === "GAIN" ? hypothesisOf(evaluation) : null;
  const excluded = accepted === null ? tally.excluded : [...tally.excluded, accepted];
  return { counters: count(tally.counters, judgement, kind), excluded };
}

function count(counters: Counters, judgement: Judgement, kind: BatchClass): Counters {
  if (judgement === "ERROR") return { noGain: counters.noGain, errors: counters.errors + 1 };
  const errors = kind === "OPEN" ? counters.errors : 0;
  if (judgement === "NEUTRAL") return { noGain: counters.noGain, errors };
  return { noGain: judgement === "GAIN" ? 0 : counters.noGain + 1, errors };
}

interface Known {
  readonly excluded: readonly string[];
  readonly weak: () => ReadonlySet<string>;
}

/** The objective class decides first: nothing unseen is no gain, whatever is claimed of it. */
function judge(kind: BatchClass, evaluation: PreviousEvaluation | null, known: Known): Judgement {
  if (kind === "ERROR") return "ERROR";
  if (kind === "OPEN") return "NEUTRAL";
  if (kind === "NONE" || evaluation?.verdict === "NO_GAIN") return "NO_GAIN";
  if (kind === "STRONG") return "GAIN";
  if (kind === "WEAK") return evaluation === null ? "NEUTRAL" : judgeWeak(evaluation, known.weak());
  const hypothesis = hypothesisOf(evaluation);
  return hypothesis !== null && !known.excluded.includes(hypothesis) ? "GAIN" : "NO_GAIN";
}

/** General knowledge helps only where the model can name what helped. */
function judgeWeak(evaluation: PreviousEvaluation, weak: ReadonlySet<string>): Judgement {
  return (evaluation.items ?? []).some((item) => weak.has(item)) ? "GAIN" : "NO_GAIN";
}

function weakItems(state: ProgressState, batch: Batch): ReadonlySet<string> {
  const calls = state.calls.filter((call) => call.batch === batch.number);
  return new Set(calls.flatMap((call) => weakOf(call.outcome).map(([, itemId]) => itemId)));
}

export function weakOf(outcome: CallOutcome): readonly (readonly [string, string])[] {
  return outcome.kind === "READY" ? outcome.weak : [];
}

function hypothesisOf(evaluation: PreviousEvaluation | null): string | null {
  if (evaluation?.verdict !== "GAIN") return null;
  const name = (evaluation.hypothesis ?? "").normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
  return name === "" ? null : fingerprint(name);
}

/** The tally as it stands before the current batch, and with it. The current batch has no evaluation yet. */
export function tallies(state: ProgressState): { readonly before: Tally; readonly now: Tally } {
  const stored = { counters: state.counters, excluded: state.excluded };
  if (state.stop !== null) return { before: stored, now: stored };
  const before = tallyBatch(state, stored, state.previous, state.evaluation);
  return { before, now: tallyBatch(state, before, state.current, null) };
}

export function stopFor(counters: Counters, config: ProgressConfig): StopReason | null {
  if (counters.noGain >= config.noGainLimit) return "NO_NEW_INFORMATION";
  return counters.errors >= config.errorLimit ? "TOOLS_UNAVAILABLE" : null;
}

/**
 * A stop that needs no further word of the model: the last batch proved that nothing new came, or failed. After an empty
 * answer the model may still say what it excluded, so that waits for the next call.
 */
export function provenStop(state: ProgressState, config: ProgressConfig): StopReason | null {
  if (state.current === null) return null;
  const kind = classify(state, state.current);
  return kind === "NONE" || kind === "ERROR" ? stopFor(tallies(state).now.counters, config) : null;
}
