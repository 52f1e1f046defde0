import type { createClient, createCluster, RedisClientOptions } from "redis";
import type { RedisStoreConfig } from "../config/store-config.ts";
import { CONNECTION_REMEDIES, connectionErrorName } from "../model/connection-remedies.ts";
import { BoundaryError } from "../model/errors.ts";
import { errorWord, failureOf } from "../store/redis/redis-failure.ts";
import { withinDeadline } from "./deadline.ts";
import { detailOf } from "./detail.ts";
import { decodePart, readSecret, readUrl } from "./secrets.ts";

export type RedisClient = ReturnType<typeof createClient>;
export type RedisClusterClient = ReturnType<typeof createCluster>;

const CONNECT_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;
/** A connection that gives no answer to its pings for this long is dead, though nothing has closed it. */
const PING_EVERY_MS = 1_000;
const SILENT_FOR_MS = 5_000;

/** A connection to one server or to a cluster of them. */
export interface OpenedRedis {
  /** What `redisStore` takes. */
  readonly client: RedisClient | RedisClusterClient;
  /** A connection to each primary. */
  nodes(): Promise<readonly RedisClient[]>;
  close(): void;
}

/**
 * Connects to the configured Redis. Throws CONFIG_INVALID for an address or secret that is none, and STORE_UNAVAILABLE with the
 * remedy where the first connection fails; a later one is renewed by itself.
 */
export async function openRedis(config: RedisStoreConfig): Promise<OpenedRedis> {
  const client = await openSingle(config);
  if (config.cluster !== true) return { client, nodes: async () => [client], close: () => client.destroy() };
  // it has shown that the address is right; a cluster client tells of a wrong one only that it found no node
  client.destroy();
  const cluster = await openCluster(config);
  return {
    client: cluster,
    nodes: () =>
      Promise.all(cluster.masters.map((node) => cluster.nodeClient(node) as unknown as Promise<RedisClient>)),
    close: () => cluster.destroy(),
  };
}

async function openSingle(config: RedisStoreConfig): Promise<RedisClient> {
  const { createClient } = await import("redis");
  let connected = false;
  let failure: Error | null = null;
  const client = createClient(
    optionsOf(config, (retries, cause) => {
      if (connected) return pauseBefore(retries);
      failure = cause;
      return false;
    }),
  ) as RedisClient;
  // each command that fails says so; without a listener the process would end
  client.on("error", () => undefined);
  try {
    await withinDeadline(client.connect(), connectTimeoutOf(config), tooLate);
    connected = true;
    return client;
  } catch (error) {
    client.destroy();
    throw BoundaryError.is(error) ? error : unavailable(describeRedisError(failure ?? error));
  }
}

async function openCluster(config: RedisStoreConfig): Promise<RedisClusterClient> {
  const { createCluster } = await import("redis");
  const options = optionsOf(config, pauseBefore);
  const cluster = createCluster({ rootNodes: [options], defaults: withoutAddress(options) }) as RedisClusterClient;
  cluster.on("error", () => undefined);
  try {
    await withinDeadline(cluster.connect(), connectTimeoutOf(config), tooLate);
    return cluster;
  } catch (error) {
    cluster.destroy();
    if (BoundaryError.is(error)) throw error;
    throw unavailable("The server is not part of a cluster, or no node of it can be reached: see 'store.cluster'.");
  }
}

type Retry = (retries: number, cause: Error) => number | false;

function optionsOf(config: RedisStoreConfig, reconnectStrategy: Retry): RedisClientOptions {
  return {
    ...credentialsOf(config),
    // what is not sent at once is not sent at all: a command that is sent late would act on a run that has gone on
    disableOfflineQueue: true,
    pingInterval: PING_EVERY_MS,
    // which of the client's socket types this is depends on the address
    socket: {
      ...socketOf(config),
      connectTimeout: connectTimeoutOf(config),
      socketTimeout: SILENT_FOR_MS,
      reconnectStrategy,
    } as NonNullable<RedisClientOptions["socket"]>,
  };
}

/** For nodes of a cluster, which have addresses of their own. */
function withoutAddress(options: RedisClientOptions): RedisClientOptions {
  const { host: _host, port: _port, ...socket } = options.socket as Readonly<Record<string, unknown>>;
  return { ...options, socket: socket as NonNullable<RedisClientOptions["socket"]> };
}

function connectTimeoutOf({ commandTimeoutMs }: RedisStoreConfig): number {
  return commandTimeoutMs ?? CONNECT_TIMEOUT_MS;
}

function pauseBefore(retries: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(retries, 10), LAST_RETRY_MS);
}

function tooLate(): BoundaryError {
  return unavailable(CONNECTION_REMEDIES["ETIMEDOUT"] ?? "");
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

function credentialsOf({ url: address, username, password }: RedisStoreConfig): RedisClientOptions {
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
