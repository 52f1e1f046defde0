import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Amounts } from "../../../src/model/budget.ts";
import { isJsonObject, type JsonValue } from "../../../src/model/json.ts";
import type { EndedStatus } from "../../../src/model/run.ts";
import { MemoryStore } from "../../../src/store/memory/memory-store.ts";
import { redisStore } from "../../../src/store/redis/redis.ts";
import type { CanonicalStore } from "../../../src/store/store.ts";
import { aBegin, anError, anEvent, aReady, aRecord, aRefusal, aRun, aSettle } from "../../../src/testing/records.ts";
import { type RedisServer, startRedis } from "../../services/redis-server.ts";
import { type Client, openClient, shiftTime } from "./fixture.ts";

let server: RedisServer;
let client: Client;
beforeAll(async () => {
  server = await startRedis();
  client = await openClient(server.url);
});
afterAll(async () => {
  client.destroy();
  await server.stop();
});

const runId = fc.constantFrom("run-1", "run-2");
const toolCallId = fc.constantFrom("a", "b", "c", `long-${"x".repeat(100)}`);
const small = fc.nat({ max: 4 });
const amounts = fc.record({ calls: small, requestBytes: small, rawBytes: small, projectionBytes: small });
/** How far behind the run's revision the writer is. */
const behind = fc.constantFrom(0, 0, 0, 0, 1);
const attempt = fc.constantFrom("x", "y");
const learned = fc.record({
  secrets: fc.array(fc.constantFrom("secret-one", "secret-two", "secret-three"), { maxLength: 2 }),
  aliases: fc.array(
    fc.record({ alias: fc.constantFrom("aaaa", "bbbb"), kind: fc.constant("ip"), value: fc.constantFrom("1", "2") }),
    { maxLength: 2 },
  ),
  dropped: fc.nat({ max: 1 }),
});
const step = fc.oneof(
  fc.record({ verb: fc.constant("open" as const), runId, limits: amounts }),
  fc.record({ verb: fc.constant("begin" as const), runId, toolCallId, attempt, behind, wanted: amounts }),
  fc.record({
    verb: fc.constant("settle" as const),
    runId,
    toolCallId,
    attempt,
    behind,
    spent: amounts,
    learned,
    ready: fc.boolean(),
  }),
  fc.record({ verb: fc.constant("refuse" as const), runId, attempt, behind, charge: amounts }),
  fc.record({
    verb: fc.constant("close" as const),
    runId,
    attempt,
    status: fc.constantFrom<EndedStatus>("COMPLETED", "FAILED"),
  }),
  // no sum of these comes close before one of the periods that a test run has
  fc.record({ verb: fc.constant("pass" as const), ms: fc.constantFrom(7_001, 11_003, 31_007, 61_009) }),
  fc.record({ verb: fc.constant("drain" as const) }),
  fc.record({ verb: fc.constant("read" as const), runId }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play(store: CanonicalStore, pass: (ms: number) => Promise<void>, step: Step): Promise<unknown> {
  const revisionOf = async (id: string, behindBy: number): Promise<number> =>
    ((await store.readRun(id))?.revision ?? 0) - behindBy;
  switch (step.verb) {
    case "open":
      return await store.openRun(aRun({ runId: step.runId, limits: generous(step.limits) }));
    case "begin": {
      const record = aRecord({ runId: step.runId, toolCallId: step.toolCallId });
      const revision = await revisionOf(step.runId, step.behind);
      return await store.begin(aBegin({ revision }, { record, wanted: step.wanted, attempt: step.attempt }));
    }
    case "settle": {
      const begun = aRecord({ runId: step.runId, toolCallId: step.toolCallId });
      const record = step.ready ? aReady(begun) : anError(begun);
      const revision = await revisionOf(step.runId, step.behind);
      const { spent, attempt, learned } = step;
      return await store.settle(aSettle({ revision }, { record, spent, attempt, learned }));
    }
    case "refuse": {
      const revision = await revisionOf(step.runId, step.behind);
      const event = anEvent({ runId: step.runId, status: "REFUSED" });
      return await store.refuse(
        aRefusal({ revision }, { runId: step.runId, attempt: step.attempt, charge: step.charge, event }),
      );
    }
    case "close":
      return await store.closeRun({ runId: step.runId, status: step.status, reason: null, attempt: step.attempt });
    case "pass":
      await pass(step.ms);
      return await store.sweep();
    case "drain": {
      const batches = await store.drain(100);
      for (const { position } of batches) await store.acknowledge(position);
      // calls that are overdue since the same moment are swept in any order
      return batches.map(({ events, position }) => [position.sequence, events.map((event) => event.toolCallId).sort()]);
    }
    case "read": {
      const ids = ["a", "b", "c", `long-${"x".repeat(100)}`, "d"];
      const raws = await Promise.all(ids.map((id) => store.readRaw(step.runId, id)));
      return [await store.readRun(step.runId), await store.list(step.runId), await store.read(step.runId, ids), raws];
    }
  }
}

function generous({ calls, requestBytes, rawBytes, projectionBytes }: Amounts): Amounts {
  return {
    calls: calls * 2,
    requestBytes: requestBytes * 4,
    rawBytes: rawBytes * 4,
    projectionBytes: projectionBytes * 4,
  };
}

/** The moments of an abandoned call are by the store's own clock, and a real one runs while the test does. */
function withoutMoments(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member) => (["at", "completedAt", "durationMs"].includes(key) ? undefined : member)),
  );
}

describe("RedisStore and MemoryStore", () => {
  it("give the same answers to the same operations", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        await client.flushAll();
        let now = 0;
        const memory = new MemoryStore({ clock: () => now });
        const redis = await redisStore({ client, partitions: 1 });
        const passMemory = async (ms: number): Promise<void> => {
          now += ms;
        };
        for (const [n, one] of [
          {
            verb: "open",
            runId: "run-1",
            limits: { calls: 4, requestBytes: 4, rawBytes: 4, projectionBytes: 4 },
          } as const,
          ...steps,
        ].entries()) {
          const wanted = withoutMoments(await play(memory, passMemory, one));
          const got = withoutMoments(await play(redis, (ms) => shiftTime(client, ms), one));
          expect(got, `step ${n}: ${one.verb}`).toEqual(wanted);
        }
        await memory.close();
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});

describe("progress in Redis", () => {
  /** Lists that grow, shrink and change in places, with elements kept by identity as a pure function keeps them. */
  const edit = fc.record({
    name: fc.constantFrom("calls", "seen", "__proto__", "x"),
    kind: fc.constantFrom("append", "replace", "shorten", "scalar", "drop", "any"),
    at: fc.nat({ max: 30 }),
    value: fc.jsonValue({ maxDepth: 2 }),
  });
  type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

  function edited(progress: JsonValue, { name, kind, at, value }: Edit): JsonValue {
    if (kind === "any" || !isJsonObject(progress)) return value as JsonValue;
    const members = new Map(Object.entries(progress));
    const old = members.get(name);
    const list: readonly JsonValue[] = Array.isArray(old) ? old : [];
    if (kind === "drop") members.delete(name);
    else if (kind === "scalar") members.set(name, value as JsonValue);
    else if (kind === "append") members.set(name, [...list, ...Array.from({ length: at }, () => value as JsonValue)]);
    else if (kind === "replace")
      members.set(
        name,
        list.map((element, i) => (i === at ? (value as JsonValue) : element)),
      );
    else members.set(name, list.slice(0, at));
    return Object.fromEntries(members);
  }

  it("is for every reader what was written last, whoever wrote it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(edit, fc.boolean()), { minLength: 5, maxLength: 25 }), async (edits) => {
        await client.flushAll();
        const stores = [await redisStore({ client }), await redisStore({ client })] as const;
        await stores[0].openRun(aRun({ progress: {} }));
        let progress: JsonValue = {};
        for (const [revision, [one, other]] of edits.entries()) {
          progress = edited(progress, one);
          const written = await stores[other ? 1 : 0].refuse(
            aRefusal({ revision }, { attempt: `r${revision}`, progress }),
          );
          if (written.kind !== "refused") throw new Error(written.kind);
          progress = written.run.progress;
          const reader = await redisStore({ client });
          expect(JSON.stringify((await reader.readRun("run-1"))?.progress)).toBe(JSON.stringify(progress));
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it("is sent in parts: a call of a long run costs what it changes", async () => {
    await client.flushAll();
    const store = await redisStore({ client });
    const opening = await store.openRun(aRun());
    if (opening.kind !== "opened") throw new Error(opening.kind);
    const long = { calls: Array.from({ length: 500 }, (_, n) => ({ id: n, text: "x".repeat(200) })), seen: [] };
    const first = await store.refuse(aRefusal(opening.run, { attempt: "first", progress: long }));
    if (first.kind !== "refused") throw new Error(first.kind);
    const received = async (): Promise<number> =>
      Number(/total_net_input_bytes:(\d+)/.exec(await client.info("stats"))?.[1]);
    const before = await received();
    const calls = long.calls.map((call, n) => (n === 499 ? { ...call, text: "y" } : call));
    await store.refuse(aRefusal(first.run, { attempt: "second", progress: { ...long, calls } }));
    expect((await received()) - before).toBeLessThan(5_000);
    expect((await store.readRun("run-1"))?.progress).toEqual({ ...long, calls });
  });
});
