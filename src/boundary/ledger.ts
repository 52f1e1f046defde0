import { BoundaryError } from "../model/errors.ts";
import type { RunState } from "../model/run.ts";
import type { CanonicalStore } from "../store/store.ts";

/** Another writer can make a change stale; so many in a row mean that something else is wrong. */
const MAX_STALE = 1000;

type Outcome = { readonly kind: string; readonly run?: RunState };
type Stale = { readonly kind: "stale"; readonly run: RunState };

/**
 * This process's view of one run. Changes go one after the other, each resting on the newest state known here; when another
 * process wrote meanwhile, the store says so and the change is derived again from what it sent along.
 */
export class RunLedger {
  readonly #store: CanonicalStore;
  #run: RunState;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: CanonicalStore, run: RunState) {
    this.#store = store;
    this.#run = run;
  }

  get run(): RunState {
    return this.#run;
  }

  /** Runs `step` alone, again while it is stale, and once more when the store did not answer: its attempt token makes that safe. */
  async change<T extends Outcome>(step: (run: RunState) => Promise<T | Stale>): Promise<T> {
    const turn = this.#last.then(() => this.#derive(step));
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  /** The state as the store has it now. */
  async refresh(): Promise<RunState> {
    const run = await orStoreError(() => this.#store.readRun(this.#run.runId));
    if (run !== null) this.#adopt(run);
    return this.#run;
  }

  async #derive<T extends Outcome>(step: (run: RunState) => Promise<T | Stale>): Promise<T> {
    for (let tries = 0; tries < MAX_STALE; tries += 1) {
      const outcome = await this.#twice(step);
      if (outcome.kind !== "stale") {
        if (outcome.run !== undefined) this.#adopt(outcome.run);
        return outcome as T;
      }
      // the store's word, even with an older revision: after a failover it may have lost the latest changes
      this.#run = (outcome as Stale).run;
    }
    throw new BoundaryError("STORE_ERROR");
  }

  async #twice<T>(step: (run: RunState) => Promise<T>): Promise<T> {
    try {
      return await step(this.#run);
    } catch {
      return await orStoreError(() => step(this.#run));
    }
  }

  #adopt(run: RunState): void {
    if (run.revision >= this.#run.revision) this.#run = run;
  }
}

/** What a store's driver throws names hosts, users and worse: of all of it a host gets STORE_ERROR alone. */
export async function orStoreError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw BoundaryError.is(error) ? error : new BoundaryError("STORE_ERROR");
  }
}
