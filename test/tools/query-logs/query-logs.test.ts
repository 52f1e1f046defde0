import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { filesSource } from "../../../src/tools/query-logs/backends/files/files-source.ts";
import { queryLogsTool } from "../../../src/tools/query-logs/query-logs.ts";
import { IDENTITY } from "./fixture.ts";

const NOW = Date.UTC(2026, 6, 29, 12);
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "query-logs-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const tool = () =>
  defineTool(queryLogsTool({ sources: [filesSource({ name: "app", files: [join(folder, "*.log")] })] }));

async function call(request: JsonValue): Promise<Record<string, unknown>> {
  const query = tool();
  const prepared = query.prepare(query.parse(request), { now: NOW, alias: (text) => text });
  const raw = await prepared.execute({ signal: new AbortController().signal, maxRawBytes: 1_000_000 });
  return prepared.project(JSON.parse(JSON.stringify(raw)), { limits: { maxBytes: 16_384 }, redact: IDENTITY });
}

describe("query_logs", () => {
  it("answers a call from request to observation", async () => {
    await writeFile(
      join(folder, "shop.log"),
      "2026-07-29T11:50:00Z ERROR door 7 jammed\n2026-07-29T09:00:00Z ERROR door 8 jammed\n",
    );
    const result = await call({ from: "now-1h", to: "now", level: "WARN", keywords: ["jammed"], service: "shop" });
    expect(result).toMatchObject({
      matched_events: 1,
      items: [
        { kind: "pattern", text: "door <*> jammed" },
        { kind: "event", service: "shop" },
      ],
    });
  });

  it("answers with nothing only when there is nothing", async () => {
    await writeFile(join(folder, "shop.log"), "2026-07-29T11:50:00Z INFO door 7 opened\n");
    await expect(call({ from: "now-1h", to: "now", level: "ERROR" })).resolves.toMatchObject({
      items: [],
      truncated: false,
    });
    await expect(call({ from: "now-1h", to: "now", service: "billing" })).rejects.toMatchObject({
      code: "PARTIAL_RESULT",
    });
  });

  it.each([
    [{ from: "now-1h" }, "to"],
    [{ from: "now-1h", to: "now", level: "LOUD" }, "level"],
    [{ from: "now-1h", to: "now", limit: 0 }, "limit"],
    [{ from: "now-1h", to: "now", keywords: [1] }, "keywords"],
  ])("refuses %j and names the field", (request, field) => {
    expect(() => tool().parse(request)).toThrow(expect.objectContaining({ code: "REQUEST_INVALID", field }));
  });

  it("names its sources to the model and takes aliases for services alone", () => {
    expect(tool().description).toContain("app");
    expect(tool().aliasFields).toEqual(["service"]);
  });

  it("refuses two sources of one name", () => {
    const source = filesSource({ name: "app", files: ["*.log"] });
    expect(() => queryLogsTool({ sources: [source, source] })).toThrow(
      expect.objectContaining({ code: "TOOL_INVALID" }),
    );
  });
});
