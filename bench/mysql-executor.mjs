// What the executor adds to a bare `execute` of mysql2: 100 rows of 8 columns, both on pools of the same server, in turns in the same
// run. Run after `npm run build`; MYSQLD_BIN names another server.
import { createPool } from "mysql2";
import { MysqlSqlValidator, mysqlDatasource, parseSqlPolicy } from "../dist/tools/tools.js";
import { compare, gate } from "./measure.mjs";
import { startMysql } from "./mysql-server.mjs";

const ROWS = 100;
const COLUMNS = ["id", "customer", "status", "total", "quantity", "note", "created_at", "updated_at"];
const server = await startMysql();
const admin = createPool({ ...server.address, connectionLimit: 1 }).promise();
await admin.query("CREATE DATABASE shop CHARACTER SET utf8mb4");
await admin.query(
  "CREATE TABLE shop.orders (id BIGINT PRIMARY KEY, customer VARCHAR(40), status VARCHAR(20), total DECIMAL(12,2), " +
    "quantity INT, note TEXT, created_at DATETIME, updated_at DATETIME(3))",
);
const rows = Array.from({ length: ROWS }, (_, i) => {
  const time = `2026-03-01 08:${String(i % 60).padStart(2, "0")}:00`;
  return [
    i,
    `customer-${i}`,
    "PAYMENT_PENDING",
    `${i}.50`,
    i % 7,
    "waits for the provider ".repeat(3),
    time,
    `${time}.125`,
  ];
});
await admin.query(`INSERT INTO shop.orders (${COLUMNS.join(", ")}) VALUES ?`, [rows]);
await admin.query("CREATE USER reader IDENTIFIED BY 'of-the-bench'");
await admin.query(`GRANT SELECT (${COLUMNS.join(", ")}) ON shop.orders TO reader`);

const policy = parseSqlPolicy({
  datasource: "shop",
  defaultSchema: "shop",
  tables: { "shop.orders": COLUMNS },
  maxRows: ROWS,
});
const { host, port } = server.address;
const account = { host, port, user: "reader", password: "of-the-bench", database: "shop", charset: "utf8mb4" };
const pools = [createPool(account), createPool(account)];
const { executor, catalog } = await mysqlDatasource({ pool: pools[0], policy });
const validator = new MysqlSqlValidator(policy, catalog);
const bare = pools[1].promise();
// the deadline of a call is made by whoever calls
const { signal } = new AbortController();
const asExecutor = { rowsAsArray: true, supportBigNumbers: true, dateStrings: true };

/** One statement by the executor, and by the driver alone with the options that give the same values. */
async function measure(name, columns) {
  const { plan } = validator.validate(`SELECT ${columns.join(", ")} FROM orders WHERE status = 'PAYMENT_PENDING'`);
  const mustBeAll = ({ length }) => {
    if (length !== ROWS) throw new Error(`${length} rows`);
  };
  const own = async () => {
    mustBeAll((await executor.execute(plan, { signal, maxRawBytes: policy.maxRawBytes })).rows);
  };
  const baseline = async () => {
    const [read] = await bare.execute({ sql: plan.sql, values: plan.params, ...asExecutor });
    mustBeAll(read);
  };
  const { p50, overhead } = await compare(name, own, baseline, { rounds: 2_000 });
  gate(`executor over bare mysql2 execute, ${name}, p50`, (overhead / (p50 - overhead)) * 100, 15, "%");
}

await measure("100 rows of 8 columns", COLUMNS);
await measure("100 rows of 6 columns without times", COLUMNS.slice(0, 6));
await executor.close();
for (const pool of pools) pool.end();
await admin.end();
server.stop();
