import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mysqlAudit } from "../../src/audit/mysql/mysql-audit.ts";
import { createHarness } from "../../src/boundary/harness.ts";
import { linesTool } from "../boundary/fixture.ts";
import { createDatabase, type TestDatabase } from "../services/mysql.ts";
import { type RedisServer, startRedis } from "../services/redis-server.ts";
import { openStore } from "../store/redis/fixture.ts";

const script = resolve(import.meta.dirname, "dying-caller.mjs");
let server: RedisServer;
let database: TestDatabase;

beforeAll(async () => {
  server = await startRedis();
  database = await createDatabase();
});
afterAll(async () => {
  await database.drop();
  await server.stop();
});

describe("a process that is killed in the middle of a call", () => {
  it.each([
    ["execute", "ABANDONED"],
    ["settle", "ABANDONED"],
    ["answer", null],
  ])("at %s: another one finds what it left, and audits it once in MariaDB", async (step, code) => {
    const { store, close } = await openStore(server.url);
    const audit = await mysqlAudit({ pool: database.pool() });
    const limits = { call: { deadlineMs: 300 } };
    const harness = createHarness({ store, audit, tools: [linesTool()], limits, report: () => undefined });
    try {
      const run = await harness.openRun({ sessionId: "faults" });
      const child = spawn(process.execPath, [script, server.url, run.runId, step], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      child.kill("SIGKILL");
      await once(child, "exit");
      const claim = {
        kind: "observation",
        text: "The pool timed out.",
        citations: [{ tool_call_id: "c1", item_id: "e1" }],
      };
      const before = await run.verify({ claims: [claim] });
      expect(before.verdict).toBe(code === null ? "PASS" : "REJECT");

      await pause(400);
      const swept = (await Promise.all([harness.sweep(), harness.sweep()])).reduce((sum, count) => sum + count, 0);
      expect(swept).toBe(code === null ? 0 : 1);
      const after = await run.verify({ claims: [claim] });
      expect(after.verdict).toBe(code === null ? "PASS" : "REJECT");
      const used = await run.call({ toolCallId: "c1", toolName: "query_lines", request: { service: "again" } });
      expect(used.observation).toMatchObject({ code: "DUPLICATE_CALL_ID" });

      await harness.close();
      const rows = await audit.list({ runId: run.runId, afterId: 0 });
      expect(rows.map((row) => row.error_message)).toEqual([code, "DUPLICATE_CALL_ID"]);
    } finally {
      await audit.close();
      await close();
    }
  });
});
