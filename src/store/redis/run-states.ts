import type { Amounts } from "../../model/budget.ts";
import type { JsonValue } from "../../model/json.ts";
import { appendMemory, type RunMemory } from "../../model/memory.ts";
import type { RunState } from "../../model/run.ts";
import { amountsFrom, countOf, textOf } from "./reply.ts";
import { decodeRun, decodeStanding } from "./run-codec.ts";

/** So many runs are remembered. Only a shortcut: the state of any other is answered in full. */
const MAX_KNOWN = 1_000;

/** A state as it was stored, and the stamp that the change to it left. */
export interface KnownState {
  readonly run: RunState;
  readonly stamp: string;
}

/** A change that was made on top of a known state. */
interface Change {
  readonly attempt: string;
  readonly progress: JsonValue;
  readonly learned?: RunMemory;
}

/**
 * Reads the states that scripts answer, and remembers the latest of each run: a change that rests on a state known here need
 * not carry all of it back.
 */
export class RunStates {
  readonly #known = new Map<string, KnownState>();

  /** The state that a change rests on, if this process has seen it. Its stamp asks the script for a brief answer. */
  at(runId: string, revision: number): KnownState | null {
    const known = this.#known.get(runId);
    return known?.run.revision === revision ? known : null;
  }

  remember(run: RunState, stamp: string): RunState {
    this.#known.delete(run.runId);
    this.#known.set(run.runId, { run, stamp });
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value ?? "");
    return run;
  }

  clear(): void {
    this.#known.clear();
  }

  /** `kind, allowance, status, fields and values`. */
  full(runId: string, [, , status, fields]: readonly unknown[]): RunState {
    const { run, stamp } = decodeRun(runId, status, fields);
    return this.remember(run, stamp);
  }

  /** The same, or `kind, allowance, brief` after a change of a state that is known. */
  after(before: KnownState | null, runId: string, change: Change, reply: readonly unknown[]): RunState {
    if (before === null || reply.length > 3) return this.full(runId, reply);
    const { run } = before;
    const next: RunState = {
      ...run,
      ...decodeBrief(reply[2], run.budget.limits),
      progress: change.progress,
      memory: change.learned === undefined ? run.memory : appendMemory(run.memory, change.learned),
    };
    return this.remember(next, change.attempt);
  }
}

/** `<revision> <used amounts> <status> <reason>` */
function decodeBrief(value: unknown, limits: Amounts): Pick<RunState, "status" | "stopReason" | "revision" | "budget"> {
  const [revision, calls, requestBytes, rawBytes, projectionBytes, status, ...reason] = textOf(value, "run").split(" ");
  return {
    ...decodeStanding(status, reason.join(" ")),
    revision: countOf(revision, "run"),
    budget: { limits, used: amountsFrom([calls, requestBytes, rawBytes, projectionBytes], "run") },
  };
}
