import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHarness } from "../../../src/boundary/harness.ts";
import { aBegin, aReady, aRecord, aRefusal, aRun, aSettle } from "../../../src/testing/records.ts";
import { linesTool } from "../../boundary/fixture.ts";
import { type RedisServer, startRedis } from "../../services/redis-server.ts";
import { keysOf, type OpenStore, openStore } from "./fixture.ts";

let server: RedisServer;
let opened: OpenStore;
beforeAll(async () => {
  server = await startRedis();
  opened = await openStore(server.url);
});
beforeEach(async () => {
  await opened.client.flushAll();
});
afterAll(async () => {
  await opened.close();
  await server.stop();
});

/** Commands of one run that clients send while `work` runs; those of a script's own are marked `lua` by the server. */
async function monitored(runId: string, work: () => Promise<void>): Promise<readonly string[]> {
  const socket = connect(server.port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString();
  });
  socket.write("MONITOR\r\n");
  await once(socket, "data");
  await work();
  const client = opened.client;
  await client.echo("end of the watch");
  while (!text.includes("end of the watch")) await pause(5);
  socket.destroy();
  const lines = text.split("\r\n").filter((line) => /^\+\d/.test(line) && !line.includes(" lua] "));
  const own = lines.filter((line) => line.includes(runId));
  return own.map((line) => /\] "([^"]*)"/.exec(line)?.[1]?.toLowerCase() ?? line);
}

describe("a READY call over Redis", () => {
  it("takes two round trips when no other process writes to its run", async () => {
    const harness = createHarness({ store: opened.store, tools: [linesTool()] });
    const run = await harness.openRun({ sessionId: "session-1" });
    const call = async (n: number): Promise<void> => {
      const request = { service: `checkout-${n}` };
      const { observation } = await run.call({ toolCallId: `call-${n}`, toolName: "query_lines", request });
      expect(observation.outcome).toBe("OK");
    };
    await call(1); // the server learns the scripts
    expect(await monitored(run.runId, () => call(2))).toEqual(["evalsha", "evalsha"]);
    expect(await monitored(run.runId, async () => void (await run.verify({ claims: [] })))).not.toContain("eval");
    await harness.close();
  });

  it("is answered in brief, whatever the run has learned and done before", async () => {
    const { store } = opened;
    const learned = {
      secrets: Array.from({ length: 200 }, (_, n) => `a secret of some length ${n}`),
      aliases: [],
      dropped: 0,
    };
    const opening = await store.openRun(aRun());
    if (opening.kind !== "opened") throw new Error(opening.kind);
    const begun = await store.begin(aBegin(opening.run));
    if (begun.kind !== "begun") throw new Error(begun.kind);
    const settled = await store.settle(aSettle(begun.run, { learned }));
    if (settled.kind !== "settled") throw new Error(settled.kind);
    const bytes = async (): Promise<number> => {
      const info = await opened.client.info("stats");
      return Number(/total_net_output_bytes:(\d+)/.exec(info)?.[1]);
    };
    const before = await bytes();
    const second = await store.begin(aBegin(settled.run, { record: aRecord({ toolCallId: "call-2" }) }));
    const sent = (await bytes()) - before;
    expect(second).toMatchObject({ kind: "begun", run: { memory: { secrets: { length: 200 } } } });
    expect(sent).toBeLessThan(4_500); // the two answers to INFO alone are most of it
  });
});

describe("the moment at which a key expires", () => {
  it("is set once and never moves, whatever is written or read", async () => {
    const { store, client } = opened;
    const expiry = new Map<string, number>();
    const check = async (): Promise<void> => {
      for (const key of await keysOf(client)) {
        const at = await client.pExpireTime(key);
        expect(at, key).toBe(expiry.get(key) ?? at);
        expiry.set(key, at);
      }
    };
    const step = async <T>(work: Promise<T>): Promise<T> => {
      const result = await work;
      await pause(3); // a moment that was set anew would differ
      await check();
      return result;
    };
    const runOf = <T extends { kind: string }>(result: T) => {
      if (!("run" in result)) throw new Error(result.kind);
      return result.run as { readonly revision: number };
    };
    let run = runOf(await step(store.openRun(aRun())));
    run = runOf(await step(store.begin(aBegin(run))));
    await step(store.begin(aBegin(run)));
    run = runOf(await step(store.refuse(aRefusal(run))));
    run = runOf(await step(store.settle(aSettle(run))));
    await step(store.settle(aSettle(run)));
    run = runOf(await step(store.begin(aBegin(run, { record: aRecord({ toolCallId: "call-2", deadlineAt: 2_001 }) }))));
    run = runOf(await step(store.begin(aBegin(run, { record: aRecord({ toolCallId: "call-3" }) }))));
    await step(store.settle(aSettle(run, { record: aReady(aRecord({ toolCallId: "call-3" })) })));
    expect(await step(store.sweep())).toBe(1);
    await step(store.read("run-1", ["call-1", "call-2", "nothing"]));
    await step(store.readRaw("run-1", "call-1"));
    await step(store.list("run-1"));
    await step(store.readRun("run-1"));
    const [batch] = await step(store.drain(10));
    if (batch === undefined) throw new Error("nothing drained");
    await step(store.acknowledge(batch.position));
    await step(store.closeRun({ runId: "run-1", status: "COMPLETED", reason: null, attempt: "end" }));
    const kinds = [...expiry].filter(([, at]) => at > 0).map(([key]) => key.split(":")[2]);
    expect(kinds.sort()).toEqual(["call", "call", "call", "calls", "run"]);
  });

  it("comes for a record no later than for its run", async () => {
    const { store, client } = opened;
    const opening = await store.openRun(aRun({ lifetimeMs: 1_000, keepMs: 500 }));
    if (opening.kind !== "opened") throw new Error(opening.kind);
    await store.begin(aBegin(opening.run, { ttlMs: 60_000 }));
    for (const key of await keysOf(client)) {
      if (/:(?:run|call|calls):/.test(key)) expect(await client.pTTL(key)).toBeLessThanOrEqual(1_500);
    }
  });
});

describe("keys", () => {
  it("of one run are all in one slot, and none is of another form", async () => {
    const { store, client } = opened;
    const opening = await store.openRun(aRun());
    if (opening.kind !== "opened") throw new Error(opening.kind);
    await store.begin(aBegin(opening.run));
    await store.refuse(aRefusal({ revision: 1 }));
    await store.sweep(); // after the loss of all data it is a sweep that stores the number of partitions again
    const keys = await keysOf(client);
    const tag = /^\{dv:(\d+)\}/.exec(keys.find((key) => key.endsWith(":run:run-1")) ?? "")?.[0];
    expect(keys.map((key) => key.replace(/[0-9a-f]{64}$/, "ID"))).toEqual(
      [
        "dv:partitions",
        ...["audit", "call:run-1:ID", "calls:run-1", "inflight", "outbox", "run:run-1"].map((name) => `${tag}:${name}`),
      ].sort(),
    );
  });
});
