import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callKey } from "../../../src/model/ids.ts";
import type { RunState } from "../../../src/model/run.ts";
import { aBegin, anError, aReady, aRecord, aRefusal, aRun, aSettle } from "../../../src/testing/records.ts";
import { type RedisServer, startRedis } from "../../services/redis-server.ts";
import { keysOf, type OpenStore, openStore } from "./fixture.ts";

let server: RedisServer;
let opened: OpenStore;
let run: RunState;
let keys: { readonly run: string; readonly ready: string; readonly projecting: string };

beforeAll(async () => {
  server = await startRedis({ settings: ["--enable-debug-command", "yes"] });
  opened = await openStore(server.url);
});
afterAll(async () => {
  await opened.close();
  await server.stop();
});

/** A run with a READY call and one that is PROJECTING. */
beforeEach(async () => {
  const { store, client } = opened;
  await client.flushAll();
  const opening = await store.openRun(aRun());
  if (opening.kind !== "opened") throw new Error(opening.kind);
  const begun = await store.begin(aBegin(opening.run));
  if (begun.kind !== "begun") throw new Error(begun.kind);
  const settled = await store.settle(aSettle(begun.run));
  if (settled.kind !== "settled") throw new Error(settled.kind);
  const second = await store.begin(aBegin(settled.run, { record: aRecord({ toolCallId: "call-2" }) }));
  if (second.kind !== "begun") throw new Error(second.kind);
  run = second.run;
  const all = await keysOf(client);
  const find = (end: string): string => all.find((key) => key.endsWith(end)) ?? "";
  keys = { run: find(":run:run-1"), ready: find(callKey("call-1")), projecting: find(callKey("call-2")) };
});

/** All that is stored, in one number. */
async function contents(): Promise<unknown> {
  return await opened.client.sendCommand(["DEBUG", "DIGEST"]);
}

const storeError = (detail: RegExp) =>
  expect.objectContaining({ code: "STORE_ERROR", message: expect.stringMatching(detail) });

const second = () => ({ record: aReady(aRecord({ toolCallId: "call-2" })) });

describe("a damaged run", () => {
  const writes: Record<string, () => Promise<unknown>> = {
    begin: () => opened.store.begin(aBegin(run, { record: aRecord({ toolCallId: "call-3" }) })),
    settle: () => opened.store.settle(aSettle(run, second())),
    refuse: () => opened.store.refuse(aRefusal(run)),
    closeRun: () => opened.store.closeRun({ runId: "run-1", status: "FAILED", reason: null, attempt: "end" }),
  };

  it.each(["v", "status", "reason", "keep", "limits", "used", "revision", "stamp", "session"])(
    "without its %s takes no change and gives no answer",
    async (field) => {
      await opened.client.hDel(keys.run, field);
      const before = await contents();
      for (const write of Object.values(writes)) await expect(write()).rejects.toEqual(storeError(/damaged/));
      await expect(opened.store.readRun("run-1")).rejects.toEqual(storeError(/damaged/));
      expect(await contents()).toEqual(before);
    },
  );

  it.each([
    ["context", "{"],
    ["context", '{"runId":"run-2","sessionId":"s","principal":null,"grants":null,"openedAt":1,"expiresAt":2}'],
    ["context", '{"runId":"run-1","sessionId":"s","principal":null,"grants":[1],"openedAt":1,"expiresAt":2}'],
    ["progress", "nothing"],
    ["used", "1 2 3"],
    ["limits", "1 2 3 4x"],
    ["revision", "many"],
    ["status", "PAUSED"],
    ["reason", "7"],
    ["secret:x", "1"],
    ["alias:x", '9 {"alias":"a"}'],
    ["dropped", "-"],
  ])("with another %s (%s) is not read", async (field, value) => {
    await opened.client.hSet(keys.run, field, value);
    await expect(opened.store.readRun("run-1")).rejects.toEqual(storeError(/damaged/));
  });

  it("of another type is named as such", async () => {
    await opened.client.set(keys.run, "text");
    for (const write of Object.values(writes)) await expect(write()).rejects.toEqual(storeError(/WRONGTYPE/));
  });

  it("of a newer version is left alone", async () => {
    await opened.client.hSet(keys.run, "v", "2");
    const before = await contents();
    for (const write of Object.values(writes)) await expect(write()).rejects.toEqual(storeError(/newer version/));
    await expect(opened.store.readRun("run-1")).rejects.toEqual(storeError(/newer version/));
    expect(await contents()).toEqual(before);
  });
});

describe("a damaged record", () => {
  const record = JSON.stringify(aRecord());
  const outcome = (changes: object): string =>
    JSON.stringify({ status: "READY", evidence: "NO_EVIDENCE", completedAt: 1, rawBytes: 28, ...derived, ...changes });
  const derived = {
    agentResult: { items: [], truncated: false },
    derivation: {
      projectorId: "p",
      projectorVersion: "1",
      policyDigest: "d",
      maxBytes: 5,
      memory: { secrets: 0, aliases: 0 },
    },
  };

  it("is read when it is whole, to show that the cases below are not", async () => {
    await opened.client.hSet(keys.ready, { record, outcome: outcome({}) });
    expect(await opened.store.readRaw("run-1", "call-1")).toMatchObject({
      kind: "found",
      record: { evidence: "NO_EVIDENCE" },
    });
  });

  it.each([
    ["record", "{"],
    ["record", record.replace("call-1", "call-9")],
    ["record", record.replace("run-1", "run-9")],
    ["record", record.replace("2000", '"2000"')],
    ["record", record.replace('"PROJECTING"', '"READY"')],
    ["status", "ERROR"],
    ["status", "DONE"],
    ["outcome", ""],
    ["outcome", "[]"],
    ["outcome", outcome({ evidence: "ERROR" })],
    ["outcome", outcome({ status: "ERROR" })],
    ["outcome", outcome({ agentResult: { items: {}, truncated: false } })],
    ["outcome", outcome({ agentResult: { items: [] } })],
    ["outcome", outcome({ derivation: null })],
    ["outcome", outcome({ completedAt: "now" })],
  ])("with another %s (%s) is not read as anything else", async (field, value) => {
    await opened.client.hSet(keys.ready, field, value);
    await expect(opened.store.read("run-1", ["call-1"])).rejects.toEqual(storeError(/damaged/));
    await expect(opened.store.readRaw("run-1", "call-1")).rejects.toEqual(storeError(/damaged/));
  });

  it.each(["v", "status", "record", "outcome"])("without its %s is not read", async (field) => {
    await opened.client.hDel(keys.ready, field);
    await expect(opened.store.read("run-1", ["call-1"])).rejects.toEqual(storeError(/damaged/));
  });

  it("is not read with a raw that was cut, exchanged for bytes that are no text, or taken away", async () => {
    const { client, store } = opened;
    for (const raw of ["{}", Buffer.alloc(28, 0xff)]) {
      await client.hSet(keys.ready, "raw", raw);
      await expect(store.readRaw("run-1", "call-1")).rejects.toEqual(storeError(/raw result is damaged/));
    }
    await client.hDel(keys.ready, "raw");
    await expect(store.readRaw("run-1", "call-1")).rejects.toEqual(storeError(/damaged/));
    expect(await store.read("run-1", ["call-1"])).toMatchObject([{ kind: "found" }]);
  });

  it("is not found under another call's key", async () => {
    const { client, store } = opened;
    await client.copy(keys.ready, keys.projecting, { REPLACE: true });
    await expect(store.read("run-1", ["call-2"])).rejects.toEqual(storeError(/damaged/));
  });

  it.each(["status", "allowance", "flight"])("without its %s is not settled", async (field) => {
    await opened.client.hDel(keys.projecting, field);
    const before = await contents();
    await expect(opened.store.settle(aSettle(run, second()))).rejects.toEqual(storeError(/damaged/));
    expect(await contents()).toEqual(before);
  });

  it("of a newer version is neither read, settled nor begun again", async () => {
    const { client, store } = opened;
    await client.hSet(keys.projecting, "v", "2");
    const before = await contents();
    await expect(store.settle(aSettle(run, second()))).rejects.toEqual(storeError(/newer version/));
    await expect(store.read("run-1", ["call-2"])).rejects.toEqual(storeError(/newer version/));
    const again = aBegin(run, { record: aRecord({ toolCallId: "call-2" }) });
    await expect(store.begin(again)).rejects.toEqual(storeError(/newer version/));
    expect(await contents()).toEqual(before);
  });

  it("that nobody indexed is absent, and its id is not used again", async () => {
    const { client, store } = opened;
    await client.del(keys.ready.replace(/:call:.*/, ":calls:run-1"));
    expect(await store.read("run-1", ["call-1"])).toEqual([{ kind: "absent" }]);
    expect(await store.begin(aBegin(run, { attempt: "again" }))).toEqual({
      kind: "refused",
      code: "DUPLICATE_CALL_ID",
    });
  });

  it("with another key of the wrong type is not written to in part", async () => {
    const { client, store } = opened;
    for (const end of ["inflight", "outbox", "audit"]) {
      const key = keys.run.replace(/:run:.*/, `:${end}`);
      await client.rename(key, "aside");
      await client.set(key, "text");
      const before = await contents();
      await expect(store.settle(aSettle(run, second()))).rejects.toEqual(storeError(/WRONGTYPE/));
      await expect(store.settle(aSettle(run, { record: anError(second().record as never) }))).rejects.toEqual(
        storeError(/WRONGTYPE/),
      );
      expect(await contents()).toEqual(before);
      await client.rename("aside", key);
    }
  });
});
