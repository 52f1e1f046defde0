import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AuditSink } from "../../src/audit/audit.ts";
import { mysqlAudit } from "../../src/audit/mysql/mysql-audit.ts";
import { Link } from "../services/link.ts";
import { createDatabase, type TestDatabase } from "../services/mysql.ts";
import { type RedisServer, startRedis } from "../services/redis-server.ts";
import { type Client, openClient } from "../store/redis/fixture.ts";
import { STEPS, type Step, UNSETTLED } from "./strike.ts";
import { draftOn, World } from "./world.ts";

let server: RedisServer;
let link: Link;
let database: TestDatabase;
let audit: AuditSink;
let admin: Client;
let world: World;

interface Fault {
  readonly hit: () => Promise<void> | void;
  readonly mend: () => Promise<void> | void;
  readonly steps: readonly Step[];
  /** Whether all that the server held is gone. */
  readonly loses?: true;
}

/** For faults that take long to be seen: where the server is asked for something. */
const ASKED: readonly Step[] = ["begin", "settle", "acknowledge", "guard"];

/** What happens to Redis, and how it comes back. */
const FAULTS: Readonly<Record<string, Fault>> = {
  "is killed": { hit: () => server.kill(), mend: () => server.restart(), steps: STEPS },
  "does not answer": { hit: () => server.freeze(), mend: () => server.thaw(), steps: STEPS },
  "comes back empty": {
    hit: () => server.kill(),
    mend: () => server.restart({ empty: true }),
    steps: STEPS,
    loses: true,
  },
  "is cut off": { hit: () => link.cut(), mend: () => link.mend(), steps: STEPS },
  "is reached by nothing for a while": { hit: () => link.hold(), mend: () => link.mend(), steps: ASKED },
  "is heard by nobody": { hit: () => link.deafen(), mend: () => link.mend(), steps: ASKED },
};

beforeAll(async () => {
  server = await startRedis({ persistent: true });
  admin = await openClient(server.url);
  link = await Link.to(server.port);
  database = await createDatabase();
  audit = await mysqlAudit({ pool: database.pool() });
});
afterAll(async () => {
  admin.destroy();
  link.close();
  await server.stop();
  await audit.close();
  await database.drop();
});
beforeEach(async () => {
  await admin.flushAll();
  world = await World.open({ redisUrl: `redis://127.0.0.1:${link.port}`, directUrl: server.url, audit });
  return () => world.close();
});

describe.each(Object.entries(FAULTS))("a Redis that %s", (_, { hit, mend, steps, loses }) => {
  it.each(steps)("at %s: shows nothing that is not stored, and nothing twice when it is back", async (step) => {
    await world.callInPeace("c1");
    world.strike.arm(step, hit);
    const observation = await world.call("c2");
    if (UNSETTLED.includes(step)) expect(observation).toMatchObject({ outcome: "ERROR", code: "STORE_ERROR" });
    else expect(observation.outcome).toBe("OK");
    expect(world.executed).toEqual(step === "begin" ? ["c1"] : ["c1", "c2"]);
    if (step === "guard") expect(await world.run.publish(draftOn("c2"))).toMatchObject({ published: false });
    await world.strike.happened();
    const [one, two, publication] = await Promise.all([
      world.codesOn("c1"),
      world.codesOn("c2"),
      world.run.publish(draftOn("c1")),
    ]);
    expect([one, two]).toEqual([["EG_STORE_UNAVAILABLE"], ["EG_STORE_UNAVAILABLE"]]);
    expect(publication).toMatchObject({ published: false });

    await mend();
    await world.untilBack();
    if (loses) return await expectLossIsKnown();
    expect((await world.call("c3")).outcome).toBe("OK");
    await world.expectWholeAndOnce();
    expect(world.notices).not.toContain("AUDIT_OUTBOX_LOST");
    const published = await world.run.publish(draftOn("c3"));
    expect(published).toMatchObject({ published: true });
  });
});

/** Nothing of the run passes any more, what was written stays written once, and the next events show that some are lost. */
async function expectLossIsKnown(): Promise<void> {
  for (const id of ["c1", "c2"]) expect((await world.verdictOn(id)).verdict).toBe("REJECT");
  expect(await world.call("c3")).toMatchObject({ outcome: "REFUSED", code: "RUN_NOT_ACTIVE" });
  expect(world.executed).not.toContain("c3");
  expect(world.unrecorded).toEqual([]);
  const next = await world.harness.openRun({ sessionId: "faults" });
  const request = { service: "d1" };
  expect((await next.call({ toolCallId: "d1", toolName: "query_lines", request })).observation.outcome).toBe("OK");
  await world.harness.close();
  const ids = (await world.rows()).map((row) => row.input_params.tool_call_id);
  expect(ids.filter((id) => id === "c1")).toHaveLength(1);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await world.rows(next.runId)).toHaveLength(1);
  expect(world.notices.filter((code) => code === "AUDIT_OUTBOX_LOST")).toHaveLength(1);
}
