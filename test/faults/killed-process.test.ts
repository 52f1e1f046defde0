import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditSink } from "../../src/audit/audit.ts";
import { mysqlAudit } from "../../src/audit/mysql/mysql-audit.ts";
import { createDatabase, mysqlAddress, type TestDatabase } from "../services/mysql.ts";
import { type RedisServer, startRedis } from "../services/redis-server.ts";
import { draftOn, World } from "./world.ts";

const script = resolve(import.meta.dirname, "dying-caller.mjs");
let server: RedisServer;
let database: TestDatabase;
let audit: AuditSink;

beforeAll(async () => {
  server = await startRedis();
  database = await createDatabase();
  audit = await mysqlAudit({ pool: database.pool() });
});
afterAll(async () => {
  await audit.close();
  await database.drop();
  await server.stop();
});

/** What another process makes of a call that was killed there. */
const OUTCOMES = { none: "has no call", abandoned: "has one abandoned call", ready: "has one READY call" } as const;

const CASES: readonly (readonly [step: string, outcome: keyof typeof OUTCOMES])[] = [
  ["begin", "none"],
  ["begun", "abandoned"],
  ["execute", "abandoned"],
  ["project", "abandoned"],
  ["settle", "abandoned"],
  ["answer", "ready"],
  ["drain", "ready"],
  ["record", "ready"],
  ["acknowledge", "ready"],
  ["guard", "ready"],
  ["publish", "ready"],
];

describe("a process that is killed in the middle of a call", () => {
  it.each(CASES)("at %s: another one finds what it left, and audits it once in MariaDB", async (step, outcome) => {
    const world = await World.open({ redisUrl: server.url, directUrl: server.url, audit });
    try {
      await killAt(step, world.run.runId);
      const verdict = outcome === "ready" ? "PASS" : "REJECT";
      expect((await world.verdictOn("c1")).verdict).toBe(verdict);
      await world.untilSettled();
      expect((await world.verdictOn("c1")).verdict).toBe(verdict);
      const again = await world.run.call({ toolCallId: "c1", toolName: "query_lines", request: { service: "again" } });
      expect(again.observation).toMatchObject(
        outcome === "none" ? { outcome: "OK" } : { outcome: "REFUSED", code: "DUPLICATE_CALL_ID" },
      );
      const publication = await world.run.publish(draftOn("c1"));
      expect(publication).toMatchObject({ published: outcome !== "abandoned" });

      await world.harness.close();
      const codes = { none: [null], abandoned: ["ABANDONED", "DUPLICATE_CALL_ID"], ready: [null, "DUPLICATE_CALL_ID"] };
      expect((await world.rows()).map((row) => row.error_message)).toEqual(codes[outcome]);
    } finally {
      await world.close();
    }
  });

  it("after its diagnosis was published: another one finds the run ended, and does not publish again", async () => {
    const world = await World.open({ redisUrl: server.url, directUrl: server.url, audit });
    try {
      await killAt("published", world.run.runId);
      const publication = await world.run.publish(draftOn("c1"));
      expect(publication).toMatchObject({ published: false, status: "COMPLETED" });
      expect(await world.call("c2")).toMatchObject({ outcome: "REFUSED", code: "RUN_NOT_ACTIVE" });
    } finally {
      await world.close();
    }
  });
});

/** Lets another process make the call `c1` in this run, and kills it when it has come to this step. */
async function killAt(step: string, runId: string): Promise<void> {
  const pool = JSON.stringify({ ...mysqlAddress(), database: database.name });
  const child = spawn(process.execPath, [script, server.url, pool, runId, step], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
}
