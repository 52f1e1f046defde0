import type { RedisStoreConfig, StoreConfig } from "../../config/store-config.ts";
import { BoundaryError } from "../../model/errors.ts";
import { PARTITIONS_KEY } from "../../store/redis/keys.ts";
import { DEFAULT_PARTITIONS, redisStore } from "../../store/redis/redis.ts";
import { withinDeadline } from "../deadline.ts";
import { describeRedisError, openRedisClient, type RedisClient } from "../redis-client.ts";
import { measureSkew } from "./clock.ts";
import { type Finding, failure, failureOfOpening, note } from "./finding.ts";
import { assessRedis, type RedisFacts } from "./redis-findings.ts";

const COMMAND_TIMEOUT_MS = 2_000;

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

async function checkRedis(config: RedisStoreConfig): Promise<readonly Finding[]> {
  let client: RedisClient;
  try {
    client = await openRedisClient(config);
  } catch (error) {
    return [failureOfOpening("store.connection", error, WHY_CONNECTED)];
  }
  try {
    const facts = await readFacts(client, config);
    return assessRedis(facts);
  } catch (error) {
    const what = BoundaryError.is(error) ? error.message : describeRedisError(error);
    return [failure("store.connection", { what, why: WHY_CONNECTED, fix: "Do what is said above." })];
  } finally {
    client.destroy();
  }
}

const WHY_CONNECTED = "Without its store no tool call is executed and no conclusion is published.";

async function readFacts(client: RedisClient, config: RedisStoreConfig): Promise<RedisFacts> {
  const ask = (...command: string[]): Promise<unknown> =>
    withinDeadline(client.sendCommand(command), COMMAND_TIMEOUT_MS, tooLate);
  // an account may lack a command that only this check uses
  const tryTo = async (...command: string[]): Promise<unknown> => {
    try {
      return await ask(...command);
    } catch (error) {
      if (/^NOPERM\b|^ERR unknown command/.test(error instanceof Error ? error.message : "")) return null;
      throw error;
    }
  };
  const started = performance.now();
  await ask("PING");
  const pingMs = performance.now() - started;
  const save = await tryTo("CONFIG", "GET", "save");
  const stored = await ask("GET", PARTITIONS_KEY);
  const partitions = {
    stored: stored === null ? null : Number(stored),
    configured: config.partitions ?? DEFAULT_PARTITIONS,
  };
  const info = parseInfo(await tryTo("INFO"));
  return {
    pingMs,
    info,
    save: settingOf(save),
    clock: await measureSkew(async () => millisecondsOf(await ask("TIME"))),
    partitions,
    scripts: (await tryTo("EVAL", "return 1", "0")) !== null,
    outbox: partitions.stored === partitions.configured ? await readOutbox(client, config) : null,
  };
}

/** Opened only where the number of partitions agrees: opening would write it. */
async function readOutbox(client: RedisClient, { partitions }: RedisStoreConfig): Promise<RedisFacts["outbox"]> {
  const store = await redisStore({ client, ...(partitions === undefined ? {} : { partitions }) });
  return await store.outboxUsage();
}

function tooLate(): BoundaryError {
  return new BoundaryError("STORE_UNAVAILABLE", "store", `Redis did not answer within ${COMMAND_TIMEOUT_MS} ms.`);
}

function millisecondsOf(time: unknown): number {
  const [seconds, microseconds] = Array.isArray(time) ? time : [];
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
}

/** The lines `name:value` of INFO; null where the account may not ask. */
function parseInfo(text: unknown): ReadonlyMap<string, string> | null {
  if (text === null) return null;
  const lines = String(text)
    .split(/\r?\n/)
    .filter((line) => line.includes(":"));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]));
}

/** CONFIG GET answers with a list in RESP2 and with a map in RESP3. */
function settingOf(reply: unknown): string | null {
  if (reply === null || typeof reply !== "object") return null;
  const value: unknown = Array.isArray(reply) ? reply[1] : (reply as Readonly<Record<string, unknown>>)["save"];
  return value === undefined ? null : String(value);
}
