import { BoundaryError } from "../../model/errors.ts";
import { isNodeRedis, type NodeRedisClient, nodeRedisCommands } from "./node-redis.ts";
import { agreeOnPartitions } from "./partitions.ts";
import type { RedisCommands } from "./redis-commands.ts";
import type { OutboxUsage } from "./redis-outbox.ts";
import { RedisStore } from "./redis-store.ts";
import { ScriptRunner } from "./script-runner.ts";

export { type IoredisClient, ioredisCommands } from "./ioredis.ts";
export type { NodeRedisClient, OutboxUsage, RedisCommands, RedisStore };

/** What a store has that was opened without a number. */
export const DEFAULT_PARTITIONS = 64;

export interface RedisStoreOptions {
  /** A connected client of the `redis` package, single or cluster, or an adapter such as `ioredisCommands(client)`. */
  readonly client: NodeRedisClient | RedisCommands;
  /** How many slots the runs spread over; default 64. Fixed by the first process that opens the store. */
  readonly partitions?: number;
  /** How long one command may take before it counts as failed; default 2,000 ms. */
  readonly deadlineMs?: number;
  /** Audit events that may wait in one partition; default 100,000. Beyond it the oldest are dropped and counted. */
  readonly maxOutbox?: number;
  /** How often `drain` looks into partitions that this process does not write to; default 1,000 ms. */
  readonly scanEveryMs?: number;
}

/**
 * Opens the store in a Redis or Valkey server or cluster. Rejects with CONFIG_INVALID for a client that would send commands
 * late or twice, and for another number of partitions than the store has; with STORE_ERROR when the server does not answer.
 */
export async function redisStore(options: RedisStoreOptions): Promise<RedisStore> {
  const {
    client,
    partitions = DEFAULT_PARTITIONS,
    deadlineMs = 2_000,
    maxOutbox = 100_000,
    scanEveryMs = 1_000,
  } = options;
  checkNumbers({ partitions, deadlineMs, maxOutbox });
  const scripts = new ScriptRunner(isNodeRedis(client) ? nodeRedisCommands(client) : client, deadlineMs);
  await agreeOnPartitions(scripts, partitions);
  return new RedisStore({ scripts, partitions, maxOutbox, scanEveryMs });
}

function checkNumbers(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new BoundaryError("CONFIG_INVALID", name, `${name} must be a positive whole number.`);
  }
}
