import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sqliteAudit } from "../../src/audit/sqlite/sqlite-audit.ts";
import { generateIncident, type Incident } from "../../src/cli/demo/incident/generate.ts";
import { CALLS, DRAFTS, type ScriptedClaim } from "../../src/cli/demo/incident/script.ts";
import { plantedSecrets } from "../../src/cli/demo/incident/secrets.ts";

const cli = resolve(import.meta.dirname, "../../dist/cli/main.js");

interface Answer {
  readonly outcome: string;
  readonly [field: string]: unknown;
}

let folder: string;
let incident: Incident;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dualview-mcp-"));
  incident = await generateIncident(folder);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A real client over stdio against the built command. */
async function connect(runId: string, pin: string | null) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, "serve", "--config", incident.config, "--run", runId],
    stderr: "ignore",
  });
  const negotiation = pin === null ? {} : { versionNegotiation: { mode: { pin } } };
  const client = new Client({ name: "test", version: "1" }, negotiation);
  await client.connect(transport);
  const call = async (name: string, input: object): Promise<{ answer: Answer; isError: boolean; text: string }> => {
    const result = await client.callTool({ name, arguments: { ...input } });
    const text = (result.content as { type: string; text: string }[]).map((part) => part.text).join("");
    expect(
      Object.keys(result)
        .filter((key) => key !== "_meta" && key !== "resultType")
        .sort(),
    ).toEqual(result.isError === true ? ["content", "isError", "structuredContent"] : ["content", "structuredContent"]);
    expect(JSON.parse(text)).toEqual(result.structuredContent);
    return { answer: result.structuredContent as Answer, isError: result.isError === true, text };
  };
  return { client, call };
}

describe.each([
  ["2026-07-28", "2026-07-28"],
  ["2025-11-25", null],
])("a client of protocol %s over stdio", (version, pin) => {
  const runId = `run-${version}`;

  it("lists the tools, works the incident, repeats itself, is stopped, and submits a diagnosis", async () => {
    const { client, call } = await connect(runId, pin);
    try {
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual([
        "lookup_knowledge",
        "query_logs",
        "query_mysql",
        "recall_observation",
        "submit_diagnosis",
      ]);
      for (const tool of tools) {
        expect(tool.description?.length).toBeGreaterThan(40);
        expect(tool.inputSchema["type"]).toBe("object");
        expect(tool.outputSchema?.["type"]).toBe("object");
      }

      const answers = new Map<string, Answer>();
      const seen: string[] = [];
      for (const scripted of CALLS) {
        const input = {
          ...scripted.request,
          ...(scripted.previousEvaluation && { previous_evaluation: scripted.previousEvaluation }),
        };
        const { answer, isError, text } = await call(scripted.toolName, input);
        seen.push(text);
        answers.set(scripted.toolCallId, answer);
        expect(isError).toBe(answer.outcome === "ERROR");
        if (typeof scripted.expect === "object") expect(scripted.expect.refused).toContain(answer["code"]);
        else expect(answer).toMatchObject({ outcome: "OK", evidence_status: scripted.expect });
      }
      expect(answers.get("call-2")?.["tool_call_id"]).toBe("c2");

      const recalled = await call("recall_observation", { tool_call_id: "c2" });
      expect(recalled.answer).toEqual(answers.get("call-2"));
      const unknown = await call("no_such_tool", { any: 1 });
      expect(unknown.answer).toMatchObject({ outcome: "REFUSED", code: "TOOL_UNKNOWN" });

      const forged = await call("submit_diagnosis", { claims: claimsOf(2, answers) });
      expect(forged.answer).toMatchObject({ outcome: "REJECTED", verdict: "REJECT" });
      const submitted = await call("submit_diagnosis", { claims: claimsOf(0, answers) });
      expect(submitted.answer).toMatchObject({ outcome: "PUBLISHED", verdict: "PASS" });
      const late = await call("query_logs", {
        source: "checkout",
        from: "2025-03-13T01:00:00Z",
        to: "2025-03-13T01:10:00Z",
      });
      expect(late.answer).toMatchObject({ outcome: "REFUSED", code: "RUN_NOT_ACTIVE" });

      const all = JSON.stringify([seen, recalled, unknown, forged, submitted, late]);
      expect(
        plantedSecrets()
          .filter((secret) => all.includes(secret.value))
          .map((secret) => secret.kind),
      ).toEqual([]);
    } finally {
      await client.close();
    }
  }, 60_000);

  it("leaves one audit row for every call, and the run's end", async () => {
    const audit = await sqliteAudit({ file: join(folder, "audit.db") });
    try {
      const rows = [...(await audit.list({ runId, afterId: 0 }))];
      expect(rows.map((row) => row.tool_name)).toEqual([
        ...CALLS.map((call) => call.toolName),
        "recall_observation",
        "UNKNOWN",
        "query_logs",
      ]);
      const text = JSON.stringify(rows);
      expect(plantedSecrets().filter((secret) => text.includes(secret.value))).toEqual([]);
    } finally {
      await audit.close();
    }
  });
});

describe("a client that goes away in the middle of a call", () => {
  it.each([
    ["crashed", (child: ChildProcessWithoutNullStreams) => void child.stdout.destroy()],
    ["hung up", (child: ChildProcessWithoutNullStreams) => void child.stdin.end()],
  ])("and has %s leaves an audit row of that call", async (how, leave) => {
    const runId = `run-${how.replace(" ", "-")}`;
    const child = spawn(process.execPath, [cli, "serve", "--config", incident.config, "--run", runId]);
    child.stdin.on("error", () => undefined);
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    send({ id: 1, method: "initialize", params });
    await once(child.stdout, "data");
    send({ method: "notifications/initialized" });
    const window = { from: "2025-03-13T02:00:00Z", to: "2025-03-13T03:00:00Z" };
    send({ id: 2, method: "tools/call", params: { name: "query_logs", arguments: { source: "checkout", ...window } } });
    const exited = once(child, "exit");
    // the call has begun and takes longer than this
    await new Promise((resolve) => setTimeout(resolve, 50));
    leave(child);
    expect(await exited).toEqual([0, null]);
    const audit = await sqliteAudit({ file: join(folder, "audit.db") });
    expect(await audit.list({ runId, afterId: 0 })).toMatchObject([{ tool_name: "query_logs" }]);
    await audit.close();
  });
});

/** The claims of a scripted draft, with the ids that the wire gave. */
function claimsOf(draft: number, answers: ReadonlyMap<string, Answer>): object[] {
  const scripted = DRAFTS[draft];
  if (scripted === undefined) throw new Error(`no draft ${draft}`);
  return scripted.claims.map((claim) => ({
    ...claim,
    citations: claim.citations.map((citation) => cite(citation, answers)),
  }));
}

function cite({ item, ...citation }: ScriptedClaim["citations"][number], answers: ReadonlyMap<string, Answer>): object {
  const answer = answers.get(citation.tool_call_id);
  const wired = {
    ...citation,
    tool_call_id: (answer?.["tool_call_id"] as string | undefined) ?? citation.tool_call_id,
  };
  if (item === undefined) return wired;
  const items = (answer?.["items"] ?? []) as { item_id: string }[];
  const found = items.find((candidate) => item.includes.every((part) => JSON.stringify(candidate).includes(part)));
  return { ...wired, item_id: found?.item_id ?? "e1" };
}
