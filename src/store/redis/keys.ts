import { hash } from "node:crypto";

/** Holds how many partitions the store was made with. */
export const PARTITIONS_KEY = "dv:partitions";

/** Keys of one partition. They share a hash tag, so that in a cluster one script touches one slot. */
export interface PartitionKeys {
  readonly partition: number;
  /** Stream of audit events. */
  readonly audit: string;
  /** Hash: epoch, last sequence number and counts of the stream. */
  readonly outbox: string;
  /** Sorted set of calls that are PROJECTING, by the moment from which they count as abandoned. */
  readonly inflight: string;
}

/** Keys of one run. */
export interface RunKeys extends PartitionKeys {
  readonly run: string;
  /** Index of the calls that began. */
  readonly calls: string;
  call(callKey: string): string;
}

export function partitionKeys(partition: number): PartitionKeys {
  const tag = `{dv:${partition}}`;
  return { partition, audit: `${tag}:audit`, outbox: `${tag}:outbox`, inflight: `${tag}:inflight` };
}

/** So many runs' keys are remembered. */
const MAX_KNOWN = 1_000;

/** Keys of runs in a store of so many partitions. They are calculated once for the runs in use. */
export class KeyBook {
  readonly #partitions: number;
  readonly #known = new Map<string, RunKeys>();

  constructor(partitions: number) {
    this.#partitions = partitions;
  }

  of(runId: string): RunKeys {
    const known = this.#known.get(runId);
    if (known !== undefined) return known;
    const keys = runKeys(runId, this.#partitions);
    this.#known.set(runId, keys);
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value ?? "");
    return keys;
  }
}

export function runKeys(runId: string, partitions: number): RunKeys {
  const partition = partitionOf(runId, partitions);
  const tag = `{dv:${partition}}`;
  return {
    ...partitionKeys(partition),
    run: `${tag}:run:${runId}`,
    calls: `${tag}:calls:${runId}`,
    call: (callKey) => `${tag}:call:${runId}:${callKey}`,
  };
}

function partitionOf(runId: string, partitions: number): number {
  return hash("sha256", runId, "buffer").readUInt32BE() % partitions;
}
