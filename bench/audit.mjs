// How fast audit events move from Redis to the audit, beside plain inserts of the same rows in the same batches; and how much room a
// row takes. Run after `npm run build`.
import { createPool } from "mysql2";
import { createClient } from "redis";
import { Drainer } from "../dist/audit/drain.js";
import { mysqlAudit } from "../dist/audit/mysql/mysql-audit.js";
import { toRow } from "../dist/audit/row.js";
import { redisStore } from "../dist/store/redis/redis.js";
import { startMysql } from "./mysql-server.mjs";
import { startRedis } from "./redis-server.mjs";

const EVENTS = 20_000;
const RUNS = 200;
/** Of the plain inserts: what the drainer asks for at once. */
const BATCH = 200;

const redis = await startRedis();
const mysql = await startMysql();
const client = createClient({ url: redis.url, disableOfflineQueue: true });
client.on("error", (error) => console.error(error.code));
await client.connect();
const store = await redisStore({ client });
const administrator = createPool(mysql.address).promise();
await administrator.query("create database audit");
await administrator.query("create database plain");
const pool = createPool({ ...mysql.address, database: "audit" });
const audit = await mysqlAudit({ pool });

const event = (run, n) => ({
  sessionId: `session-${run}`,
  runId: `run-${run}`,
  stepId: null,
  toolName: "query_logs",
  toolCallId: `call_${n}`,
  requestBytes: 70,
  status: "READY",
  evidenceStatus: "EVIDENCE_FOUND",
  errorCode: null,
  agentResultBytes: 2_048,
  truncated: false,
  l0MatchCount: null,
  l1MatchCount: null,
  durationMs: 12,
  at: Date.UTC(2026, 2, 1, 8) + n,
});

async function fill() {
  const amounts = { calls: 1e6, requestBytes: 1e9, rawBytes: 1e9, projectionBytes: 1e9 };
  const work = Array.from({ length: RUNS }, async (_, run) => {
    const opened = {
      runId: `run-${run}`,
      sessionId: `session-${run}`,
      principal: null,
      grants: null,
      openedAt: Date.now(),
    };
    const rest = { lifetimeMs: 3_600_000, keepMs: 60_000, limits: amounts, salt: "00".repeat(32), progress: null };
    let { run: state } = await store.openRun({ ...opened, ...rest });
    for (let n = 0; n < EVENTS / RUNS; n += 1) {
      const charge = { calls: 1, requestBytes: 70, rawBytes: 0, projectionBytes: 0 };
      const refusal = {
        runId: `run-${run}`,
        revision: state.revision,
        attempt: `a-${run}-${n}`,
        charge,
        progress: null,
      };
      ({ run: state } = await store.refuse({ ...refusal, event: event(run, n) }));
    }
  });
  await Promise.all(work);
}

async function seconds(work) {
  const started = process.hrtime.bigint();
  const { user, system } = process.cpuUsage();
  await work();
  const own = process.cpuUsage();
  return {
    wall: Number(process.hrtime.bigint() - started) / 1e9,
    cpu: (own.user + own.system - user - system) / 1e6,
  };
}

await fill();
const drainer = new Drainer({ outbox: store, sink: audit, report: (code, fields) => console.error(code, fields) });
const moved = await seconds(() => drainer.close(600_000));
if (drainer.metrics().written !== EVENTS) throw new Error(`${drainer.metrics().written} events were written`);

// the same rows, as plainly as a client can write them
await administrator.query("create table plain.tool_invocation like audit.tool_invocation");
const rows = Array.from({ length: EVENTS }, (_, n) => toRow(event(n % RUNS, n)));
const columns = Object.keys(rows[0]);
const valuesOf = (row) =>
  columns.map((name) => (typeof row[name] === "object" && row[name] !== null ? JSON.stringify(row[name]) : row[name]));
const bare = await seconds(async () => {
  for (let from = 0; from < EVENTS; from += BATCH) {
    const values = rows.slice(from, from + BATCH).map(valuesOf);
    await administrator.query(`insert into plain.tool_invocation (${columns.join(", ")}) values ?`, [values]);
  }
});
await administrator.query("analyze table audit.tool_invocation");
const [[size]] = await administrator.query(
  "select data_length + index_length as bytes, table_rows as n from information_schema.tables where table_schema = 'audit' and table_name = 'tool_invocation'",
);
console.log(
  `${EVENTS} events, one drainer: ${Math.round(EVENTS / moved.wall).toLocaleString("en-US")} rows/s, ` +
    `CPU of a row in this process ${((moved.cpu / EVENTS) * 1e6).toFixed(0)} µs | plain inserts in batches of ${BATCH}: ` +
    `${Math.round(EVENTS / bare.wall).toLocaleString("en-US")} rows/s | a row takes ${Math.round(Number(size.bytes) / Number(size.n))} bytes with its indexes`,
);
await audit.close();
await store.close();
client.destroy();
pool.end();
await administrator.end();
redis.stop();
mysql.stop();
