import type { RedisStoreConfig, StoreConfig } from "../../config/store-config.ts";
import { BoundaryError } from "../../model/errors.ts";
import { PARTITIONS_KEY } from "../../store/redis/keys.ts";
import { DEFAULT_PARTITIONS, redisStore } from "../../store/redis/redis.ts";
import { describeRedisError, type OpenedRedis, openRedis } from "../redis-client.ts";
import { type Finding, failure, failureOfOpening, note } from "./finding.ts";
import { askRedis, readRedisFacts } from "./redis-facts.ts";
import { assessOutbox, assessPartitions, assessRedis, modeOf } from "./redis-findings.ts";

const WHY_CONNECTED = "Without its store no tool call is executed and no conclusion is published.";

/** Checks the configured store. Writes nothing to it. */
export async function checkStore(config: StoreConfig | undefined): Promise<readonly Finding[]> {
  if (config?.driver === "redis") return await checkRedis(config);
  return [
    note("store.shared", {
      what: "Records are kept in the memory of one process.",
      why: "They end with it, and no other process can check a conclusion against them.",
      fix: "For more than one process configure 'store: { driver: redis, url: redis://host:6379 }'.",
    }),
  ];
}

const UNTOLD_CLUSTER = failure("store.cluster", {
  what: "The server is a node of a cluster, and the configuration does not say so.",
  why: "A run that belongs to another node would be refused.",
  fix: "Set 'store.cluster: true'.",
});

async function checkRedis(config: RedisStoreConfig): Promise<readonly Finding[]> {
  let redis: OpenedRedis | undefined;
  try {
    redis = await openRedis(config);
    return await examine(redis, config);
  } catch (error) {
    return [failureOfOpening("store.connection", asUnavailable(error), WHY_CONNECTED)];
  } finally {
    redis?.close();
  }
}

async function examine(redis: OpenedRedis, config: RedisStoreConfig): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const nodes = await redis.nodes();
  for (const [place, node] of nodes.entries()) {
    const facts = await readRedisFacts(node, nodes.length === 1 ? "" : `primary ${place + 1}`);
    findings.push(...assessRedis(facts));
    if (config.cluster !== true && facts.info !== null && modeOf(facts.info) === "cluster")
      return [...findings, UNTOLD_CLUSTER];
  }
  const text = await askRedis(redis.client.get(PARTITIONS_KEY));
  const stored = text === null ? null : Number(text);
  const configured = config.partitions ?? DEFAULT_PARTITIONS;
  findings.push(assessPartitions(stored, configured));
  // opened only where the number agrees, since opening an empty store would write it
  if (stored !== configured) return findings;
  const store = await redisStore({ client: redis.client, partitions: configured });
  return [...findings, assessOutbox(await store.outboxUsage())];
}

function asUnavailable(error: unknown): BoundaryError {
  if (BoundaryError.is(error)) return error;
  return new BoundaryError("STORE_UNAVAILABLE", "store", describeRedisError(error));
}
