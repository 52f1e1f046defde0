// Whether memory stays flat over 200,000 calls in runs that are closed. Run with --expose-gc after `npm run build`.
import { z } from "zod";
import { createHarness, defineTool, memoryStore } from "../dist/index.js";
import { gate } from "./measure.mjs";

const CALLS = 200_000;
const CALLS_A_RUN = 40;
const line = "2026-03-01T08:05:00Z INFO worker took 12 ms to answer a request of the shop ";
const tool = defineTool({
  name: "query_lines",
  description: "Finds lines.",
  readOnly: true,
  request: z.object({ n: z.number() }),
  // other text at each call, so that nothing is shared
  execute: async ({ n }) => ({ lines: Array.from({ length: 40 }, (_, i) => `${line}${n}-${i}`) }),
  projector: {
    id: "lines",
    version: "1",
    project: (raw) => ({
      items: raw.lines.slice(0, 5).map((text, i) => ({ item_id: `e${i}`, text })),
      truncated: true,
    }),
  },
});
const store = memoryStore({ maxBytes: 64 * 1024 * 1024 });
const harness = createHarness({ store, tools: [tool], limits: { noGain: 1_000 } });
const heap = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
};

const samples = [];
for (let n = 0; n < CALLS; n += CALLS_A_RUN) {
  const run = await harness.openRun({ sessionId: "bench" });
  for (let i = 0; i < CALLS_A_RUN; i += 1) {
    const { observation } = await run.call({ toolCallId: `c${i}`, toolName: "query_lines", request: { n: n + i } });
    if (observation.outcome !== "OK") throw new Error(JSON.stringify(observation));
  }
  await run.stop("bench");
  if ((n + CALLS_A_RUN) % (CALLS / 10) === 0) samples.push(heap());
}
console.log(`heap after each tenth of ${CALLS} calls, MB: ${samples.map((mb) => mb.toFixed(0)).join(" ")}`);
console.log(`store: ${(store.usage.bytes / 1e6).toFixed(0)} MB in ${store.usage.runs} runs`);
const [half, last] = [samples[4], samples[9]];
gate("growth of the heap over the second half of the calls", ((last - half) / half) * 100, 10, "%");
await harness.close();
