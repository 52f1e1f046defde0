import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AuditSink } from "../../src/audit/audit.ts";
import { mysqlAudit } from "../../src/audit/mysql/mysql-audit.ts";
import { createDatabase, type TestDatabase } from "../services/mysql.ts";
import { type RedisServer, startRedis } from "../services/redis-server.ts";
import { BACKEND_WORDS, Backend, type Behaviour } from "./backend.ts";
import { STEPS } from "./strike.ts";
import { draftOn, World } from "./world.ts";

let server: RedisServer;
let database: TestDatabase;
let audit: AuditSink;
let backend: Backend;
let world: World;

/** What the backend does, and the code of a call that meets it. */
const FAULTS: readonly (readonly [string, Behaviour, string])[] = [
  ["is down", "down", "BACKEND_UNAVAILABLE"],
  ["is slower than its deadline", "slow", "DEADLINE_EXCEEDED"],
  ["answers more than its raw cap", "huge", "RAW_TOO_LARGE"],
  ["answers garbage", "garbage", "BACKEND_ERROR"],
  ["answers in another form", "foreign", "PROJECTION_FAILED"],
  ["is cut off in its answer", "torn", "BACKEND_UNAVAILABLE"],
];

beforeAll(async () => {
  server = await startRedis();
  database = await createDatabase();
  audit = await mysqlAudit({ pool: database.pool() });
});
afterAll(async () => {
  await server.stop();
  await audit.close();
  await database.drop();
});
beforeEach(async () => {
  backend = await Backend.start();
  const ask = async (service: string, signal: AbortSignal): Promise<unknown> =>
    await (await fetch(`http://127.0.0.1:${backend.port}/${service}`, { signal })).json();
  world = await World.open({ redisUrl: server.url, directUrl: server.url, audit, ask });
  return async () => {
    await world.close();
    await backend.close();
  };
});

describe.each(FAULTS)("a backend that %s", (_, behaviour, failure) => {
  it.each(STEPS)("at %s: is an ERROR if it was still to answer, and else changes nothing", async (step) => {
    await world.callInPeace("c1");
    const misbehave = (): Promise<void> => backend.behave(behaviour);
    if (step === "execute") backend.asked = misbehave;
    else world.strike.arm(step, misbehave);
    const code = step === "begin" || step === "execute" ? failure : null;
    const observation = await world.call("c2");
    if (code === null) expect(observation.outcome).toBe("OK");
    else expect(observation).toMatchObject({ outcome: "ERROR", code });
    expect(world.executed).toEqual(["c1", "c2"]);
    expect(await world.codesOn("c2")).toEqual(code === null ? [] : ["EG_INVOCATION_ERROR"]);
    if (step !== "execute") await world.strike.happened();
    const [lookup] = await world.store.read(world.run.runId, ["c2"]);
    expect(lookup).toMatchObject({ record: code === null ? { status: "READY" } : { status: "ERROR", code } });

    backend.asked = async () => undefined;
    await backend.behave("well");
    expect((await world.call("c3")).outcome).toBe("OK");
    await world.expectWholeAndOnce();
    expect(await world.run.publish(draftOn("c2"))).toMatchObject({ published: code === null });
    const rows = await world.rows();
    expect(rows.map(({ error_message }) => error_message)).toEqual([null, code, null]);
    expect(JSON.stringify([...world.shown.values(), rows])).not.toContain(BACKEND_WORDS);
  });
});
