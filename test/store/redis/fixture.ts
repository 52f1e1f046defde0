import { Redis } from "ioredis";
import { createClient } from "redis";
import {
  type RedisCommands,
  type RedisStore,
  type RedisStoreOptions,
  redisStore,
} from "../../../src/store/redis/redis.ts";
import type { StoreUnderTest } from "../../../src/testing/store-contract.ts";

/** A node-redis client as a host should make it. */
export async function openClient(url: string) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(20 * 2 ** retries, 500) },
  });
  client.on("error", () => undefined); // it reconnects; what failed is told to the caller
  await client.connect();
  return client;
}

export type Client = Awaited<ReturnType<typeof openClient>>;

export interface OpenStore {
  readonly store: RedisStore;
  readonly client: Client;
  close(): Promise<void>;
}

/** A store of its own client. */
export async function openStore(url: string, options: Partial<RedisStoreOptions> = {}): Promise<OpenStore> {
  const client = await openClient(url);
  const store = await redisStore({ client, ...options });
  const close = async (): Promise<void> => {
    await store.close();
    client.destroy();
  };
  return { store, client, close };
}

/** An ioredis client as a host should make it. */
export async function openIoredis(port: number): Promise<Redis> {
  const client = new Redis(port, "127.0.0.1", {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    lazyConnect: true,
    retryStrategy: (times) => Math.min(20 * 2 ** times, 500),
  });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** An empty store on servers that live on, with time that a test can move. */
export async function freshStore(
  urls: readonly string[],
  client?: RedisStoreOptions["client"],
): Promise<StoreUnderTest> {
  const admins = await Promise.all(urls.map(openClient));
  for (const admin of admins) await admin.flushAll();
  const own = client === undefined ? await openClient(urls[0] ?? "") : null;
  const store = await redisStore({ client: own ?? (client as RedisCommands) });
  return {
    store,
    pass: async (ms) => {
      for (const admin of admins) await shiftTime(admin, ms);
    },
    close: async () => {
      await store.close();
      for (const one of [...admins, own]) one?.destroy();
    },
  };
}

/**
 * Lets time pass without waiting: every key loses so much of its TTL, and what is past its end is gone. The store keeps no other
 * times than these and the moments in the in-flight sets.
 */
export async function shiftTime(admin: Client, ms: number): Promise<void> {
  for (const key of await keysOf(admin)) await shiftKey(admin, key, ms);
}

export async function keysOf(admin: Client): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const keys of admin.scanIterator({ COUNT: 1_000 })) found.push(...keys);
  return found.sort();
}

async function shiftKey(admin: Client, key: string, ms: number): Promise<void> {
  if (key.endsWith(":inflight")) {
    for (const member of await admin.zRange(key, 0, -1)) await admin.zIncrBy(key, -ms, member);
    return;
  }
  const left = await admin.pTTL(key);
  if (left < 0) return;
  if (left <= ms) await admin.del(key);
  else await admin.pExpire(key, left - ms);
}
