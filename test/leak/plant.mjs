// Plants canaries through every carrier a tool, a backend or a model has, against the built package. What the model is shown
// goes to seen.json, what the canonical store holds to store.json; stdout, stderr and the audit file speak for themselves.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { z } from "zod";
import { sqliteAudit } from "../../dist/audit/sqlite/sqlite-audit.js";
import { BoundaryError, createHarness, defineTool, memoryStore } from "../../dist/index.js";
import { McpRunServer } from "../../dist/mcp/server.js";

const [folder, ...canaries] = process.argv.slice(2);
const lines = (raw, _, { redact }) => ({
  items: (raw.lines ?? []).map((line, i) => ({ item_id: `e${i}`, text: redact.text(line) })),
  truncated: false,
});
const base = { description: "A tool.", readOnly: true, request: z.object({ service: z.string() }) };
const projector = { id: "lines", version: "1", project: lines };
const error = (message, rest = {}) => Object.assign(new Error(message), rest);
const failing = (make) => (c) => ({ execute: () => Promise.reject(make(c)) });
const returning = (make) => (c) => ({ execute: async () => make(c) });
const text = (make) => returning((c) => ({ lines: [make(c)] }));
const b64 = (value) => Buffer.from(value).toString("base64");

/** One carrier each: how a canary gets into a tool. The first ones end up in raw, which only the store may hold. */
const CARRIERS = [
  returning((c) => ({ lines: ["a"], hidden: c })),
  returning((c) => ({ lines: ["a"], deep: { er: [{ still: c }] } })),
  returning((c) => ({ lines: ["a"], [c]: 1 })),
  returning((c) => ({ lines: ["a"], bytes: Buffer.from(c) })),
  text((c) => `login password=${c} failed`),
  text((c) => `Authorization: Bearer ${c}`),
  text((c) => `{"user":"app","password":"${c}"}`),
  text((c) => JSON.stringify({ body: JSON.stringify({ client_secret: c }) })),
  text((c) => `connect to postgres://app:${c}@db.internal:5432/shop`),
  text((c) => `Cookie: JSESSIONID=${c}`),
  text((c) => `Authorization: Basic ${b64(`app:${c}`)}`),
  text((c) => `jdbc:mysql://db/shop?user=app&password=${c}&ssl=true`),
  text((c) => `数据库密码：${c}，请勿外传`),
  text((c) => `curl -u app:${c} https://api.internal/v1`),
  text((c) => `api_key: ${c}`),
  failing((c) => error(c)),
  failing((c) => new Error("failed", { cause: error(c) })),
  failing((c) => error("failed", { stack: `Error: ${c}\n at ${c}` })),
  failing((c) => error("failed", { name: c })),
  failing((c) => error("failed", { code: c })),
  failing((c) => new AggregateError([error(c)], c)),
  failing((c) => new BoundaryError("BACKEND_ERROR", undefined, c)),
  failing((c) => new BoundaryError("BACKEND_ERROR", `${c} !`)),
  failing((c) => c),
  failing((c) => ({ toString: () => c, message: c })),
  failing((c) => ({
    get message() {
      throw error(c);
    },
  })),
  (c) => ({
    execute: () => {
      throw error(c);
    },
  }),
  (c) => ({
    execute: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(error(c)))),
  }),
  returning((c) => ({
    lines: ["a"],
    get x() {
      throw error(c);
    },
  })),
  returning((c) => ({
    lines: ["a"],
    toJSON() {
      throw error(c);
    },
  })),
  (c) => ({
    projector: {
      ...projector,
      project: () => {
        throw error(c);
      },
    },
  }),
  (c) => ({
    projector: {
      ...projector,
      project: () => {
        throw new BoundaryError("PROJECTION_FAILED", undefined, c);
      },
    },
  }),
  (c) => ({
    result: z.object({ items: z.array(z.object({ item_id: z.string() })), truncated: z.boolean() }),
    projector: { ...projector, project: () => ({ items: [{ item_id: "a", more: c }], truncated: false, more: c }) },
  }),
  (c) => ({
    projector: {
      ...projector,
      measure: () => {
        throw error(c);
      },
    },
  }),
  (c) => ({
    resolve: () => {
      throw error(c);
    },
  }),
  (c) => ({
    resolve: () => {
      throw new BoundaryError("RANGE_INVALID", "from", c);
    },
  }),
];
const tools = CARRIERS.map((carrier, i) =>
  defineTool({
    ...base,
    name: `tool_${i}`,
    execute: async () => ({ lines: ["a line"] }),
    projector,
    ...carrier(canaries[i]),
  }),
);
const rest = canaries.slice(CARRIERS.length);

const audit = await sqliteAudit({ file: join(folder, "audit.db") });
const store = memoryStore();
const limits = { noGain: 1_000, call: { deadlineMs: 200 } };
const harness = createHarness({ store, audit, tools, limits });
const run = await harness.openRun({ sessionId: "leak", budget: { calls: 1_000, rawBytes: 1e9, projectionBytes: 1e9 } });
const server = new McpRunServer({ run, tools, version: "0" });
const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect().connect(far);
const client = new Client({ name: "leak", version: "1" });
await client.connect(near);

const seen = [await client.listTools()];
const call = async (name, input) =>
  seen.push(await client.callTool({ name, arguments: input }).catch((thrown) => String(thrown?.stack)));
for (const [i, tool] of tools.entries()) await call(tool.name, { service: `s${i}` });
// what a model may get wrong
await call("tool_0", { service: 7, other: rest[0] });
await call("tool_0", { [rest[1]]: "x" });
await call(rest[2], { service: "a" });
await call("tool_0", { service: "b", previous_evaluation: { verdict: "GAIN", hypothesis: rest[3] } });
await call("recall_observation", { tool_call_id: `${rest[4]} and more` });
await call("submit_diagnosis", { claims: [{ kind: rest[5], text: "x", citations: [] }] });
await run.stop(`stopped because ${rest[6]}`);
await client.close();
await harness.close();
await audit.close();

// a sink whose failures speak
const bad = { record: () => Promise.reject(error(rest[7])), recordRun: () => Promise.reject(error(rest[7])) };
const other = createHarness({ store: memoryStore(), audit: bad, tools });
const second = await other.openRun({ sessionId: "leak" });
seen.push((await second.call({ toolCallId: "x", toolName: "tool_0", request: { service: "a" } })).observation);
await new Promise((resolve) => setTimeout(resolve, 50));
await other.close();

const records = [];
for (const id of await store.list(run.runId))
  records.push(await store.readRaw(run.runId, id), await store.read(run.runId, [id]));
writeFileSync(join(folder, "seen.json"), JSON.stringify(seen));
writeFileSync(join(folder, "store.json"), JSON.stringify(records));
