import { BoundaryError } from "../../model/errors.ts";
import type { RedisCommands } from "./redis-commands.ts";

/** A client of the `ioredis` package, made with `enableOfflineQueue: false` and `autoResendUnfulfilledCommands: false`. */
export interface IoredisClient {
  readonly options: {
    readonly enableOfflineQueue?: boolean | undefined;
    readonly autoResendUnfulfilledCommands?: boolean | undefined;
  };
  callBuffer(command: string, args: (string | Buffer | number)[]): Promise<unknown>;
}

/** Lets the store speak through ioredis. Refuses a client that would keep commands back or send them a second time. */
export function ioredisCommands(client: IoredisClient): RedisCommands {
  for (const option of ["enableOfflineQueue", "autoResendUnfulfilledCommands"] as const) {
    if (client.options[option] === false) continue;
    throw new BoundaryError("CONFIG_INVALID", "client", `Create the ioredis client with ${option}: false.`);
  }
  return {
    evalSha: (sha1, keys, args) => client.callBuffer("evalsha", [sha1, keys.length, ...keys, ...args]),
    eval: (source, keys, args) => client.callBuffer("eval", [source, keys.length, ...keys, ...args]),
  };
}
