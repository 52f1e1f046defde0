import { BoundaryError } from "../../model/errors.ts";
import { errorWord } from "../../store/redis/redis-failure.ts";
import { withinDeadline } from "../deadline.ts";
import type { RedisClient } from "../redis-client.ts";
import { measureSkew } from "./clock.ts";
import type { RedisFacts } from "./redis-findings.ts";

const COMMAND_TIMEOUT_MS = 2_000;

/** Asks one server. Throws what the client throws, and STORE_UNAVAILABLE when it does not answer. */
export async function readRedisFacts(client: RedisClient, name: string): Promise<RedisFacts> {
  const ask = (...command: string[]): Promise<unknown> => askRedis(client.sendCommand(command));
  const started = performance.now();
  await ask("PING");
  const pingMs = performance.now() - started;
  return {
    name,
    pingMs,
    info: parseInfo(await unlessForbidden(ask("INFO"))),
    save: settingOf(await unlessForbidden(ask("CONFIG", "GET", "save"))),
    clock: await measureSkew(async () => millisecondsOf(await ask("TIME"))),
    scripts: (await unlessForbidden(ask("EVAL", "return 1", "0"))) !== null,
  };
}

/** The answer, within a deadline of our own. */
export async function askRedis<T>(answer: Promise<T>): Promise<T> {
  return await withinDeadline(answer, COMMAND_TIMEOUT_MS, () => {
    return new BoundaryError("STORE_UNAVAILABLE", "store", `Redis did not answer within ${COMMAND_TIMEOUT_MS} ms.`);
  });
}

/** Null where the account may not use a command, or the server does not have it: managed ones hide CONFIG. */
async function unlessForbidden(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (["NOPERM", "ERR"].includes(errorWord(error) ?? "")) return null;
    throw error;
  }
}

function millisecondsOf(time: unknown): number {
  const [seconds, microseconds] = Array.isArray(time) ? time : [];
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
}

/** The lines `name:value` of INFO. */
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
