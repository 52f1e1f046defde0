import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHarness } from "../../../src/boundary/harness.ts";
import type { RunState } from "../../../src/model/run.ts";
import { aBegin, anError, aRecord, aRefusal, aRun, aSettle } from "../../../src/testing/records.ts";
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
  let expiry: Map<string, number>;
  let left: Map<string, number>;
  beforeEach(() => {
    expiry = new Map();
    left = new Map();
  });

  /** The moment is the same, and so what is left of the time only falls. */
  async function check(): Promise<void> {
    const { client } = opened;
    for (const key of await keysOf(client)) {
      const [at, ttl] = [await client.pExpireTime(key), await client.pTTL(key)];
      expect(at, key).toBe(expiry.get(key) ?? at);
      expect(ttl, key).toBeLessThanOrEqual(left.get(key) ?? ttl);
      expiry.set(key, at);
      left.set(key, ttl);
    }
  }
  async function step<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    await pause(3); // a moment that was set anew would differ
    await check();
    return result;
  }
  const runOf = <T extends { kind: string }>(result: T) => {
    if (!("run" in result)) throw new Error(result.kind);
    return result.run as RunState;
  };
  const expectKinds = (kinds: readonly string[]): void => {
    const expiring = [...expiry].filter(([, at]) => at > 0).map(([key]) => key.split(":")[2]);
    expect(expiring.sort()).toEqual(kinds);
  };

  it("is set once and never moves, whatever is written or read", async () => {
    const { store } = opened;
    const kinds: string[] = [];
    const told = async <T extends { kind: string }>(work: Promise<T>): Promise<T> => {
      const result = await step(work);
      kinds.push(result.kind);
      return result;
    };
    const second = aRecord({ toolCallId: "call-2", deadlineAt: 2_001 });
    const third = aRecord({ toolCallId: "call-3" });
    let run = runOf(await told(store.openRun(aRun())));
    await told(store.openRun(aRun()));
    run = runOf(await told(store.begin(aBegin(run))));
    await told(store.begin(aBegin(run)));
    await told(store.begin(aBegin(run, { attempt: "another" })));
    await told(store.begin(aBegin({ revision: 77 }, { attempt: "stale", record: third })));
    await told(store.refuse(aRefusal({ revision: 77 }, { attempt: "stale" })));
    run = runOf(await told(store.refuse(aRefusal(run))));
    await told(store.settle(aSettle({ revision: 77 }, { attempt: "stale" })));
    run = runOf(await told(store.settle(aSettle(run))));
    await told(store.settle(aSettle(run)));
    await told(store.settle(aSettle(run, { attempt: "another" })));
    run = runOf(await told(store.begin(aBegin(run, { record: second, attempt: "second" }))));
    run = runOf(await told(store.begin(aBegin(run, { record: third, attempt: "third" }))));
    await told(store.settle(aSettle(run, { record: anError(third), attempt: "third" })));
    expect(await step(store.sweep())).toBe(1);
    await step(store.read("run-1", ["call-1", "call-2", "nothing"]));
    await step(store.readRaw("run-1", "call-1"));
    await step(store.list("run-1"));
    await step(store.readRun("run-1"));
    await step(store.outboxUsage());
    const [batch] = await step(store.drain(10));
    if (batch === undefined) throw new Error("nothing drained");
    await step(store.acknowledge(batch.position));
    const end = { runId: "run-1", status: "COMPLETED", reason: null, attempt: "end" } as const;
    await told(store.closeRun(end));
    await told(store.closeRun({ ...end, attempt: "another" }));
    await told(store.begin(aBegin(run, { record: aRecord({ toolCallId: "call-4" }), attempt: "fourth" })));
    expect(kinds.join(" ")).toBe(
      "opened exists begun begun refused stale stale refused stale settled settled already begun begun settled closed already refused",
    );
    expectKinds(["call", "call", "call", "calls", "run"]);
  });

  it("does not move for a call, a verdict, a look at the run or a diagnosis", async () => {
    const harness = createHarness({ store: opened.store, tools: [linesTool()] });
    const run = await step(harness.openRun({ sessionId: "session-1" }));
    const call = (toolCallId: string, service: string) =>
      step(run.call({ toolCallId, toolName: "query_lines", request: { service } }));
    const citations = [{ tool_call_id: "c1", item_id: "e1" }];
    const draft = { claims: [{ kind: "observation", text: "The pool timed out.", citations }] };
    expect((await call("c1", "checkout")).observation.outcome).toBe("OK");
    expect((await call("c1", "orders")).observation).toMatchObject({ code: "DUPLICATE_CALL_ID" });
    expect((await call("c2", "checkout")).observation).toMatchObject({ code: "DUPLICATE" });
    expect((await step(run.verify(draft))).verdict).toBe("PASS");
    expect((await step(run.recall("c1"))).observation.outcome).toBe("OK");
    await step(run.progress());
    await step(harness.resumeRun(run.runId));
    expect(await step(run.publish(draft))).toMatchObject({ published: true });
    await step(harness.close());
    expectKinds(["call", "calls", "run"]);
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
