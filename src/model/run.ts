import type { Budget } from "./budget.ts";
import type { JsonValue } from "./json.ts";
import type { RunMemory } from "./memory.ts";

export type RunStatus = "ACTIVE" | "COMPLETED" | "STOPPED" | "FAILED" | "EXPIRED";
/** The states that a run ends in by somebody's decision; EXPIRED comes by time alone. */
export type EndedStatus = Exclude<RunStatus, "ACTIVE" | "EXPIRED">;

/** Who a run belongs to, and what it may use. Set when it is opened, never changed. */
export interface RunContext {
  readonly runId: string;
  readonly sessionId: string;
  readonly principal: string | null;
  /** Names of the tools this run may call; null grants all that the harness has. */
  readonly grants: readonly string[] | null;
}

/** The shared truth of a run: what every process that serves it must agree on. Times in milliseconds since the epoch. */
export interface RunState extends RunContext {
  readonly status: RunStatus;
  readonly stopReason: string | null;
  readonly openedAt: number;
  readonly expiresAt: number;
  readonly budget: Budget;
  /** Grows with every change of `progress` or `memory`; a writer that has seen an older one is told so. */
  readonly revision: number;
  /** Owned by `progress/`; opaque here. */
  readonly progress: JsonValue;
  /** Key of this run's aliases, hexadecimal. Never leaves the Harness. */
  readonly salt: string;
  readonly memory: RunMemory;
}

/** The state a run is in at a moment: an active run past its lifetime has expired without anybody writing it. */
export function statusAt(run: Pick<RunState, "status" | "expiresAt">, now: number): RunStatus {
  return run.status === "ACTIVE" && now >= run.expiresAt ? "EXPIRED" : run.status;
}
