import { BoundaryError } from "../../model/errors.ts";
import type { RedisCommands } from "./redis-commands.ts";

/** The type byte of bulk strings in RESP, as node-redis names types. */
const BULK_STRING = 36;

interface Scripting {
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(source: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/**
 * A client of the `redis` package (node-redis), or its cluster client: connected, and made with `disableOfflineQueue`. Give it
 * `pingInterval` and a `socketTimeout` of a few times that too: without them a connection that died unnoticed is kept for minutes.
 */
export interface NodeRedisClient {
  readonly isReady: boolean;
  /** Of a single client. */
  readonly options?: { readonly disableOfflineQueue?: boolean | undefined } | undefined;
  /** Of a cluster client. */
  readonly _options?:
    | { readonly defaults?: { readonly disableOfflineQueue?: boolean | undefined } | undefined }
    | undefined;
  withTypeMapping(mapping: { [BULK_STRING]: BufferConstructor }): Scripting;
}

export function isNodeRedis(client: NodeRedisClient | RedisCommands): client is NodeRedisClient {
  return typeof (client as Partial<NodeRedisClient>).withTypeMapping === "function";
}

/** Lets the store speak through node-redis. Refuses a client that would keep commands back and send them later. */
export function nodeRedisCommands(client: NodeRedisClient): RedisCommands {
  const { disableOfflineQueue } = client.options ?? client._options?.defaults ?? {};
  if (disableOfflineQueue !== true) {
    throw new BoundaryError("CONFIG_INVALID", "client", "Create the Redis client with disableOfflineQueue: true.");
  }
  const scripting = client.withTypeMapping({ [BULK_STRING]: Buffer });
  return {
    evalSha: (sha1, keys, args) => scripting.evalSha(sha1, { keys: [...keys], arguments: [...args] }),
    eval: (source, keys, args) => scripting.eval(source, { keys: [...keys], arguments: [...args] }),
  };
}
