import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHarness } from "../../../src/boundary/harness.ts";
import { MemoryStore } from "../../../src/store/memory/memory-store.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { filesSource } from "../../../src/tools/query-logs/backends/files/files-source.ts";
import { queryLogsTool } from "../../../src/tools/query-logs/query-logs.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "query-logs-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function observe(lines: readonly string[], filter: object = {}) {
  await writeFile(join(folder, "app.log"), lines.map((line) => `${line}\n`).join(""));
  const source = filesSource({ name: "app", files: [join(folder, "app.log")], service: "shop" });
  const harness = createHarness({
    store: new MemoryStore(),
    tools: [defineTool(queryLogsTool({ sources: [source] }))],
  });
  const run = await harness.openRun({ sessionId: "s" });
  const request = { from: "2025-03-13T02:00:00Z", to: "2025-03-13T03:00:00Z", ...filter };
  return (await run.call({ toolCallId: "c1", toolName: "query_logs", request })).observation;
}

/** What a model sees, without what names the call. */
async function answer(lines: readonly string[], filter: object): Promise<string> {
  const { items, evidence_status, code, truncated, matched_events, unparsed_lines } = (await observe(
    lines,
    filter,
  )) as {
    readonly [key: string]: unknown;
  };
  return JSON.stringify({ items, evidence_status, code, truncated, matched_events, unparsed_lines });
}

const TEXT = "2025-03-13T02:07:33Z ERROR login refused, password=Ledger-2VG3spEV for app";
const JSON_LINE = '{"ts":"2025-03-13T02:07:33Z","level":"ERROR","msg":"login refused","password":"Ledger-2VG3spEV"}';
const LOGFMT = 'ts=2025-03-13T02:07:33Z level=error msg="login refused" password=Ledger-2VG3spEV';
const OTHER = "2025-03-13T02:09:00Z ERROR pool timed out";

describe("a right and a wrong guess at a secret", () => {
  it.each([
    [[TEXT], { pattern: "password=L" }, { pattern: "password=X" }],
    [[TEXT], { pattern: "password=[^l]" }, { pattern: "password=[^x]" }],
    [[TEXT], { pattern: "password=\\w" }, { pattern: "password=\\W" }],
    [[TEXT], { pattern: "password=\\b" }, { pattern: "password=\\B" }],
    [[TEXT], { pattern: "password=.{15} for" }, { pattern: "password=.{16} for" }],
    [[TEXT], { pattern: "password=(l.*|x.{3})" }, { pattern: "password=(m.*|x.{3})" }],
    [[TEXT], { keywords: ["password=Ledger-2"] }, { keywords: ["password=Ledger-3"] }],
    [[TEXT], { keywords: ["2VG3spEV"] }, { keywords: ["2VG3spEX"] }],
    [[JSON_LINE], { pattern: 'password":"L' }, { pattern: 'password":"X' }],
    [[JSON_LINE], { keywords: ["Ledger-2"] }, { keywords: ["Ledger-3"] }],
    [[LOGFMT], { pattern: "password=L" }, { pattern: "password=X" }],
    [[TEXT, OTHER], { pattern: "password=L|timed", limit: 1 }, { pattern: "password=X|timed", limit: 1 }],
    [[TEXT, TEXT], { pattern: "password=L", limit: 1 }, { pattern: "password=X", limit: 1 }],
    [
      ["login refused, password=Ledger-2VG3spEV", OTHER],
      { pattern: "password=L", level: "ERROR" },
      { pattern: "password=X", level: "ERROR" },
    ],
    [
      ["login refused, password=Ledger-2VG3spEV", OTHER],
      { pattern: "password=L|timed" },
      { pattern: "password=X|timed" },
    ],
  ])("are answered alike: %j %j %j", async (lines, right, wrong) => {
    expect(await answer(lines, right)).toBe(await answer(lines, wrong));
  });
});

describe("a filter that does not look into a secret", () => {
  it.each([
    [TEXT, { pattern: "password=" }],
    [TEXT, { pattern: "refused.*for app" }],
    [TEXT, { pattern: "password=\\S+ for" }],
    [TEXT, { pattern: "02:07" }],
    [TEXT, { keywords: ["refused", "app"] }],
    [JSON_LINE, { pattern: '"password":"[^"]*"' }],
    [LOGFMT, { keywords: ["level=error", "password="] }],
  ])("finds the event: %j %j", async (line, filter) => {
    expect(await observe([line, OTHER], filter)).toMatchObject({
      evidence_status: "EVIDENCE_FOUND",
      matched_events: 1,
    });
  });
});

it.each([
  ["dial 10.12.3.4:5432 refused, password=Ledger-2VG3spEV", "10.12.3.4"],
  ["db-prod-21.acme.internal is down", "DB-prod-21.acme"],
  ["order by 13912345678 failed", "13912345678"],
  ["update t set name='Ann Lee' where id = 88123", "ann"],
])("finds an identifier that is shown as an alias: %s", async (message, keyword) => {
  const line = `2025-03-13T02:07:33Z ERROR ${message}`;
  const seen = await observe([line, OTHER], { keywords: keyword });
  expect(seen).toMatchObject({ evidence_status: "EVIDENCE_FOUND", matched_events: 1 });
  expect(JSON.stringify(seen)).not.toContain("Ledger");
});

const DEEP = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;

it.each([
  ["nested very deeply", `{"ts":"2025-03-13T02:07:33Z","msg":${DEEP}}`],
  ["nested very deeply in its fields", `{"ts":"2025-03-13T02:07:33Z","fields":{"message":${DEEP}}}`],
  ["nested very deeply in a container's line", `{"log":"{\\"msg\\":${DEEP}}\\n","time":"2025-03-13T02:07:33Z"}`],
  ["a long string that never ends", `{"msg":"1234567890123456 ${'\\\\\\"'.repeat(50_000)}`],
])("shows the other events when one line is %s", async (_, bad) => {
  const fine = '{"ts":"2025-03-13T02:08:00Z","msg":"pool timed out"}';
  expect(JSON.stringify(await observe([fine, bad, fine]))).toContain("pool timed out");
});

it("holds a secret back that stands in a line nested too deeply to be read as JSON", async () => {
  const bad = `{"ts":"2025-03-13T02:07:33Z","msg":"x","o":${'{"a":'.repeat(200)}{"password":"Ledger-2VG3spEV"}${"}".repeat(201)}`;
  const seen = JSON.stringify(await observe([bad]));
  expect(seen).toContain("[[secret:pw]]");
  expect(seen).not.toContain("Ledger");
});
