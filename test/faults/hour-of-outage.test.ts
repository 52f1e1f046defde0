import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AuditSink } from "../../src/audit/audit.ts";
import { mysqlAudit } from "../../src/audit/mysql/mysql-audit.ts";
import { createHarness, type Harness } from "../../src/boundary/harness.ts";
import type { Run } from "../../src/boundary/run.ts";
import { answering } from "../boundary/fixture.ts";
import { createDatabase } from "../services/mysql.ts";
import { type MysqlServer, startMysql } from "../services/mysql-server.ts";
import { type RedisServer, startRedis } from "../services/redis-server.ts";
import { type OpenStore, openStore } from "../store/redis/fixture.ts";
import { until } from "../until.ts";

/** The load that an hour of outage meets. All its calls are made; only the time between them is left out. */
const CALLS_A_SECOND = 1;
const OUTAGE_SECONDS = 60 * 60;
const CALLS = CALLS_A_SECOND * OUTAGE_SECONDS;
/** How long the drainer may rest between two attempts: on a slow machine the calls take so long that it comes to that. */
const MAX_PAUSE_MS = 30_000;
/** Diagnoses that go on side by side. */
const RUNS = 30;

let redis: RedisServer;
let mysql: MysqlServer;
let opened: OpenStore;
let audit: AuditSink;
let harness: Harness;
let runs: readonly Run[];

beforeAll(async () => {
  [redis, mysql] = await Promise.all([startRedis(), startMysql()]);
  opened = await openStore(redis.url);
  const database = await createDatabase(mysql);
  audit = await mysqlAudit({ pool: database.pool({ connectTimeout: 500 }) });
  harness = createHarness({
    store: opened.store,
    audit,
    tools: [answering(async ({ service }) => ({ lines: [`pool timed out in ${service}`] }))],
    limits: { run: { calls: CALLS, requestBytes: CALLS * 1_024, rawBytes: 1e9, projectionBytes: 1e9 } },
    report: () => undefined,
  });
  runs = await Promise.all(Array.from({ length: RUNS }, () => harness.openRun({ sessionId: "an-hour" })));
});
afterAll(async () => {
  await harness.close();
  await opened.close();
  await mysql.stop();
  await redis.stop();
});

/** Call `n` of the load, by the runs in turn. */
async function call(n: number): Promise<string> {
  const run = runs[n % RUNS];
  const toolCallId = `c${Math.floor(n / RUNS)}`;
  const answer = await run?.call({ toolCallId, toolName: "query_lines", request: { service: toolCallId } });
  return answer?.observation.outcome ?? "";
}

async function idsOf(run: Run): Promise<readonly string[]> {
  const rows = await audit.list({ runId: run.runId, afterId: 0, limit: 10_000 });
  return rows.map((row) => row.input_params.tool_call_id);
}

async function emptied(): Promise<boolean> {
  await pause(50); // it asks every partition
  return (await opened.store.outboxUsage()).waiting === 0;
}

it("60 minutes without MySQL at a call a second end with every row there, once and in order", async () => {
  await mysql.kill();
  const outcomes = new Set<string>();
  for (let n = 0; n < CALLS; n += 1) outcomes.add(await call(n));
  expect([...outcomes]).toEqual(["OK"]);
  expect(await opened.store.outboxUsage()).toMatchObject({ waiting: CALLS, dropped: 0, lost: 0 });

  await mysql.restart();
  await until(emptied, MAX_PAUSE_MS + 30_000);
  const expected = Array.from({ length: CALLS / RUNS }, (_, n) => `c${n}`);
  for (const run of runs) expect(await idsOf(run)).toEqual(expected);
}, 180_000);
