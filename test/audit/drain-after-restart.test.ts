import { afterAll, beforeAll, expect, it } from "vitest";
import { Drainer } from "../../src/audit/drain.ts";
import { anEvent, aRefusal, aRun } from "../../src/testing/records.ts";
import { ListSink } from "../boundary/fixture.ts";
import { type RedisServer, startRedis } from "../services/redis-server.ts";
import { type OpenStore, openStore } from "../store/redis/fixture.ts";
import { until } from "../until.ts";

let server: RedisServer;
let opened: OpenStore;

beforeAll(async () => {
  server = await startRedis({ persistent: true });
  opened = await openStore(server.url);
});
afterAll(async () => {
  await opened.close();
  await server.stop();
});

/** Three lives of the server, so three epochs, and one event of each. */
async function appendInEachLife(): Promise<void> {
  const { store } = opened;
  const opening = await store.openRun(aRun());
  if (opening.kind !== "opened") throw new Error(opening.kind);
  let { revision } = opening.run;
  for (let life = 1; life <= 3; life += 1) {
    if (life > 1) await server.kill();
    if (life > 1) await server.restart();
    await until(() => store.readRun("run-1").then(Boolean, () => false));
    const event = anEvent({ durationMs: life });
    const refused = await store.refuse(aRefusal({ revision }, { attempt: `life-${life}`, event }));
    if (refused.kind !== "refused") throw new Error(refused.kind);
    revision = refused.run.revision;
  }
}

it("a Redis that was restarted twice has every event written when its process ends", async () => {
  await appendInEachLife();
  const sink = new ListSink();
  const drainer = new Drainer({ outbox: opened.store, sink, report: () => undefined });
  expect(await drainer.close(5_000)).toBe("drained");
  expect(sink.rows.map((row) => row.duration_ms)).toEqual([1, 2, 3]);
  expect(await opened.store.outboxUsage()).toMatchObject({ waiting: 0 });
});

it("an event whose script the server had to be told again is not passed over", async () => {
  const [one, other] = await Promise.all([openStore(server.url, { scanEveryMs: 1_000_000 }), openStore(server.url)]);
  const run = await one.store.readRun("run-1");
  await one.store.drain(10);
  await opened.client.scriptFlush();
  // its first drain looks everywhere, so that the server knows how to drain and does not know how to refuse
  await other.store.drain(10);
  const refusing = one.store.refuse(aRefusal({ revision: run?.revision ?? -1 }, { attempt: "late" }));
  expect(await one.store.drain(10)).toEqual([]);
  expect((await refusing).kind).toBe("refused");
  expect((await one.store.drain(10)).flatMap(({ events }) => events)).toHaveLength(1);
  await Promise.all([one.close(), other.close()]);
});
