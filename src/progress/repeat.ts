import { isTransient } from "../model/errors.ts";
import type { Coverage } from "../model/scope.ts";
import type { ProgressConfig } from "./config.ts";
import type { CheckedCall, ProgressState } from "./state.ts";

/** A call that is about to be decided: what makes it the same as another, and what would speak for it. */
export interface Candidate {
  readonly key: string;
  readonly coverage: Coverage | null;
  readonly batch: number;
  readonly now: number;
}

/** The id of the earlier call that this one repeats, or null. An open window may be asked again; a transient failure may be, once. */
export function duplicateOf(state: ProgressState, candidate: Candidate, config: ProgressConfig): string | null {
  const same = state.calls.filter((call) => call.key === candidate.key);
  const standing = same.find((call) => stands(call, candidate, config));
  if (standing !== undefined) return standing.callId;
  const older = state.older.find(([key]) => key === candidate.key);
  if (older !== undefined) return older[1];
  const failures = same.slice(same.findLastIndex((call) => call.outcome.kind === "READY") + 1);
  const exhausted = failures.length > 1 || failures.some((call) => !mayRetry(call, candidate));
  return exhausted ? (failures[0]?.callId ?? null) : null;
}

/** Whether the call's answer is here to stay, or on its way. */
function stands(call: CheckedCall, candidate: Candidate, config: ProgressConfig): boolean {
  if (call.outcome.kind !== "READY") return call.outcome.kind === "PENDING";
  return call.batch === candidate.batch || isClosed(call, config);
}

/** A sibling that failed is no reason to try again: both were asked before either answer was known. */
function mayRetry(call: CheckedCall, candidate: Candidate): boolean {
  return call.outcome.kind === "ERROR" && isTransient(call.outcome.code) && call.batch !== candidate.batch;
}

/** The id of an earlier complete answer that already speaks for this call's whole region, or null. Siblings never do: their result is unknown. */
export function coveredBy(state: ProgressState, candidate: Candidate, config: ProgressConfig): string | null {
  const wanted = candidate.coverage;
  if (wanted === null) return null;
  const found = state.calls.find(
    (call) => call.batch !== candidate.batch && isComplete(call, config) && covers(call, wanted, candidate.now),
  );
  return found?.callId ?? null;
}

/** Whether nothing can be added any more to what the call looked at. Without a window there is nothing to wait for. */
export function isClosed(call: CheckedCall, config: ProgressConfig): boolean {
  const end = windowEnd(call);
  return end === null || end + config.ingestionLagMs <= call.at;
}

function windowEnd(call: CheckedCall): number | null {
  if (call.coverage?.window !== undefined) return call.coverage.window.to;
  const shown = call.scope["time_to"];
  const end = typeof shown === "string" ? Date.parse(shown) : Number.NaN;
  return Number.isNaN(end) ? null : end;
}

function isComplete(call: CheckedCall, config: ProgressConfig): boolean {
  return call.outcome.kind === "READY" && !call.outcome.truncated && isClosed(call, config);
}

function covers(call: CheckedCall, wanted: Coverage, now: number): boolean {
  const own = call.coverage;
  if (own === null || own.partial === true || own.family !== wanted.family) return false;
  const young = own.maxAgeMs === undefined || now - call.at <= own.maxAgeMs;
  return young && isSubset(own.filters, wanted.filters) && columnsFit(own, wanted) && windowFits(own, wanted);
}

function columnsFit(own: Coverage, wanted: Coverage): boolean {
  if (own.columns === undefined || own.columns.includes("*")) return true;
  return wanted.columns !== undefined && isSubset(wanted.columns, own.columns);
}

function windowFits(own: Coverage, wanted: Coverage): boolean {
  if (own.window === undefined || wanted.window === undefined) return own.window === wanted.window;
  return own.window.from <= wanted.window.from && wanted.window.to <= own.window.to;
}

function isSubset(part: readonly string[], whole: readonly string[]): boolean {
  const members = new Set(whole);
  return part.every((member) => members.has(member));
}
