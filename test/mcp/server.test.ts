import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { McpRunServer } from "../../src/mcp/server.ts";
import { BoundaryError } from "../../src/model/errors.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { fixture, linesTool } from "../boundary/fixture.ts";

const cli = resolve(import.meta.dirname, "../../dist/cli/main.js");
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
} as const;

/** Sends one tool call to a server over a fresh run and gives what comes back on the wire. */
async function answerTo(name: string, input: object, store?: MemoryStore): Promise<unknown> {
  const tools = [linesTool()];
  const { run } = await fixture(tools, store === undefined ? {} : { store, clock: Date.now });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = new McpRunServer({ run, tools, version: "1" }).connect();
  await server.connect(theirs);
  const answers: Record<string, unknown>[] = [];
  ours.onmessage = (message: unknown) => void answers.push(message as Record<string, unknown>);
  await ours.start();
  await ours.send(INITIALIZE);
  await ours.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name, arguments: { ...input } } });
  await expect.poll(() => answers.length).toBe(2);
  await server.close();
  return answers[1];
}

describe("a draft that cannot be checked", () => {
  it("is rejected like any other when it is nested very deeply", async () => {
    let deep: unknown = "a";
    for (let n = 0; n < 20_000; n += 1) deep = [deep];
    expect(await answerTo("submit_diagnosis", { claims: deep })).toMatchObject({
      result: { structuredContent: { outcome: "REJECTED", verdict: "REJECT" } },
    });
  });

  it("is answered with a code, and no word of the store's driver, when the store cannot close the run", async () => {
    const store = new MemoryStore();
    const closeRun = () => Promise.reject(new Error("redis://app:hunter2-x@store failed"));
    Object.defineProperty(store, "closeRun", { value: closeRun });
    const claims = [{ kind: "hypothesis", text: "The pool may be too small.", citations: [] }];
    const answer = await answerTo("submit_diagnosis", { claims }, store);
    expect(JSON.stringify(answer)).not.toContain("hunter2");
    expect(answer).toMatchObject({
      result: { structuredContent: { outcome: "REFUSED", code: new BoundaryError("STORE_ERROR").code } },
    });
  });
});

describe("dualview serve", () => {
  it("ends in order when the connection breaks at a message that is too large", async () => {
    const folder = await mkdtemp(join(tmpdir(), "dualview-serve-"));
    await writeFile(join(folder, "app.log"), "2025-03-13T02:00:00Z INFO started\n");
    const config = join(folder, "dualview.yaml");
    await writeFile(config, "tools:\n  query_logs:\n    sources:\n      app: { files: [app.log], service: app }\n");
    const server = spawn(process.execPath, [cli, "serve", "--config", config], { stdio: ["pipe", "ignore", "pipe"] });
    try {
      server.stdin.on("error", () => undefined);
      await once(server.stderr, "data");
      server.stdin.write(`${JSON.stringify({ ...INITIALIZE, params: { x: "x".repeat(11 * 1024 * 1024) } })}\n`);
      const [code] = await once(server, "exit");
      expect(code).toBe(0);
    } finally {
      server.kill();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
