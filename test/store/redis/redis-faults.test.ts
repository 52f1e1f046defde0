import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "redis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Drainer } from "../../../src/audit/drain.ts";
import { sqliteAudit } from "../../../src/audit/sqlite/sqlite-audit.ts";
import { createHarness } from "../../../src/boundary/harness.ts";
import type { RunState } from "../../../src/model/run.ts";
import { redisStore } from "../../../src/store/redis/redis.ts";
import { aBegin, anEvent, aReady, aRecord, aRefusal, aRun, aSettle, WANTED } from "../../../src/testing/records.ts";
import { linesTool } from "../../boundary/fixture.ts";
import { Link } from "../../services/link.ts";
import { type RedisServer, startRedis } from "../../services/redis-server.ts";
import { type Client, type OpenStore, openStore } from "./fixture.ts";

let server: RedisServer;
let opened: OpenStore;

const DEADLINE_MS = 300;
const storeError = (detail: RegExp) =>
  expect.objectContaining({ code: "STORE_ERROR", message: expect.stringMatching(detail) });

beforeEach(async () => {
  server = await startRedis({ persistent: true });
  opened = await openStore(server.url, { deadlineMs: DEADLINE_MS });
});
afterEach(async () => {
  await opened.close();
  await server.stop();
});

async function anOpenRun(): Promise<RunState> {
  const opening = await opened.store.openRun(aRun());
  if (opening.kind !== "opened") throw new Error(opening.kind);
  return opening.run;
}

/** A run on a server that knows the scripts already: the first use of each takes two commands. */
async function aWarmRun(): Promise<RunState> {
  const { store } = opened;
  const opening = await store.openRun(aRun({ runId: "run-0" }));
  if (opening.kind !== "opened") throw new Error(opening.kind);
  const record = aRecord({ runId: "run-0" });
  const begun = await store.begin(aBegin(opening.run, { record }));
  if (begun.kind !== "begun") throw new Error(begun.kind);
  await store.settle(aSettle(begun.run, { record: aReady(record) }));
  for (const { position } of await store.drain(10)) await store.acknowledge(position);
  return await anOpenRun();
}

async function aBegunCall(): Promise<RunState> {
  const begun = await opened.store.begin(aBegin(await anOpenRun()));
  if (begun.kind !== "begun") throw new Error(begun.kind);
  return begun.run;
}

/** Until the client has found the server again; the store and its client stay the same. */
async function recovered(): Promise<void> {
  for (;;) {
    const answered = await opened.store.readRun("nobody").then(
      () => true,
      () => false,
    );
    if (answered) return;
    await pause(10);
  }
}

async function timed<T>(work: Promise<T>): Promise<number> {
  const started = performance.now();
  await work.catch(() => undefined);
  return performance.now() - started;
}

/** What a call over the store amounts to, whatever happened on the way: once begun, once settled, once audited. */
async function expectOneReadyCall(): Promise<void> {
  const { store } = opened;
  expect(await store.read("run-1", ["call-1"])).toMatchObject([{ kind: "found", record: { status: "READY" } }]);
  expect((await store.readRun("run-1"))?.budget.used).toEqual({ ...WANTED, rawBytes: 28, projectionBytes: 60 });
  expect((await store.drain(10)).flatMap((batch) => batch.events)).toEqual([anEvent()]);
}

describe("a server that was killed", () => {
  it("fails at once while it is away, and goes on where it was when it is back", async () => {
    const { store } = opened;
    const run = await aBegunCall();
    await server.kill();
    await expect(store.settle(aSettle(run))).rejects.toEqual(storeError(/not connected/));
    await expect(store.read("run-1", ["call-1"])).rejects.toEqual(storeError(/not connected/));
    await server.restart();
    await recovered();
    expect((await store.settle(aSettle(run))).kind).toBe("settled");
    await expectOneReadyCall();
  });

  it("has its last drain write the events of before and after", async () => {
    const { store } = opened;
    const { revision } = await anOpenRun();
    expect((await store.refuse(aRefusal({ revision }))).kind).toBe("refused");
    await server.kill();
    await server.restart();
    await recovered();
    const later = aRefusal({ revision: revision + 1 }, { attempt: "refuse-2" });
    expect((await store.refuse(later)).kind).toBe("refused");
    const audit = await sqliteAudit({ file: ":memory:" });
    const drainer = new Drainer({ outbox: store, sink: audit, report: () => undefined });
    expect(await drainer.close(10_000)).toBe("drained");
    expect(await audit.list({ afterId: 0 })).toHaveLength(2);
    await audit.close();
  });

  it("takes a repeated operation once, also when it was killed over it", async () => {
    const { store } = opened;
    let run = await anOpenRun();
    const attempt = { begin: aBegin(run), failed: false };
    const inFlight = store.begin(attempt.begin).catch(() => null);
    await server.kill();
    await inFlight;
    await server.restart();
    await recovered();
    const begun = await store.begin(attempt.begin);
    if (begun.kind !== "begun") throw new Error(begun.kind);
    run = begun.run;
    const settling = store.settle(aSettle(run)).catch(() => null);
    await server.kill();
    await settling;
    await server.restart();
    await recovered();
    expect((await store.settle(aSettle(run))).kind).toBe("settled");
    await expectOneReadyCall();
  });
});

describe("a server that does not answer", () => {
  it("fails at the deadline, and what was sent counts once when it is repeated", async () => {
    const { store } = opened;
    let run = await anOpenRun();
    server.freeze();
    const spent = await timed(store.begin(aBegin(run)));
    expect(spent).toBeGreaterThanOrEqual(DEADLINE_MS - 5);
    await expect(store.begin(aBegin(run))).rejects.toEqual(storeError(/did not answer within 300 ms/));
    server.thaw();
    await recovered();
    const begun = await store.begin(aBegin(run));
    if (begun.kind !== "begun") throw new Error(begun.kind);
    expect(begun.run.budget.used).toEqual(WANTED);
    run = begun.run;
    server.freeze();
    await expect(store.settle(aSettle(run))).rejects.toEqual(storeError(/did not answer/));
    server.thaw();
    await recovered();
    expect((await store.settle(aSettle(run))).kind).toBe("settled");
    await expectOneReadyCall();
  });

  it("charges and audits a refusal once, however often it is repeated", async () => {
    const { store } = opened;
    const run = await anOpenRun();
    server.freeze();
    for (let n = 0; n < 3; n += 1)
      await expect(store.refuse(aRefusal(run))).rejects.toEqual(storeError(/did not answer/));
    server.thaw();
    await recovered();
    expect(await store.refuse(aRefusal(run))).toMatchObject({ kind: "refused", run: { revision: 1 } });
    expect((await store.drain(10)).flatMap((batch) => batch.events)).toHaveLength(1);
  });

  it("is not sent more and more: past a number of open answers everything fails at once", async () => {
    const { store } = opened;
    server.freeze();
    await Promise.allSettled(Array.from({ length: 40 }, (_, n) => store.readRun(`run-${n}`)));
    await expect(store.readRun("run-1")).rejects.toEqual(storeError(/stopped answering/));
    server.thaw();
    await recovered();
    expect(await store.readRun("run-1")).toBeNull();
  });
});

describe("a server that lost its data", () => {
  it("has no run, no record and no call that could be ended, and fails closed", async () => {
    const { store } = opened;
    const run = await aBegunCall();
    await server.restart({ empty: true });
    await recovered();
    expect(await store.settle(aSettle(run))).toEqual({ kind: "gone" });
    expect(await store.read("run-1", ["call-1"])).toEqual([{ kind: "absent" }]);
    expect(await store.begin(aBegin(run, { attempt: "other" }))).toEqual({ kind: "refused", code: "RUN_NOT_ACTIVE" });
    expect(await store.refuse(aRefusal(run))).toEqual({ kind: "gone" });
    expect(await store.drain(10)).toEqual([]);
  });

  it("begins a new epoch of the outbox, whose numbers start again", async () => {
    const { store } = opened;
    await store.refuse(aRefusal(await anOpenRun()));
    const [before] = await store.drain(10);
    await server.restart({ empty: true });
    await recovered();
    await store.refuse(aRefusal(await anOpenRun()));
    const [after] = await store.drain(10);
    expect([before?.position.sequence, after?.position.sequence]).toEqual([1, 1]);
    expect(after?.position.epoch).not.toBe(before?.position.epoch);
    if (before === undefined) throw new Error("nothing drained");
    await store.acknowledge(before.position);
    expect(await store.drain(10)).toEqual([after]);
  });

  it("does not show a run opened anew under the same id with what another life of it held", async () => {
    const { store } = opened;
    const first = await anOpenRun();
    await store.begin(aBegin(first));
    await server.restart({ empty: true });
    await recovered();
    const opening = await store.openRun(aRun({ salt: "ff00", principal: "somebody else" }));
    expect(opening).toMatchObject({ kind: "opened", run: { salt: "ff00" } });
    const begun = await store.begin(aBegin({ revision: 0 }));
    expect(begun).toMatchObject({ kind: "begun", run: { salt: "ff00", principal: "somebody else" } });
    expect(await store.readRun("run-1")).toEqual(begun.kind === "begun" && begun.run);
  });
});

describe("a server that lost its latest writes, as a failover to a replica does too", () => {
  /** What is done after this is gone with the next restart. */
  async function snapshot(): Promise<void> {
    await opened.client.configSet("appendonly", "no");
    await opened.client.sendCommand(["SAVE"]);
  }

  async function losingServer(): Promise<void> {
    await opened.close();
    await server.stop();
    server = await startRedis();
    opened = await openStore(server.url, { deadlineMs: DEADLINE_MS });
  }

  it("has every event that it still knows written once, though numbers were given out twice", async () => {
    await losingServer();
    const { store } = opened;
    const folder = mkdtempSync(join(tmpdir(), "dualview-audit-"));
    const sink = await sqliteAudit({ file: join(folder, "audit.db") });
    const reports: string[] = [];
    const outbox = { drain: store.drain.bind(store), acknowledge: store.acknowledge.bind(store) };
    const report = (code: string): void => void reports.push(code);
    const drainer = new Drainer({ outbox, sink, report, gatherMs: 0 });
    let revision = (await anOpenRun()).revision;
    const refuse = async (name: number, count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1, revision += 1) {
        const refusal = aRefusal({ revision }, { attempt: `${name}-${n}`, event: anEvent({ requestBytes: name + n }) });
        expect((await store.refuse(refusal)).kind).toBe("refused");
      }
    };
    const written = async (): Promise<number[]> =>
      (await sink.list({ afterId: 0 })).map((row) => row.input_params.request_bytes);
    const drainAll = async (count: number): Promise<void> => {
      while (drainer.metrics().written < count) {
        drainer.nudge();
        await pause(10);
      }
    };
    await refuse(100, 3);
    await snapshot();
    await refuse(200, 4); // to be lost, but written
    await drainAll(7);
    await server.restart();
    await recovered();
    revision = (await store.readRun("run-1"))?.revision ?? -1;
    expect(revision).toBe(3);
    await refuse(300, 5);
    await drainAll(7 + 3 + 5); // the first three are there again, and are not written again
    expect(await written()).toEqual([100, 101, 102, 200, 201, 202, 203, 300, 301, 302, 303, 304]);
    expect(await store.outboxUsage()).toMatchObject({ waiting: 0 });
    expect(reports.filter((code) => code === "AUDIT_OUTBOX_LOST")).toHaveLength(1);
    await drainer.close(1_000);
    await sink.close();
    rmSync(folder, { recursive: true });
  });

  it("goes on with its runs from what is left, and has no evidence of what is not", async () => {
    await losingServer();
    const harness = createHarness({ store: opened.store, tools: [linesTool()] });
    const run = await harness.openRun({ sessionId: "session-1" });
    const call = async (toolCallId: string): Promise<string> => {
      const request = { service: toolCallId };
      return (await run.call({ toolCallId, toolName: "query_lines", request })).observation.outcome;
    };
    const verdict = async (id: string): Promise<string> => {
      const citations = [{ tool_call_id: id, item_id: "e1" }];
      const claim = { claim_id: "k1", kind: "observation", text: "The pool timed out.", citations };
      return (await run.verify({ claims: [claim] })).verdict;
    };
    expect(await call("kept")).toBe("OK");
    await snapshot();
    expect(await call("lost-1")).toBe("OK");
    expect(await call("lost-2")).toBe("OK");
    expect(await verdict("lost-1")).toBe("PASS");
    await server.restart();
    await recovered();
    expect(await call("later")).toBe("OK");
    expect([await verdict("kept"), await verdict("lost-1"), await verdict("later")]).toEqual([
      "PASS",
      "REJECT",
      "PASS",
    ]);
    expect(await opened.store.list(run.runId)).toEqual(["kept", "later"]);
    await harness.close();
  });

  it("does not take the old state for the new one that has the same revision", async () => {
    await losingServer();
    const { store } = opened;
    const run = await anOpenRun();
    const learned = { secrets: ["a lost secret"], aliases: [], dropped: 0 };
    const first = aRecord({ toolCallId: "call-1" });
    const begun = await store.begin(aBegin(run, { record: first }));
    if (begun.kind !== "begun") throw new Error(begun.kind);
    await snapshot();
    const lost = await store.settle(aSettle(begun.run, { record: aReady(first), learned }));
    if (lost.kind !== "settled") throw new Error(lost.kind);
    await server.restart();
    await recovered();
    const other = await openStore(server.url);
    await other.store.begin(aBegin(begun.run, { record: aRecord({ toolCallId: "call-2" }) }));
    const third = aBegin(lost.run, { record: aRecord({ toolCallId: "call-3" }) });
    const stale = await store.begin(third);
    expect(stale).toMatchObject({ kind: "stale", run: { revision: 2, memory: { secrets: [] } } });
    const again = await store.begin(third);
    if (again.kind !== "begun") throw new Error(again.kind);
    expect(again.run).toEqual(await other.store.readRun("run-1"));
    await other.close();
  });
});

describe("a connection that is cut", () => {
  it("loses an answer but not the operation, which is taken once", async () => {
    const link = await Link.to(server.port);
    const direct = opened;
    opened = await openStore(`redis://127.0.0.1:${link.port}`, { deadlineMs: 2_000 });
    const lose = async (work: Promise<unknown>): Promise<void> => {
      link.deafen();
      const failed = expect(work).rejects.toEqual(storeError(/connection broke/));
      await pause(50);
      link.mend();
      await failed;
      await recovered();
    };
    const { store } = opened;
    let run = await aWarmRun();
    await lose(store.begin(aBegin(run)));
    expect(await direct.store.list("run-1")).toEqual(["call-1"]);
    const begun = await store.begin(aBegin(run));
    if (begun.kind !== "begun") throw new Error(begun.kind);
    run = begun.run;
    await lose(store.settle(aSettle(run)));
    expect((await store.settle(aSettle(run))).kind).toBe("settled");
    await expectOneReadyCall();
    link.close();
    await direct.close();
  });

  it("is given up when it is dead but open, by a client that listens for its own pings", async () => {
    const link = await Link.to(server.port);
    const client = createClient({
      url: `redis://127.0.0.1:${link.port}`,
      disableOfflineQueue: true,
      pingInterval: 100,
      socket: { socketTimeout: 400, reconnectStrategy: 20 },
    });
    client.on("error", () => undefined);
    await client.connect();
    await opened.close();
    const store = await redisStore({ client, deadlineMs: DEADLINE_MS });
    opened = { store, client: client as Client, close: async () => client.destroy() };
    link.deafen();
    await expect(store.readRun("run-1")).rejects.toEqual(storeError(/did not answer/));
    link.abandon();
    await recovered();
    expect(await store.readRun("run-1")).toBeNull();
    link.close();
  });

  it("is made again by itself, and other runs' answers are not mixed up", async () => {
    const { store, client } = opened;
    const run = await aBegunCall();
    const killer = client.duplicate();
    await killer.connect();
    for (let n = 0; n < 5; n += 1) {
      const reads = Array.from({ length: 50 }, () => store.read("run-1", ["call-1"]).catch(() => null));
      await killer.sendCommand(["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
      for (const answer of await Promise.all(reads)) {
        if (answer !== null) expect(answer).toEqual([{ kind: "found", record: aRecord() }]);
      }
      await recovered();
    }
    expect((await store.settle(aSettle(run, { record: aReady() }))).kind).toBe("settled");
    killer.destroy();
  });
});
