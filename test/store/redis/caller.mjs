// One of several processes that serve one run. Reads its work as one JSON line, prints one JSON line for each answer.
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "redis";
import { z } from "zod";
import { createHarness, defineTool } from "../../../dist/index.js";
import { redisStore } from "../../../dist/store/redis/redis.js";

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const [, , url] = process.argv;
const client = createClient({ url, disableOfflineQueue: true });
client.on("error", () => undefined);
await client.connect();
const store = await redisStore({ client, deadlineMs: 10_000 });

/** Calls of the run that all wait in their backend until the key `release` is there. */
async function call({ runId, prefix, count, bytes }) {
  const tool = defineTool({
    name: "query_lines",
    description: "Finds lines.",
    readOnly: true,
    request: z.object({ service: z.string() }),
    execute: async () => {
      await client.incr("executions");
      while ((await client.exists("release")) === 0) await pause(20);
      return { lines: ["a"] };
    },
    projector: {
      id: "lines",
      version: "1",
      project: () => ({ items: [{ item_id: "e1", text: "a" }], truncated: false }),
    },
  });
  const harness = createHarness({
    store,
    tools: [tool],
    limits: { call: { rawBytes: bytes, projectionBytes: bytes } },
  });
  const run = await harness.resumeRun(runId);
  const calls = Array.from({ length: count }, async (_, n) => {
    const id = `${prefix}${String(n).padStart(3, "0")}`;
    const { observation } = await run.call({ toolCallId: id, toolName: "query_lines", request: { service: id } });
    say({ outcome: observation.outcome, code: observation.code ?? null });
  });
  await Promise.all(calls);
  await harness.close();
}

/** Uses of one call id, all at once, each an attempt of its own. */
async function begin({ operation, prefix, count }) {
  const uses = Array.from({ length: count }, (_, n) => store.begin({ ...operation, attempt: `${prefix}${n}` }));
  for (const result of await Promise.all(uses)) say({ outcome: result.kind, code: result.code ?? null });
}

for await (const line of createInterface({ input: process.stdin })) {
  const work = JSON.parse(line);
  await (work.verb === "call" ? call(work) : begin(work));
  say({ outcome: "done" });
}
client.destroy();
