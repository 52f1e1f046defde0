import type { BoundaryErrorCode } from "./errors.ts";
import type { RelevanceLevel } from "./evidence.ts";
import type { Coverage, Scope } from "./scope.ts";

export type StopReason = "NO_NEW_INFORMATION" | "TOOLS_UNAVAILABLE";

/** What became of one call, as progress needs it. */
export type CallOutcome =
  | { readonly kind: "PENDING" }
  | { readonly kind: "REFUSED" }
  | { readonly kind: "ERROR"; readonly code: BoundaryErrorCode }
  | { readonly kind: "READY"; readonly complete: boolean; readonly items: readonly SeenItem[] };

export interface SeenItem {
  /** Identity of the evidence across calls, not its place in one answer. */
  readonly identity: string;
  readonly itemId: string;
  readonly relevance?: RelevanceLevel;
  readonly fresh: boolean;
}

/** A scope that was looked at, or is being looked at. Times in milliseconds since the epoch. */
export interface CheckedScope {
  /** As shown to the model: see `shownCallId`. */
  readonly callId: string;
  readonly toolName: string;
  readonly identity: string;
  readonly scope: Scope;
  readonly coverage?: Coverage;
  readonly startedAt: number;
  readonly outcome: CallOutcome;
  /** Position of the batch it belongs to. */
  readonly batch: number;
}

/** One turn of the model: its parallel calls count once. */
export interface Batch {
  readonly number: number;
  readonly turn: string | null;
  /** Ids of the calls made in it, refused ones included. */
  readonly calls: readonly string[];
}
