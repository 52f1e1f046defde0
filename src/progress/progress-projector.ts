import type { PreviousEvaluation } from "../model/envelope.ts";
import type { BoundaryErrorCode } from "../model/errors.ts";
import type { EvidenceStatus, RelevanceLevel } from "../model/evidence.ts";
import { fingerprint } from "../model/fingerprint.ts";
import { utf8Bytes } from "../model/json.ts";
import type { Coverage, Scope } from "../model/scope.ts";
import { arrive, stopIfProven } from "./batch.ts";
import { DEFAULT_PROGRESS_CONFIG, type ProgressConfig } from "./config.ts";
import { weakOf } from "./gain.ts";
import { type Candidate, coveredBy, duplicateOf, isClosed } from "./repeat.ts";
import { type ProgressSnapshot, snapshot } from "./snapshot.ts";
import {
  type CallOutcome,
  type CheckedCall,
  emptyProgress,
  type Freshness,
  type ProgressState,
  readProgress,
  STATE_LIMITS,
} from "./state.ts";

/** A resolved call that asks to be executed. `callId` is the shown form; `deadlineMs` is how long it may take. */
export interface ProgressCall {
  readonly callId: string;
  readonly toolName: string;
  readonly identity: string;
  readonly covers: Coverage | null;
  /** As the model may see it. */
  readonly scope: Scope;
  readonly evaluation?: PreviousEvaluation;
  /** Names the model's turn. Without it, calls that overlap in time make one batch. */
  readonly turn?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly deadlineMs: number;
}

/** What becomes of a call. `next` holds it already, in flight or refused. */
export type Admission =
  | { readonly decision: "EXECUTE"; readonly next: ProgressState }
  /** `sameAs`: the earlier call that answers it, as it is shown. */
  | { readonly decision: "DUPLICATE" | "COVERED"; readonly sameAs: string; readonly next: ProgressState }
  /** `abort`: the model goes on after a stop, so the host should end the run. */
  | { readonly decision: "STOP"; readonly abort: boolean; readonly next: ProgressState };

/** A call that was refused for another reason: its schema, its budget, an unknown tool. */
export type RefusedCall = Pick<ProgressCall, "callId" | "toolName" | "evaluation" | "turn" | "now">;

export interface CompletedItem {
  /** What makes it the same evidence in another call. */
  readonly identity: string;
  readonly itemId: string;
  readonly relevance?: RelevanceLevel;
}

export type CompletedOutcome =
  | {
      readonly kind: "READY";
      readonly items: readonly CompletedItem[];
      readonly truncated: boolean;
      readonly evidenceStatus: EvidenceStatus;
    }
  | { readonly kind: "ERROR"; readonly code: BoundaryErrorCode };

export interface CompletedCall {
  readonly callId: string;
  readonly now: number;
  readonly outcome: CompletedOutcome;
}

/** Decides whether a call is executed. Pure: the caller stores `next` together with what it does. */
export function admit(state: ProgressState, call: ProgressCall, config: ProgressConfig): Admission {
  const next = arrive(state, call, config);
  if (next.stop !== null) return { decision: "STOP", abort: next.ignoredStops > 1, next };
  const candidate: Candidate = {
    key: callFingerprint(call),
    coverage: call.covers,
    batch: next.current?.number ?? 0,
    now: call.now,
  };
  const duplicate = duplicateOf(next, candidate, config);
  if (duplicate !== null) return { decision: "DUPLICATE", sameAs: duplicate, next: stopIfProven(next, config) };
  const covered = coveredBy(next, candidate, config);
  if (covered !== null) return { decision: "COVERED", sameAs: covered, next: stopIfProven(next, config) };
  return { decision: "EXECUTE", next: withCall(next, pending(call, candidate), config) };
}

/** Counts a call that the boundary refused before progress was asked, as part of its batch. */
export function refuseCall(
  state: ProgressState,
  call: RefusedCall,
  config: ProgressConfig = DEFAULT_PROGRESS_CONFIG,
): ProgressState {
  return stopIfProven(arrive(state, call, config), config);
}

/** Records what an executed call brought. A call that is not known, or was answered before, changes nothing. */
export function complete(state: ProgressState, completed: CompletedCall, config: ProgressConfig): ProgressState {
  const call = state.calls.find((known) => known.callId === completed.callId && isUnanswered(known));
  if (call === undefined) return state;
  const items = completed.outcome.kind === "READY" ? identified(call, completed.outcome.items) : [];
  const outcome = outcomeOf(state, call, completed.outcome, items);
  const calls = state.calls.map((known) => (known === call ? { ...known, outcome } : known));
  return stopIfProven({ ...state, calls, seen: withSeen(state, items) }, config);
}

/** The name under which the parts of progress are known: decide, record, show. */
export const ProgressProjector: {
  readonly empty: typeof emptyProgress;
  readonly read: typeof readProgress;
  readonly admit: typeof admit;
  readonly refuseCall: typeof refuseCall;
  readonly complete: typeof complete;
  readonly snapshot: (state: ProgressState, config: ProgressConfig, now: number) => ProgressSnapshot;
} = { empty: emptyProgress, read: readProgress, admit, refuseCall, complete, snapshot };

/** An answer that comes after its call was given up still counts. */
function isUnanswered({ outcome }: CheckedCall): boolean {
  return outcome.kind === "PENDING" || (outcome.kind === "ERROR" && outcome.code === "ABANDONED");
}

function callFingerprint({ toolName, identity }: ProgressCall): string {
  return fingerprint(`${toolName}\0${identity}`);
}

interface IdentifiedItem {
  readonly item: CompletedItem;
  readonly identity: string;
}

function identified(call: CheckedCall, items: readonly CompletedItem[]): readonly IdentifiedItem[] {
  return items.map((item) => ({ item, identity: fingerprint(`${call.toolName}\0${item.identity}`) }));
}

function pending(call: ProgressCall, { key, batch }: Candidate): CheckedCall {
  const fits = (part: Scope | Coverage): boolean => utf8Bytes(JSON.stringify(part)) <= STATE_LIMITS.scopeBytes;
  return {
    callId: call.callId,
    toolName: call.toolName,
    key,
    scope: fits(call.scope) ? call.scope : {},
    coverage: call.covers !== null && fits(call.covers) ? call.covers : null,
    at: call.now,
    deadlineAt: call.now + call.deadlineMs,
    batch,
    outcome: { kind: "PENDING" },
  };
}

/** The oldest calls give up their scope and keep their identity, so that a repeat is still known. */
function withCall(state: ProgressState, call: CheckedCall, config: ProgressConfig): ProgressState {
  const calls = [...state.calls, call];
  const leaving = calls.splice(0, Math.max(0, calls.length - STATE_LIMITS.calls));
  const answered = leaving.filter((known) => known.outcome.kind === "READY" && isClosed(known, config));
  if (answered.length === 0) return { ...state, calls };
  const older = [...state.older, ...answered.map(({ key, callId }) => [key, callId] as const)];
  return { ...state, calls, older: older.slice(-STATE_LIMITS.older) };
}

function outcomeOf(
  state: ProgressState,
  call: CheckedCall,
  outcome: CompletedOutcome,
  items: readonly IdentifiedItem[],
): CallOutcome {
  if (outcome.kind === "ERROR") return { kind: "ERROR", code: outcome.code };
  const { freshness, weak } = freshnessOf(state, call, items);
  return { kind: "READY", freshness, truncated: outcome.truncated, evidenceStatus: outcome.evidenceStatus, weak };
}

interface Fresh {
  readonly freshness: Freshness;
  readonly weak: readonly (readonly [string, string])[];
}

/** Siblings may show the same item; one that a sibling showed as REFERENCE is still new where it is relevant. */
function freshnessOf(state: ProgressState, call: CheckedCall, items: readonly IdentifiedItem[]): Fresh {
  if (items.length === 0) return { freshness: wasAnswered(state, call) ? "NONE" : "EMPTY", weak: [] };
  const seen = new Set(state.seen);
  const siblings = state.calls.filter((known) => known.batch === call.batch);
  const weakHere = new Set(siblings.flatMap((known) => weakOf(known.outcome).map(([identity]) => identity)));
  const fresh = items.filter(({ identity }) => !seen.has(identity) || weakHere.has(identity));
  if (fresh.some(({ item }) => item.relevance !== "REFERENCE")) return { freshness: "STRONG", weak: [] };
  const weak = fresh.slice(0, STATE_LIMITS.weakItems).map(({ item, identity }) => [identity, item.itemId] as const);
  return { freshness: weak.length > 0 ? "WEAK" : "NONE", weak };
}

function wasAnswered(state: ProgressState, call: CheckedCall): boolean {
  return state.calls.some((known) => known !== call && known.key === call.key && known.outcome.kind === "READY");
}

function withSeen(state: ProgressState, items: readonly IdentifiedItem[]): readonly string[] {
  if (items.length === 0) return state.seen;
  const seen = new Set(state.seen);
  for (const { identity } of items) seen.add(identity);
  return seen.size === state.seen.length ? state.seen : [...seen].slice(-STATE_LIMITS.seen);
}
