// What the boundary adds to a bare backend call: memory store, 4 KB raw. Run after `npm run build`.
import { z } from "zod";
import { createHarness, defineTool, memoryStore } from "../dist/index.js";
import { compare, gate } from "./measure.mjs";

const lines = Array.from(
  { length: 40 },
  (_, i) =>
    `2026-03-01T08:05:${String(i).padStart(2, "0")}Z INFO worker ${i} took 12 ms to answer request ${"x".repeat(40)}`,
);
const backend = async () => ({ lines });
console.log(`raw: ${Buffer.byteLength(JSON.stringify({ lines }))} bytes`);

const tool = defineTool({
  name: "query_lines",
  description: "Finds lines.",
  readOnly: true,
  request: z.object({ service: z.string() }),
  execute: backend,
  // no redaction here: that has its own benchmark
  projector: {
    id: "lines",
    version: "1",
    project: (raw) => ({
      items: raw.lines.slice(0, 20).map((text, i) => ({ item_id: `e${i}`, text })),
      truncated: true,
    }),
  },
});
const budget = { calls: 1_000_000, requestBytes: 1e12, rawBytes: 1e12, projectionBytes: 1e12 };
const harness = createHarness({ store: memoryStore(), tools: [tool], limits: { noGain: 1_000_000 } });
let run = await harness.openRun({ sessionId: "bench", budget });
let calls = 0;

const result = await compare(
  "one READY call",
  async (n) => {
    // a diagnosis makes some tens of calls, so a new run every 40
    if (n % 40 === 0) {
      await run.stop("bench");
      run = await harness.openRun({ sessionId: "bench", budget });
    }
    calls += 1;
    const { observation } = await run.call({
      toolCallId: `c${calls}`,
      toolName: "query_lines",
      request: { service: `s${n}` },
    });
    if (observation.outcome !== "OK") throw new Error(JSON.stringify(observation));
  },
  backend,
);
gate("boundary overhead, memory store, 4 KB raw, p50", result.overhead, 100, "µs");
await harness.close();
