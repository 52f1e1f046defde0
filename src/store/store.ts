import type { AuditEvent, OutboxBatch, OutboxPosition } from "../model/audit-event.ts";
import type { Amounts } from "../model/budget.ts";
import type { BoundaryErrorCode } from "../model/errors.ts";
import type { Projecting, Readable, Ready, Settled } from "../model/invocation.ts";
import type { JsonValue } from "../model/json.ts";
import type { RunMemory } from "../model/memory.ts";
import type { EndedStatus, RunContext, RunState } from "../model/run.ts";

export interface NewRun extends RunContext {
  readonly openedAt: number;
  /** How long the run may make calls. */
  readonly lifetimeMs: number;
  /** How long after its lifetime the run and the index of its calls are still known. */
  readonly keepMs: number;
  readonly limits: Amounts;
  readonly progress: JsonValue;
  readonly salt: string;
}

export type OpenResult =
  | { readonly kind: "opened"; readonly run: RunState }
  | { readonly kind: "exists" }
  | { readonly kind: "full" };

/** A change that rests on what its writer has seen of the run: with another revision in the store it is `stale`. */
interface Change {
  /** The revision that `progress` was derived from. */
  readonly revision: number;
  readonly progress: JsonValue;
  /** Chosen by the caller, one for each operation: repeating an operation with its token changes nothing. */
  readonly attempt: string;
}

export interface Begin extends Change {
  readonly record: Projecting;
  readonly ttlMs: number;
  /** One call, its request bytes, and the caps of raw and projection. */
  readonly wanted: Amounts;
}

export type BeginResult =
  | { readonly kind: "begun"; readonly allowance: Amounts; readonly run: RunState }
  | { readonly kind: "stale"; readonly run: RunState }
  | { readonly kind: "refused"; readonly code: BoundaryErrorCode };

export interface Settle extends Change {
  readonly record: Settled;
  /** What was really used; the rest of the allowance goes back. */
  readonly spent: Amounts;
  readonly learned: RunMemory;
  readonly event: AuditEvent;
}

export type SettleResult =
  | { readonly kind: "settled"; readonly run: RunState }
  | { readonly kind: "stale"; readonly run: RunState }
  /** The record or its run has expired or was never there. */
  | { readonly kind: "gone" }
  /** Somebody else has settled it, for example a sweep. */
  | { readonly kind: "already" }
  /** There is no room for the record: it is still PROJECTING, and can be settled as an ERROR. */
  | { readonly kind: "full" };

export interface Refuse extends Change {
  readonly runId: string;
  /** Charged even beyond the limit: a refused call is not free. */
  readonly charge: Amounts;
  readonly event: AuditEvent;
}

export type RefuseResult =
  | { readonly kind: "refused"; readonly run: RunState }
  | { readonly kind: "stale"; readonly run: RunState }
  | { readonly kind: "gone" };

export interface CloseRun {
  readonly runId: string;
  /** Chosen by the caller, one for each operation: who repeats it with its token is told again that it closed the run. */
  readonly attempt: string;
  readonly status: EndedStatus;
  readonly reason: string | null;
}

export type CloseResult =
  | { readonly kind: "closed"; readonly run: RunState }
  | { readonly kind: "already"; readonly run: RunState }
  | { readonly kind: "gone" };

/** `expired` only for an id that this run's index knows; a forged id and another run's id are `absent` alike. */
export type Lookup<T = Readable> =
  | { readonly kind: "found"; readonly record: T }
  | { readonly kind: "expired" }
  | { readonly kind: "absent" };

/**
 * The canonical truth of runs and calls. Every verb is one atomic step, also across processes. Failures to reach the store
 * reject; every expected outcome is a value. No verb extends a TTL.
 */
export interface CanonicalStore {
  openRun(run: NewRun): Promise<OpenResult>;
  readRun(runId: string): Promise<RunState | null>;
  /** Ends an active run; the first to do so decides. Its records stay for their TTL. */
  closeRun(close: CloseRun): Promise<CloseResult>;
  /** Checks run, id and revision, reserves the four budgets and creates the PROJECTING record. Never overwrites. */
  begin(begin: Begin): Promise<BeginResult>;
  /** Moves PROJECTING to READY or ERROR, keeps the TTL that remains, and appends the audit event. */
  settle(settle: Settle): Promise<SettleResult>;
  /** Charges and audits a call that is answered without executing. The id stays unused. */
  refuse(refuse: Refuse): Promise<RefuseResult>;
  /** Reads records without their raw and without touching a TTL; wire ids and shown ids alike. One lookup for each id, in order. */
  read(runId: string, toolCallIds: readonly string[]): Promise<readonly Lookup[]>;
  /** A READY record with its raw, for deriving the projection again. Harness only. */
  readRaw(runId: string, toolCallId: string): Promise<Lookup<Ready>>;
  /** Ids of the calls that began in this run, as shown, in order; expired ones included. */
  list(runId: string): Promise<readonly string[]>;
  /** Settles calls that are PROJECTING past their deadline as ABANDONED, and audits each once. Answers how many. */
  sweep(): Promise<number>;
  /** The oldest audit events of each partition that are not yet acknowledged, at most `limit` a partition. */
  drain(limit: number): Promise<readonly OutboxBatch[]>;
  /** Forgets events up to this position. */
  acknowledge(position: OutboxPosition): Promise<void>;
  close(): Promise<void>;
}
