import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AuditSink } from "../../src/audit/audit.ts";
import { mysqlAudit } from "../../src/audit/mysql/mysql-audit.ts";
import { Link } from "../services/link.ts";
import { createDatabase, type TestDatabase } from "../services/mysql.ts";
import { type MysqlServer, startMysql } from "../services/mysql-server.ts";
import { type RedisServer, startRedis } from "../services/redis-server.ts";
import { until } from "../until.ts";
import { STEPS, type Step } from "./strike.ts";
import { draftOn, World } from "./world.ts";

let redis: RedisServer;
let mysql: MysqlServer;
let link: Link;
let database: TestDatabase;
let audit: AuditSink;
/** A way to the rows that no link disturbs. */
let direct: AuditSink;
let world: World;

interface Fault {
  readonly hit: () => Promise<void> | void;
  readonly mend: () => Promise<void> | void;
  readonly steps: readonly Step[];
}

const AUDIT_STEPS: readonly Step[] = ["drain", "record", "acknowledge"];

/** What happens to the audit's database, and how it comes back. */
const FAULTS: Readonly<Record<string, Fault>> = {
  "is killed": { hit: () => mysql.kill(), mend: () => mysql.restart(), steps: STEPS },
  "does not answer": { hit: () => mysql.freeze(), mend: () => mysql.thaw(), steps: STEPS },
  "is cut off": { hit: () => link.cut(), mend: () => link.mend(), steps: STEPS },
  "is reached by nothing for a while": { hit: () => link.hold(), mend: () => link.mend(), steps: AUDIT_STEPS },
  "is heard by nobody": { hit: () => link.deafen(), mend: () => link.mend(), steps: AUDIT_STEPS },
  "commits and is not heard": { hit: () => link.deafenAt("commit"), mend: mendAfterCommit, steps: ["record"] },
};

/** Lets the answer be lost of a transaction that is done. */
async function mendAfterCommit(): Promise<void> {
  await until(() => link.deaf);
  await until(async () => (await direct.list({ runId: world.run.runId })).length > 1);
  link.mend();
}

beforeAll(async () => {
  [redis, mysql] = await Promise.all([startRedis(), startMysql()]);
  link = await Link.to(mysql.port);
  database = await createDatabase(mysql);
  direct = await mysqlAudit({ pool: database.pool() });
  audit = await mysqlAudit({ pool: database.pool({ port: link.port, connectTimeout: 500 }) });
});
afterAll(async () => {
  link.close();
  await mysql.stop();
  await redis.stop();
});
beforeEach(async () => {
  world = await World.open({ redisUrl: redis.url, directUrl: redis.url, audit });
  return () => world.close();
});

const cells = Object.entries(FAULTS).flatMap(([name, { steps, ...fault }]) =>
  steps.map((step) => [name, step, fault] as const),
);

describe("a MySQL audit", () => {
  it.each(cells)("that %s at %s: holds up nothing, and has every row once when it is back", async (_, step, fault) => {
    await world.callInPeace("c1");
    world.strike.arm(step, fault.hit);
    expect((await world.call("c2")).outcome).toBe("OK");
    expect(await world.codesOn("c2")).toEqual([]);
    await world.strike.happened();
    for (const id of ["c3", "c4"]) expect((await world.call(id)).outcome).toBe("OK");
    expect((await world.verdictOn("c4")).verdict).toBe("PASS");

    await fault.mend();
    expect((await world.call("c5")).outcome).toBe("OK");
    await world.untilAudited(5);
    await world.expectWholeAndOnce();
    expect(world.notices).not.toContain("AUDIT_OUTBOX_LOST");
  });

  it("that is killed does not keep a run from being published", async () => {
    await world.callInPeace("c1");
    await mysql.kill();
    expect(await world.run.publish(draftOn("c1"))).toMatchObject({ published: true });
    await mysql.restart();
  });
});
