import type { createClient, RedisClientOptions } from "redis";
import type { RedisStoreConfig } from "../config/store-config.ts";
import { CONNECTION_REMEDIES, connectionErrorName } from "../model/connection-remedies.ts";
import { BoundaryError } from "../model/errors.ts";
import { errorWord, failureOf } from "../store/redis/redis-failure.ts";
import { withinDeadline } from "./deadline.ts";
import { detailOf } from "./detail.ts";
import { decodePart, readSecret, readUrl } from "./secrets.ts";

export type RedisClient = ReturnType<typeof createClient>;

const CONNECT_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;

/**
 * Connects to the configured Redis. Throws CONFIG_INVALID for an address or secret that is none, and STORE_UNAVAILABLE with the
 * remedy where the first connection fails; a later one is renewed by itself.
 */
export async function openRedisClient(config: RedisStoreConfig): Promise<RedisClient> {
  const { createClient } = await import("redis");
  const connectTimeout = config.commandTimeoutMs ?? CONNECT_TIMEOUT_MS;
  let connected = false;
  let failure: Error | null = null;
  const client = createClient({
    ...addressOf(config),
    // what is not sent at once is not sent at all: a command that is sent late would act on a run that has gone on
    disableOfflineQueue: true,
    socket: {
      ...socketOf(config),
      connectTimeout,
      reconnectStrategy: (retries: number, cause: Error) => {
        if (connected) return Math.min(FIRST_RETRY_MS * 2 ** Math.min(retries, 10), LAST_RETRY_MS);
        failure = cause;
        return false;
      },
    },
  } as RedisClientOptions) as RedisClient;
  // each command that fails says so; without a listener the process would end
  client.on("error", () => undefined);
  try {
    const late = (): BoundaryError => unavailable(CONNECTION_REMEDIES["ETIMEDOUT"] ?? "");
    await withinDeadline(client.connect(), connectTimeout, late);
    connected = true;
    return client;
  } catch (error) {
    client.destroy();
    throw BoundaryError.is(error) ? error : unavailable(describeRedisError(failure ?? error));
  }
}

/** An error of the client or the server in words of ours. */
export function describeRedisError(error: unknown): string {
  const name = connectionErrorName(error);
  const remedy = name === null ? undefined : CONNECTION_REMEDIES[name];
  if (remedy !== undefined) return `${remedy} (${name})`;
  // neither a connection's error nor a server's: what answered could not be understood
  return errorWord(error) === null ? (CONNECTION_REMEDIES["ECONNRESET"] ?? "") : detailOf(failureOf(error));
}

function unavailable(detail: string): BoundaryError {
  return new BoundaryError("STORE_UNAVAILABLE", "store", detail);
}

function addressOf({ url: address, username, password }: RedisStoreConfig): RedisClientOptions {
  const own = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password: readSecret(password, "store.password") }),
  };
  if (address === undefined) return own;
  const url = readUrl(address, "store.url", ["redis:", "rediss:"]);
  const database = url.pathname.replace(/^\//, "");
  if (!/^\d{0,5}$/.test(database)) {
    throw new BoundaryError(
      "CONFIG_INVALID",
      "store.url",
      "'store.url': what follows the port is a database's number.",
    );
  }
  return {
    ...(database === "" ? {} : { database: Number(database) }),
    ...(url.username === "" ? {} : { username: decodePart(url.username, "store.url") }),
    ...(url.password === "" ? {} : { password: decodePart(url.password, "store.url") }),
    ...own,
  };
}

function socketOf({ url: address, socket }: RedisStoreConfig): Readonly<Record<string, unknown>> {
  if (address === undefined) return { path: socket, tls: false };
  const { hostname, port, protocol } = readUrl(address, "store.url", ["redis:", "rediss:"]);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return { host, port: port === "" ? 6_379 : Number(port), ...(protocol === "rediss:" ? { tls: true } : {}) };
}
