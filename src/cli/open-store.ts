import type { StoreConfig } from "../config/store-config.ts";
import { BoundaryError } from "../model/errors.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import type { CanonicalStore } from "../store/store.ts";
import { detailOf } from "./detail.ts";
import { openRedis } from "./redis-client.ts";

/** A store and what has to be closed with it. */
export interface OpenedStore {
  readonly store: CanonicalStore;
  close(): Promise<void>;
}

/** Opens the configured store; the memory of this process where none is configured. */
export async function openStore(config: StoreConfig = { driver: "memory" }): Promise<OpenedStore> {
  if (config.driver === "memory") {
    const { driver: _, ...bounds } = config;
    const store = new MemoryStore(bounds);
    return { store, close: () => store.close() };
  }
  const redis = await openRedis(config);
  try {
    const { redisStore } = await import("../store/redis/redis.ts");
    const { partitions, commandTimeoutMs } = config;
    const store = await redisStore({
      client: redis.client,
      ...(partitions === undefined ? {} : { partitions }),
      ...(commandTimeoutMs === undefined ? {} : { deadlineMs: commandTimeoutMs }),
    });
    const close = async (): Promise<void> => {
      await store.close();
      redis.close();
    };
    return { store, close };
  } catch (error) {
    redis.close();
    throw asOpening(error);
  }
}

/** STORE_ERROR tells a model of one call; here nothing was called yet. */
function asOpening(error: unknown): unknown {
  if (!BoundaryError.is(error) || error.code !== "STORE_ERROR") return error;
  return new BoundaryError("STORE_UNAVAILABLE", "store", detailOf(error));
}
