import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redisStore } from "../../../src/store/redis/redis.ts";
import { aBegin, aReady, aRecord, aRefusal, aRun, aSettle } from "../../../src/testing/records.ts";
import { describeStore } from "../../../src/testing/store-contract.ts";
import { openClusterClient, type RedisCluster, startCluster } from "./cluster.ts";
import { freshStore, openClient } from "./fixture.ts";

let cluster: RedisCluster;
let client: Awaited<ReturnType<typeof openClusterClient>>;
beforeAll(async () => {
  cluster = await startCluster();
  client = await openClusterClient(cluster.urls);
});
afterAll(async () => {
  client.destroy();
  await cluster.stop();
});

describeStore("RedisStore on a cluster of three", () => freshStore(cluster.urls, client));

describe("RedisStore on a cluster", () => {
  it("spreads runs over all nodes, and drains and sweeps all of them", async () => {
    const { store, close } = await freshStore(cluster.urls, client);
    const runs = Array.from({ length: 60 }, (_, n) => `run-${n}`);
    for (const runId of runs) {
      const opening = await store.openRun(aRun({ runId }));
      if (opening.kind !== "opened") throw new Error(opening.kind);
      await store.refuse(aRefusal(opening.run, { runId }));
      await store.begin(aBegin({ revision: 1 }, { record: aRecord({ runId, deadlineAt: 2_000 }) }));
    }
    for (const url of cluster.urls) {
      const node = await openClient(url);
      expect(await node.dbSize()).toBeGreaterThan(20);
      node.destroy();
    }
    await pause(2);
    expect(await store.sweep()).toBe(60);
    expect((await store.drain(100)).flatMap((batch) => batch.events)).toHaveLength(120);
    await close();
  });

  it("is refused a client for a single server, with the remedy", async () => {
    const single = await openClient(cluster.urls[0] ?? "");
    const opening = redisStore({ client: single }).then((store) =>
      Promise.all(Array.from({ length: 20 }, (_, n) => store.readRun(`run-${n}`))),
    );
    await expect(opening).rejects.toMatchObject({
      code: "STORE_ERROR",
      message: expect.stringMatching(/MOVED.*cluster client/),
    });
    single.destroy();
  });

  it("fails closed for the runs of a node that is away, and takes new ones when it is back", async () => {
    const { store, close } = await freshStore(cluster.urls, client);
    const runIds = Array.from({ length: 12 }, (_, n) => `run-${n}`);
    const open = async (runId: string): Promise<number> => {
      const opening = await store.openRun(aRun({ runId }));
      if (opening.kind !== "opened") throw new Error(opening.kind);
      const result = await store.begin(aBegin(opening.run, { record: aRecord({ runId }) }));
      if (result.kind !== "begun") throw new Error(result.kind);
      return result.run.revision;
    };
    const settle = async (runId: string): Promise<string> =>
      (await store.settle(aSettle({ revision: 1 }, { record: aReady(aRecord({ runId })) }))).kind;
    await Promise.all(runIds.map(open));
    await cluster.nodes[1]?.kill();
    const away = await Promise.all(runIds.map((runId) => settle(runId).catch((error: { code: string }) => error.code)));
    expect(new Set(away)).toEqual(new Set(["settled", "STORE_ERROR"]));
    await cluster.nodes[1]?.restart(); // without its data: it was not asked to keep any
    for (const [n, runId] of runIds.entries()) {
      if (away[n] === "settled") continue;
      await eventually(() => store.readRun(runId));
      expect(await settle(runId)).toBe("gone");
      await open(runId);
      expect(await settle(runId)).toBe("settled");
    }
    expect((await store.drain(100)).flatMap((batch) => batch.events)).toHaveLength(12);
    await close();
  });
});

async function eventually(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch {
      await pause(50);
    }
  }
}
