// What a READY call costs over Redis: beside PING on the same connection and the same call over the memory store, in turns in the
// same run. Run after `npm run build`.
import { createClient } from "redis";
import { z } from "zod";
import { createHarness, defineTool, memoryStore } from "../dist/index.js";
import { redisStore } from "../dist/store/redis/redis.js";
import { gate, quantile } from "./measure.mjs";
import { startRedis } from "./redis-server.mjs";

const server = await startRedis();
const client = createClient({ url: server.url, disableOfflineQueue: true });
client.on("error", (error) => console.error(error.code));
await client.connect();
const store = await redisStore({ client });

function toolOf(rawBytes) {
  const line = `2026-03-01T08:05:00Z INFO worker took 12 ms to answer request ${"x".repeat(36)}`;
  const lines = Array.from({ length: Math.round(rawBytes / (line.length + 3)) }, () => line);
  return defineTool({
    name: "query_lines",
    description: "Finds lines.",
    readOnly: true,
    request: z.object({ service: z.string() }),
    execute: async () => ({ lines }),
    projector: {
      id: "lines",
      version: "1",
      project: (raw) => ({
        items: raw.lines.slice(0, 20).map((text, i) => ({ item_id: `e${i}`, text })),
        truncated: true,
      }),
    },
  });
}

const budget = { calls: 1e6, requestBytes: 1e12, rawBytes: 1e12, projectionBytes: 1e12 };
/** A diagnosis makes some tens of calls. */
const CALLS_OF_A_RUN = 40;

async function microseconds(work) {
  const started = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - started) / 1_000;
}

/** One caller, in turns with PING and with the same calls over the memory store. */
async function alone(rawBytes, rounds) {
  const tools = [toolOf(rawBytes)];
  const limits = { noGain: 1e6 };
  const harnesses = [createHarness({ store, tools, limits }), createHarness({ store: memoryStore(), tools, limits })];
  const runs = [];
  const times = { ping: [], redis: [], memory: [] };
  for (let n = -100; n < rounds; n += 1) {
    for (const [i, harness] of harnesses.entries()) {
      if (n % CALLS_OF_A_RUN !== 0 && runs[i] !== undefined) continue;
      await runs[i]?.stop("bench");
      runs[i] = await harness.openRun({ sessionId: "bench", budget });
    }
    const ping = await microseconds(() => client.ping());
    const [redis, memory] = [await microseconds(() => ready(runs[0], n)), await microseconds(() => ready(runs[1], n))];
    for (const [name, time] of Object.entries({ ping, redis, memory })) if (n >= 0) times[name].push(time);
  }
  for (const harness of harnesses) await harness.close();
  const p50 = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, quantile(values, 0.5)]));
  const shown = Object.entries(p50).map(([name, value]) => `${name} ${value.toFixed(0)} µs`);
  console.log(
    `${rawBytes} bytes of raw, one caller, p50: ${shown.join(", ")} | p99 ${quantile(times.redis, 0.99).toFixed(0)} µs`,
  );
  return p50;
}

async function ready(run, n) {
  const { observation } = await run.call({
    toolCallId: `c${n}`,
    toolName: "query_lines",
    request: { service: `s${n}` },
  });
  if (observation.outcome !== "OK") throw new Error(JSON.stringify(observation));
}

/** Many callers at once, each with a run of its own. */
async function together(rawBytes, callers, each) {
  const harness = createHarness({ store, tools: [toolOf(rawBytes)], limits: { noGain: 1e6 } });
  const runs = await Promise.all(
    Array.from({ length: callers }, () => harness.openRun({ sessionId: "bench", budget })),
  );
  const times = [];
  const { user, system } = process.cpuUsage();
  const [redisBefore, memoryBefore] = [await redisCpu(), await redisMemory()];
  const spent = await microseconds(async () => {
    const work = runs.map(async (run) => {
      for (let n = 0; n < each; n += 1) {
        const call = { toolCallId: `c${n}`, toolName: "query_lines", request: { service: `s${n}` } };
        times.push(await microseconds(() => run.call(call)));
      }
    });
    await Promise.all(work);
  });
  const own = process.cpuUsage();
  const redis = (await redisCpu()) - redisBefore;
  const count = callers * each;
  const kept = ((await redisMemory()) - memoryBefore) / count;
  const cpu = (own.user + own.system - user - system) / count;
  console.log(
    `${rawBytes} bytes of raw, ${callers} callers: ${((count / spent) * 1e6).toFixed(0)} calls/s, p50 ${quantile(times, 0.5).toFixed(0)} µs, ` +
      `p99 ${quantile(times, 0.99).toFixed(0)} µs | CPU of a call: this process ${cpu.toFixed(0)} µs (${(1e6 / cpu).toFixed(0)} calls/s a core), ` +
      `Redis ${((redis / count) * 1e6).toFixed(0)} µs (${(count / redis).toFixed(0)} calls/s a core) | ` +
      `kept in Redis: ${(kept / 1_000).toFixed(1)} kB a call`,
  );
  await harness.close();
}

/** Seconds of CPU that the server has used. */
async function redisCpu() {
  return (await redisFigure("cpu", "used_cpu_sys")) + (await redisFigure("cpu", "used_cpu_user"));
}

/** Bytes that the server holds. */
function redisMemory() {
  return redisFigure("memory", "used_memory");
}

async function redisFigure(section, name) {
  return Number(new RegExp(`${name}:([\\d.]+)`).exec(await client.info(section))[1]);
}

const small = await alone(4_096, 2_000);
gate("Redis path of a READY call, 4 KB raw, p50", small.redis - small.memory, Math.round(2 * small.ping + 150), "µs");
await alone(262_144, 300);
await together(4_096, 64, 60);
await together(262_144, 64, 4);
await store.close();
client.destroy();
server.stop();
