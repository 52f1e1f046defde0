import { createClient, ErrorReply } from "redis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BoundaryError } from "../../../src/model/errors.ts";
import type { RunState } from "../../../src/model/run.ts";
import { ioredisCommands, type NodeRedisClient, redisStore } from "../../../src/store/redis/redis.ts";
import { failureOf } from "../../../src/store/redis/redis-failure.ts";
import { aBegin, anError, anEvent, aReady, aRecord, aRefusal, aRun, aSettle } from "../../../src/testing/records.ts";
import { type RedisServer, startRedis } from "../../services/redis-server.ts";
import { type OpenStore, openClient, openStore } from "./fixture.ts";

let server: RedisServer;
let opened: OpenStore;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

const storeError = (detail: RegExp) =>
  expect.objectContaining({ code: "STORE_ERROR", message: expect.stringMatching(detail) });
const configError = (detail: RegExp) =>
  expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringMatching(detail) });

async function anOpenRun(): Promise<RunState> {
  const opening = await opened.store.openRun(aRun());
  if (opening.kind !== "opened") throw new Error(opening.kind);
  return opening.run;
}

async function aBegunCall(): Promise<RunState> {
  const begun = await opened.store.begin(aBegin(await anOpenRun()));
  if (begun.kind !== "begun") throw new Error(begun.kind);
  return begun.run;
}

describe("what a server answers", () => {
  beforeAll(async () => {
    opened = await openStore(server.url);
  });
  beforeEach(async () => {
    await opened.client.flushAll();
  });
  afterAll(() => opened.close());

  it("forgotten scripts are sent again, once", async () => {
    const run = await aBegunCall();
    await opened.client.scriptFlush();
    expect((await opened.store.settle(aSettle(run))).kind).toBe("settled");
  });

  it("a server at its maxmemory begins nothing, keeps a READY call open and takes its ERROR", async () => {
    const { store, client } = opened;
    const run = await aBegunCall();
    await client.configSet("maxmemory-policy", "noeviction");
    await client.configSet("maxmemory", "1");
    try {
      const other = aBegin(run, { record: aRecord({ toolCallId: "call-2" }) });
      expect(await store.begin(other)).toEqual({ kind: "refused", code: "STORE_FULL" });
      expect(await store.openRun(aRun({ runId: "run-2" }))).toEqual({ kind: "full" });
      await expect(store.refuse(aRefusal(run))).rejects.toMatchObject({ code: "STORE_FULL" });
      expect(await store.settle(aSettle(run))).toEqual({ kind: "full" });
      expect(await store.read("run-1", ["call-1"])).toEqual([{ kind: "found", record: aRecord() }]);
      expect((await store.readRun("run-1"))?.revision).toBe(run.revision);
      expect((await store.settle(aSettle(run, { record: anError(), attempt: "as an error" }))).kind).toBe("settled");
    } finally {
      await client.configSet("maxmemory", "0");
    }
    expect((await store.drain(10)).flatMap((batch) => batch.events)).toHaveLength(1);
  });

  it("a sweep works at the maxmemory too", async () => {
    const { store, client } = opened;
    const opening = await store.openRun(aRun());
    if (opening.kind !== "opened") throw new Error(opening.kind);
    await store.begin(aBegin(opening.run, { record: aRecord({ deadlineAt: 2_000 }) }));
    await store.sweep();
    await store.begin(aBegin({ revision: 2 }, { record: aRecord({ toolCallId: "call-2", deadlineAt: 2_000 }) }));
    await client.configSet("maxmemory", "1");
    try {
      expect(await store.sweep()).toBe(1);
    } finally {
      await client.configSet("maxmemory", "0");
    }
  });

  it("a replica's refusal names the remedy", async () => {
    const { store, client } = opened;
    const run = await anOpenRun();
    const primary = await startRedis();
    await client.sendCommand(["REPLICAOF", "127.0.0.1", String(primary.port)]);
    await expect(store.begin(aBegin(run))).rejects.toEqual(storeError(/READONLY.*connect to its primary/));
    await client.sendCommand(["REPLICAOF", "NO", "ONE"]);
    await primary.stop();
  });

  it("a server that is busy with somebody else's script is named as such", async () => {
    const run = await anOpenRun();
    const other = await openClient(server.url);
    await other.configSet("busy-reply-threshold", "20");
    const endless = other.eval("while true do end").catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(opened.store.begin(aBegin(run))).rejects.toEqual(storeError(/BUSY.*SCRIPT KILL/));
    await opened.client.sendCommand(["SCRIPT", "KILL"]);
    await endless;
    other.destroy();
    expect((await opened.store.begin(aBegin(run))).kind).toBe("begun");
  });

  it("an account without the right to run scripts is told which rights it needs", async () => {
    await opened.client.sendCommand(["ACL", "SETUSER", "reader", "on", ">pw", "~*", "+@all", "-evalsha", "-eval"]);
    const client = await openClient(server.url.replace("//", "//reader:pw@"));
    await expect(redisStore({ client })).rejects.toEqual(storeError(/NOPERM.*EVALSHA/));
    client.destroy();
  });

  it("is never passed on in the server's own words", () => {
    const secret = "hunter2";
    for (const word of [
      "LOADING",
      "MOVED",
      "MISCONF",
      "NOAUTH",
      "WRONGPASS",
      "CLUSTERDOWN",
      "TRYAGAIN",
      "ERR",
      "SOMETHING",
    ]) {
      const failure = failureOf(new ErrorReply(`${word} ${secret} 10.0.0.7:6379`));
      expect(`${failure.message} ${failure.stack} ${String(failure.cause)}`).not.toMatch(/hunter2|10\.0\.0\.7/);
      expect(failure).toMatchObject({ code: "STORE_ERROR" });
    }
    expect(failureOf(new ErrorReply("LOADING Redis is loading")).message).toMatch(
      /LOADING\. The server is still reading/,
    );
    expect(failureOf(new Error(`connect ECONNREFUSED ${secret}`)).message).not.toContain(secret);
    expect(failureOf(secret)).toBeInstanceOf(BoundaryError);
  });
});

describe("opening the store", () => {
  it("refuses clients that would send commands late or twice", async () => {
    const client = createClient({ url: server.url });
    await expect(redisStore({ client })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: /disableOfflineQueue/,
    });
    const options = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false };
    const callBuffer = async (): Promise<unknown> => [];
    expect(() => ioredisCommands({ options, callBuffer })).not.toThrow();
    for (const name of ["enableOfflineQueue", "autoResendUnfulfilledCommands"]) {
      for (const value of [true, undefined]) {
        const bad = { options: { ...options, [name]: value }, callBuffer };
        expect(() => ioredisCommands(bad)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
      }
    }
  });

  it("fails with a store error while there is no server", async () => {
    const client = createClient({ url: server.url, disableOfflineQueue: true });
    const unconnected: NodeRedisClient = client;
    await expect(redisStore({ client: unconnected })).rejects.toEqual(storeError(/not connected/));
  });

  it("refuses another number of partitions than the store has, naming both", async () => {
    const client = await openClient(server.url);
    await client.flushAll();
    await redisStore({ client, partitions: 8 });
    await redisStore({ client, partitions: 8 });
    const other = redisStore({ client, partitions: 16 });
    await expect(other).rejects.toEqual(configError(/ 8 .* 16 /));
    await expect(redisStore({ client })).rejects.toEqual(configError(/ 8 .* 64 /));
    await client.set("dv:partitions", "some");
    await expect(redisStore({ client })).rejects.toEqual(storeError(/number of partitions is damaged/));
    client.destroy();
  });

  it.each([{ partitions: 0 }, { deadlineMs: -1 }, { maxOutbox: 1.5 }])("refuses %o", async (options) => {
    const client = await openClient(server.url);
    await expect(redisStore({ client, ...options })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    client.destroy();
  });
});

describe("the outbox in Redis", () => {
  const PARTITIONS = 1;
  const refuseMany = async (count: number): Promise<void> => {
    let revision = (await opened.store.readRun("run-1"))?.revision ?? (await anOpenRun()).revision;
    for (let n = 0; n < count; n += 1, revision += 1) {
      const event = anEvent({ requestBytes: revision });
      await opened.store.refuse(aRefusal({ revision }, { attempt: `r${revision}`, event }));
    }
  };
  const drained = async (limit = 100) => {
    const [batch] = await opened.store.drain(limit);
    return { position: batch?.position, sizes: batch?.events.map((event) => event.requestBytes) };
  };

  beforeEach(async () => {
    const client = await openClient(server.url);
    await client.flushAll();
    client.destroy();
    opened = await openStore(server.url, { partitions: PARTITIONS, maxOutbox: 10 });
    return () => opened.close();
  });

  it("keeps its newest events within the limit, and counts what it dropped", async () => {
    await refuseMany(13);
    expect(await opened.store.outboxUsage()).toEqual({ waiting: 10, fullest: 10, limit: 10, dropped: 3, lost: 0 });
    const { position, sizes } = await drained();
    expect(sizes).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(position?.sequence).toBe(13);
    if (position === undefined) throw new Error("nothing drained");
    await opened.store.acknowledge(position);
    await refuseMany(2);
    expect((await drained()).sizes).toEqual([13, 14]);
    expect(await opened.store.outboxUsage()).toEqual({ waiting: 2, fullest: 2, limit: 10, dropped: 3, lost: 0 });
  });

  it("counts what is missing when its stream is gone, and begins a new epoch", async () => {
    await refuseMany(4);
    const { position } = await drained();
    await opened.client.del("{dv:0}:audit");
    await refuseMany(1);
    const after = await drained();
    expect(after).toMatchObject({ position: { sequence: 5 }, sizes: [4] });
    expect(after.position?.epoch).not.toBe(position?.epoch);
    expect(await opened.store.outboxUsage()).toMatchObject({ waiting: 1, lost: 4 });
  });

  it("goes on with its numbers in a new epoch when its counters are gone", async () => {
    await refuseMany(4);
    const { position } = await drained(1);
    if (position === undefined) throw new Error("nothing drained");
    await opened.store.acknowledge(position);
    await opened.client.del("{dv:0}:outbox");
    await refuseMany(2);
    const first = await drained();
    expect(first).toMatchObject({ position: { sequence: 4, epoch: position.epoch }, sizes: [1, 2, 3] });
    if (first.position === undefined) throw new Error("nothing drained");
    await opened.store.acknowledge(first.position);
    const second = await drained();
    expect(second).toMatchObject({ position: { sequence: 6 }, sizes: [4, 5] });
    expect(second.position?.epoch).not.toBe(position.epoch);
    expect(await opened.store.outboxUsage()).toMatchObject({ waiting: 2, lost: 0 });
  });

  it("survives a foreign entry in its stream", async () => {
    await refuseMany(2);
    await opened.client.xAdd("{dv:0}:audit", "*", { x: "y" });
    await refuseMany(2);
    expect(await drained()).toMatchObject({ position: { sequence: 4 }, sizes: [2, 3] });
    expect((await opened.store.outboxUsage()).lost).toBe(3);
  });

  it("gives consecutive events only, and one that cannot be read as such", async () => {
    await refuseMany(5);
    await opened.client.xDel("{dv:0}:audit", "3-0");
    const first = await drained();
    expect(first).toMatchObject({ position: { sequence: 2 }, sizes: [0, 1] });
    if (first.position === undefined) throw new Error("nothing drained");
    await opened.store.acknowledge(first.position);
    expect(await drained()).toMatchObject({ position: { sequence: 5 }, sizes: [3, 4] });
    await opened.client.xAdd("{dv:0}:audit", "6-0", { e: "{", p: first.position.epoch });
    await opened.client.xAdd("{dv:0}:audit", "7-0", { x: "y" });
    const [batch] = await opened.store.drain(10);
    expect(batch?.events.at(-1)).toMatchObject({ sessionId: "INVALID", errorCode: "INTERNAL_ERROR" });
    if (batch === undefined) throw new Error("nothing drained");
    await opened.store.acknowledge(batch.position);
    const [foreign] = await opened.store.drain(10);
    expect(foreign?.events).toMatchObject([{ sessionId: "INVALID" }]);
    if (foreign === undefined) throw new Error("nothing drained");
    await opened.store.acknowledge(foreign.position);
    expect(await opened.store.drain(10)).toEqual([]);
  });

  it("acknowledges what it has, and no more, whatever it is told", async () => {
    await refuseMany(3);
    const { position } = await drained(2);
    if (position === undefined) throw new Error("nothing drained");
    await opened.store.acknowledge({ ...position, sequence: 1_000_000 });
    await refuseMany(2);
    expect(await drained()).toMatchObject({ position: { sequence: 5 }, sizes: [3, 4] });
    await opened.store.acknowledge({ ...position, sequence: 4 });
    await opened.store.acknowledge({ ...position, sequence: 1 });
    expect((await drained()).sizes).toEqual([4]);
  });

  it("shows other processes' events within the time of a scan", async () => {
    const other = await openStore(server.url, { partitions: PARTITIONS, maxOutbox: 10, scanEveryMs: 0 });
    expect(await other.store.drain(10)).toEqual([]);
    await refuseMany(1);
    expect(await other.store.drain(10)).toHaveLength(1);
    await other.close();
  });
});

describe("a raw result", () => {
  it("of many megabytes and every kind of character comes back the same", async () => {
    const client = await openClient(server.url);
    await client.flushAll();
    client.destroy();
    opened = await openStore(server.url);
    const run = await aBegunCall();
    const raw = JSON.stringify({ text: "é😀\u0000\ufeff漢 ".repeat(400_000) });
    expect((await opened.store.settle(aSettle(run, { record: aReady(aRecord(), { raw }) }))).kind).toBe("settled");
    const found = await opened.store.readRaw("run-1", "call-1");
    expect(found.kind === "found" && found.record.raw === raw).toBe(true);
    await expect(opened.store.settle(aSettle(run, { record: aReady(aRecord(), { raw: "\ud800" }) }))).rejects.toThrow();
    await opened.close();
  });
});
