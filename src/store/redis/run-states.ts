import type { JsonValue } from "../../model/json.ts";
import { appendMemory, type RunMemory } from "../../model/memory.ts";
import type { RunState } from "../../model/run.ts";
import { amountsOf, countOf } from "./reply.ts";
import { decodeRun, decodeStanding } from "./run-codec.ts";

/** So many runs are remembered. Only a shortcut: the state of any other is answered in full. */
const MAX_KNOWN = 1_000;

/**
 * Reads the states that scripts answer, and remembers the latest of each run: a change that rests on a state known here need
 * not carry all of it back.
 */
export class RunStates {
  readonly #known = new Map<string, RunState>();

  /** The state that a change rests on, if this process has seen it. Its salt asks the script for a brief answer. */
  at(runId: string, revision: number): RunState | null {
    const run = this.#known.get(runId);
    return run?.revision === revision ? run : null;
  }

  remember(run: RunState): RunState {
    const known = this.#known.get(run.runId);
    if (known !== undefined && known.salt === run.salt && known.revision > run.revision) return run;
    this.#known.delete(run.runId);
    this.#known.set(run.runId, run);
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value ?? "");
    return run;
  }

  clear(): void {
    this.#known.clear();
  }

  /** `kind, allowance, status, fields and values`. */
  full(runId: string, [, , status, fields]: readonly unknown[]): RunState {
    return this.remember(decodeRun(runId, status, fields));
  }

  /** The same, or `kind, allowance, status, reason, revision, used` after a change of a state that is known. */
  after(before: RunState | null, runId: string, change: Changed, reply: readonly unknown[]): RunState {
    const [, , status, reason, revision, used] = reply;
    if (before === null || reply.length < 6) return this.full(runId, reply);
    return this.remember({
      ...before,
      ...decodeStanding(status, reason),
      budget: { limits: before.budget.limits, used: amountsOf(used, "run") },
      revision: countOf(revision, "run"),
      progress: change.progress,
      memory: change.learned === undefined ? before.memory : appendMemory(before.memory, change.learned),
    });
  }
}

interface Changed {
  readonly progress: JsonValue;
  readonly learned?: RunMemory;
}
