import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHarness, defineTool, memoryStore } from "../../../src/index.ts";
import { filesSource } from "../../../src/tools/query-logs/backends/files/files-source.ts";
import { queryLogsTool } from "../../../src/tools/query-logs/query-logs.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "query-logs-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (second: number): string => new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString();

/** Asks for a window of lines, then for errors in a part of it. */
async function ask(lines: readonly string[]) {
  await writeFile(join(folder, "shop.log"), lines.join("\n"));
  const tool = defineTool(queryLogsTool({ sources: [filesSource({ name: "app", files: [join(folder, "*.log")] })] }));
  const harness = createHarness({ store: memoryStore(), tools: [tool] });
  const run = await harness.openRun({ sessionId: "s" });
  const wide = await run.call({ toolCallId: "c1", toolName: "query_logs", request: { from: at(0), to: at(5000) } });
  const request = { from: at(0), to: at(3000), level: "ERROR" };
  const narrow = await run.call({ toolCallId: "c2", toolName: "query_logs", request });
  await harness.close();
  return { wide: wide.observation, narrow: narrow.observation };
}

describe("looking closer", () => {
  it("is possible after an answer that was sampled", async () => {
    const lines = Array.from(
      { length: 2000 },
      (_, i) => `${at(i)} ${i % 50 === 7 ? "ERROR" : "INFO"} door ${i} opened`,
    );
    const { wide, narrow } = await ask(lines);
    expect(wide).toMatchObject({ outcome: "OK", truncated: false, sampled: true });
    expect(narrow).toMatchObject({ outcome: "OK", matched_events: 40 });
  });

  it("is pointless after an answer that showed every event", async () => {
    const { wide, narrow } = await ask([`${at(1)} ERROR door 1 jammed`, `${at(2)} INFO door 2 opened`]);
    expect(wide).toMatchObject({ outcome: "OK", truncated: false, sampled: false });
    expect(narrow).toMatchObject({ outcome: "REFUSED", code: "COVERED" });
  });
});
