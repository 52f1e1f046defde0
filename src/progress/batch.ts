import type { PreviousEvaluation } from "../model/envelope.ts";
import { ABANDON_GRACE_MS, type ProgressConfig } from "./config.ts";
import { provenStop, stopFor, tallies } from "./gain.ts";
import { type Batch, type CheckedCall, type ProgressState, STATE_LIMITS, type StopReason } from "./state.ts";

/** How a call comes in, whatever becomes of it. */
export interface Arrival {
  readonly turn?: string;
  readonly evaluation?: PreviousEvaluation;
  readonly now: number;
}

/** Puts the call into its batch, and settles what the batches before it amount to. */
export function arrive(state: ProgressState, arrival: Arrival, config: ProgressConfig): ProgressState {
  const awake = abandonOverdue(state, arrival.now);
  if (joinsCurrent(awake, arrival.turn)) return stopIfDue(joined(awake, arrival), config);
  return stopIfDue(opened(awake, arrival), config);
}

function joinsCurrent(state: ProgressState, turn: string | undefined): boolean {
  const { current } = state;
  if (current === null || current.calls >= STATE_LIMITS.batchCalls) return false;
  return turn === undefined ? hasPending(state, current) : current.turn === turn;
}

function joined(state: ProgressState, { evaluation }: Arrival): ProgressState {
  const current = state.current && { ...state.current, calls: state.current.calls + 1 };
  return { ...state, current, evaluation: merge(state.evaluation, evaluation) };
}

function opened(state: ProgressState, { turn, evaluation }: Arrival): ProgressState {
  const number = (state.current?.number ?? state.previous?.number ?? lastBatch(state)) + 1;
  const current: Batch = { number, turn: turn ?? null, calls: 1 };
  if (state.stop !== null) return { ...state, current, ignoredStops: state.ignoredStops + 1 };
  const { counters, excluded } = tallies(state).before;
  return {
    ...state,
    counters,
    excluded: excluded.slice(-STATE_LIMITS.excluded),
    previous: state.current,
    evaluation: merge(null, evaluation),
    current,
  };
}

function lastBatch(state: ProgressState): number {
  return state.calls.at(-1)?.batch ?? 0;
}

/** Parallel calls may each evaluate the batch before them: what they say is taken together, whatever their order. */
function merge(known: PreviousEvaluation | null, said: PreviousEvaluation | undefined): PreviousEvaluation | null {
  if (said === undefined) return known;
  const bounded = { ...said, ...(said.items && { items: said.items.slice(0, STATE_LIMITS.weakItems) }) };
  if (known === null || known.verdict === "NO_GAIN") return known === null || said.verdict === "GAIN" ? bounded : known;
  if (said.verdict === "NO_GAIN") return known;
  const items = [...new Set([...(known.items ?? []), ...(bounded.items ?? [])])].sort();
  const hypotheses = [known.hypothesis, said.hypothesis].flatMap((text) => text ?? []).sort();
  return {
    verdict: "GAIN",
    ...(items.length > 0 && { items: items.slice(0, STATE_LIMITS.weakItems) }),
    ...(hypotheses[0] !== undefined && { hypothesis: hypotheses[0] }),
  };
}

/** A stop is decided on the batches before the current one; it then freezes the counters and never goes away. */
function stopIfDue(state: ProgressState, config: ProgressConfig): ProgressState {
  if (state.stop !== null) return state;
  const { counters, excluded } = tallies(state).before;
  const stop = stopFor(counters, config);
  return stop === null ? state : frozen({ ...state, counters, excluded, ignoredStops: 1 }, stop);
}

function frozen(state: ProgressState, stop: StopReason): ProgressState {
  return { ...state, stop, previous: null, evaluation: null };
}

/** A batch that no turn holds open is over when nothing of it is in flight, so a stop that it proves is final at once. */
export function stopIfProven(state: ProgressState, config: ProgressConfig): ProgressState {
  if (state.stop !== null || state.current === null || state.current.turn !== null) return state;
  const stop = provenStop(state, config);
  return stop === null ? state : frozen({ ...state, ...tallies(state).now, current: null }, stop);
}

function hasPending(state: ProgressState, batch: Batch): boolean {
  return state.calls.some((call) => call.batch === batch.number && call.outcome.kind === "PENDING");
}

/** A call whose process died must not hold its batch open for ever. */
export function abandonOverdue(state: ProgressState, now: number): ProgressState {
  const overdue = (call: CheckedCall): boolean =>
    call.outcome.kind === "PENDING" && now > call.deadlineAt + ABANDON_GRACE_MS;
  if (!state.calls.some(overdue)) return state;
  const calls = state.calls.map((call) =>
    overdue(call) ? { ...call, outcome: { kind: "ERROR", code: "ABANDONED" } as const } : call,
  );
  return { ...state, calls };
}
