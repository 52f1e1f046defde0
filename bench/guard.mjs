// What a verdict of the EvidenceGuard takes for each claim: a draft of 20 claims over 10 cited calls in the memory store, beside
// parsing the same draft from JSON. Run after `npm run build`.
import { z } from "zod";
import { createHarness, defineTool, memoryStore } from "../dist/index.js";
import { compare, gate } from "./measure.mjs";

const CALLS = 10;
const CLAIMS = 20;

const tool = defineTool({
  name: "query_lines",
  description: "Finds lines.",
  readOnly: true,
  request: z.object({ service: z.string() }),
  execute: async ({ service }) => ({
    lines: Array.from(
      { length: 20 },
      (_, i) => `2026-03-01T08:05:${10 + i}Z ERROR ${service}: pool timed out after ${i * 7 + 3} ms`,
    ),
  }),
  projector: {
    id: "lines",
    version: "1",
    project: (raw) => ({ items: raw.lines.map((text, i) => ({ item_id: `e${i}`, text })), truncated: false }),
  },
});
const harness = createHarness({ store: memoryStore(), tools: [tool], limits: { noGain: 1_000 } });
const run = await harness.openRun({ sessionId: "bench" });
const items = [];
for (let n = 0; n < CALLS; n += 1) {
  const call = { toolCallId: `c${n}`, toolName: "query_lines", request: { service: `service-${n}` } };
  const { observation } = await run.call(call);
  items.push(observation.items);
}

const claims = Array.from({ length: CLAIMS }, (_, n) => {
  const [call, place] = [n % CALLS, n % 20];
  const { item_id, text } = items[call][place];
  const kind = n % 5 === 4 ? "root_cause" : "observation";
  const value = /after (\d+) ms/.exec(text)[1];
  return {
    id: `claim-${n}`,
    kind,
    text: `service-${call} reports that its pool timed out after ${value} ms`,
    citations: [{ tool_call_id: `c${call}`, item_id, quote: text }],
  };
});
const draft = { run_id: run.runId, claims };
const text = JSON.stringify(draft);
const verdict = await run.verify(draft);
if (verdict.verdict !== "PASS") throw new Error(JSON.stringify(verdict));

const { p50 } = await compare(
  "a verdict on 20 claims",
  () => run.verify(draft),
  async () => JSON.parse(text),
  { rounds: 1_000 },
);
gate("EvidenceGuard, memory store, a claim, p50", p50 / CLAIMS, 100, "µs");
await harness.close();
