// Makes one call over Redis and says when it has come to the named step; its owner kills it there.
import { createClient } from "redis";
import { z } from "zod";
import { createHarness, defineTool } from "../../dist/index.js";
import { redisStore } from "../../dist/store/redis/redis.js";

const [url, runId, step] = process.argv.slice(2);
const arrived = async (at) => {
  if (at !== step) return;
  process.stdout.write("here\n");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
};
const client = createClient({ url, disableOfflineQueue: true });
client.on("error", () => undefined);
await client.connect();
const store = await redisStore({ client });
const settle = store.settle.bind(store);
store.settle = async (operation) => {
  await arrived("settle");
  const result = await settle(operation);
  await arrived("answer");
  return result;
};
const tool = defineTool({
  name: "query_lines",
  description: "Finds lines.",
  readOnly: true,
  request: z.object({ service: z.string() }),
  execute: async () => {
    await arrived("execute");
    return { lines: ["pool timed out"] };
  },
  projector: {
    id: "lines",
    version: "1",
    project: (raw) => ({ items: raw.lines.map((text, i) => ({ item_id: `e${i + 1}`, text })), truncated: false }),
  },
});
const harness = createHarness({
  store,
  tools: [tool],
  limits: { call: { deadlineMs: 300 } },
  audit: { record: () => new Promise(() => undefined), recordRun: async () => undefined },
});
const run = await harness.resumeRun(runId);
await run.call({ toolCallId: "c1", toolName: "query_lines", request: { service: "checkout" } });
