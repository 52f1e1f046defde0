import { z } from "zod";
import { address, type SecretReference, secretReference } from "./secret-reference.ts";

/** Records in the memory of this process alone. */
export interface MemoryStoreConfig {
  readonly driver: "memory";
  readonly maxBytes?: number;
  readonly maxRuns?: number;
}

/** Records in a Redis or Valkey server that processes share; exactly one of `url` and `socket`. */
export interface RedisStoreConfig {
  readonly driver: "redis";
  readonly url?: string | SecretReference;
  readonly socket?: string;
  readonly username?: string;
  readonly password?: SecretReference;
  /** Whether `url` names one node of a cluster. */
  readonly cluster?: boolean;
  readonly partitions?: number;
  readonly commandTimeoutMs?: number;
}

export type StoreConfig = MemoryStoreConfig | RedisStoreConfig;

const positive = z.int().positive();

const memory = z.strictObject({
  driver: z.literal("memory"),
  maxBytes: positive.exactOptional().describe("Bytes of records that are kept; default 256 MiB."),
  maxRuns: positive.exactOptional(),
});

const redis = z
  .strictObject({
    driver: z.literal("redis"),
    url: address.exactOptional().describe("redis://host:port, or rediss://host:port for TLS."),
    socket: z.string().min(1).exactOptional().describe("Path of a unix socket, instead of a URL."),
    username: z.string().min(1).exactOptional(),
    password: secretReference.exactOptional(),
    cluster: z.boolean().exactOptional().describe("Whether 'url' names one node of a cluster."),
    partitions: positive.exactOptional().describe("Fixed by the first process that opens the store; default 64."),
    commandTimeoutMs: positive
      .exactOptional()
      .describe("How long one command may take; default 2000. Also how long connecting may take; default 5000."),
  })
  .refine(({ url, socket }) => (url === undefined) !== (socket === undefined), "give either 'url' or 'socket'")
  .refine(({ socket, cluster }) => socket === undefined || cluster !== true, "a cluster is named by a 'url'");

export const storeConfig: z.ZodType<StoreConfig> = z
  .discriminatedUnion("driver", [memory, redis])
  .describe("Where records of calls live for their TTL.");
