import { describe, expect, it } from "vitest";
import { MemoryStore, type MemoryStoreOptions } from "../../src/store/memory/memory-store.ts";
import { aBegin, aReady, aRecord, aRefusal, aRun, aSettle } from "../../src/testing/records.ts";
import { describeStore } from "../../src/testing/store-contract.ts";

function movable(options: MemoryStoreOptions = {}) {
  let now = 50_000;
  const store = new MemoryStore({ ...options, clock: () => now });
  const pass = async (ms: number): Promise<void> => {
    now += ms;
  };
  return { store, pass, close: () => store.close() };
}

describeStore("MemoryStore", async () => movable());

describe("MemoryStore within its bounds", () => {
  const big = "x".repeat(4_000);
  const fill = async (store: MemoryStore, runId: string, toolCallId: string) => {
    const run = await store.readRun(runId);
    if (run === null) throw new Error("no run");
    const record = aRecord({ runId, toolCallId });
    const begun = await store.begin(aBegin(run, { record }));
    if (begun.kind !== "begun") return begun;
    const raw = JSON.stringify(big);
    const spent = { calls: 1, requestBytes: 100, rawBytes: raw.length, projectionBytes: 60 };
    return await store.settle(aSettle(begun.run, { record: aReady(record, { raw }), spent }));
  };

  it("answers STORE_FULL rather than give up a record of an active run", async () => {
    const { store } = movable({ maxBytes: 12_000 });
    await store.openRun(aRun());
    expect((await fill(store, "run-1", "call-1")).kind).toBe("settled");
    expect((await fill(store, "run-1", "call-2")).kind).toBe("settled");
    expect(await fill(store, "run-1", "call-3")).toEqual({ kind: "full" });
    expect(await fill(store, "run-1", "call-4")).toEqual({ kind: "refused", code: "STORE_FULL" });
    const kept = await store.read("run-1", ["call-1", "call-2"]);
    expect(kept.map((lookup) => lookup.kind)).toEqual(["found", "found"]);
    expect(store.usage.bytes).toBeLessThanOrEqual(12_000);
  });

  it("has room again once records have expired", async () => {
    const { store, pass } = movable({ maxBytes: 12_000 });
    await store.openRun(aRun());
    await fill(store, "run-1", "call-1");
    await fill(store, "run-1", "call-2");
    await pass(31_000);
    expect((await fill(store, "run-1", "call-3")).kind).toBe("settled");
  });

  it("gives up the oldest records of ended runs, which then count as expired", async () => {
    const { store } = movable({ maxBytes: 12_000 });
    await store.openRun(aRun());
    await fill(store, "run-1", "call-1");
    await store.closeRun({ runId: "run-1", status: "COMPLETED", reason: null, attempt: "end" });
    await store.openRun(aRun({ runId: "run-2" }));
    await fill(store, "run-2", "call-1");
    expect((await fill(store, "run-2", "call-2")).kind).toBe("settled");
    expect(await store.read("run-1", ["call-1"])).toEqual([{ kind: "expired" }]);
  });

  it("opens no more active runs than it may hold, and forgets ended ones first", async () => {
    const { store } = movable({ maxRuns: 2 });
    await store.openRun(aRun({ runId: "run-1" }));
    await store.openRun(aRun({ runId: "run-2" }));
    expect(await store.openRun(aRun({ runId: "run-3" }))).toEqual({ kind: "full" });
    await store.closeRun({ runId: "run-1", status: "STOPPED", reason: null, attempt: "end" });
    expect((await store.openRun(aRun({ runId: "run-3" }))).kind).toBe("opened");
    expect(await store.readRun("run-1")).toBeNull();
    expect((await store.readRun("run-2"))?.status).toBe("ACTIVE");
  });

  it("counts the audit events that nobody took in time", async () => {
    const { store } = movable({ maxOutbox: 2 });
    await store.openRun(aRun());
    for (let revision = 0; revision < 4; revision += 1) {
      await store.refuse(aRefusal({ revision }, { attempt: `r${revision}` }));
    }
    const [batch] = await store.drain(10);
    expect(batch?.events).toHaveLength(2);
    expect(batch?.position.sequence).toBe(4);
    expect(store.droppedEvents).toBe(2);
  });
});
