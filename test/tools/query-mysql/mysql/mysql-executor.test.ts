import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MysqlConnection, type MysqlPool, rowsOf } from "../../../../src/tools/query-mysql/mysql/mysql-client.ts";
import { MysqlServerExecutor } from "../../../../src/tools/query-mysql/mysql/mysql-executor.ts";
import type { MysqlQueryPlan } from "../../../../src/tools/query-mysql/plan.ts";
import { SQLITE_DIALECT } from "../../../../src/tools/query-mysql/sqlite/sqlite-dialect.ts";
import { planOf, validatorFor } from "../bookshop.ts";
import { openTables, series, type Tables } from "./tables.ts";

const failure = (code: string) => expect.objectContaining({ code });
/** Takes far longer than any test: each table multiplies. */
const ENDLESS =
  "SELECT COUNT(*) FROM parcels a, parcels b, parcels c, parcels d WHERE a.weight + b.weight + c.weight < d.weight";
/** As many rows as the text of a test needs; the columns of a plan are not looked at by an executor. */
const handMade = (sql: string, columns: number, maxRows = 10): MysqlQueryPlan => ({
  ...planOf("SELECT 1"),
  sql,
  params: [],
  maxRows,
  columns: Array.from({ length: columns }, (_, i) => ({ ...planOf("SELECT 1").columns[0], name: `c${i}` }) as never),
});
let tables: Tables;
const signal = (): AbortSignal => AbortSignal.timeout(10_000);

beforeAll(async () => {
  tables = await openTables(
    [
      "create table parcels (id int primary key auto_increment, label varchar(40), weight int, note longtext, secret varchar(9))",
      `insert into parcels (label, weight, note) select concat('parcel ', seq), seq, repeat('n', 100) from ${series(3)} where seq <= 300 order by seq`,
      "create table 货架 (编号 int primary key, 名称 varchar(20))",
      "insert into 货架 values (1, '海🔥')",
    ],
    { parcels: ["id", "label", "weight", "note"], 货架: ["编号", "名称"] },
    { maxRows: 20 },
  );
});
afterAll(async () => {
  await tables.close();
});

describe("MysqlServerExecutor", () => {
  it("runs plans under grants on the policy's columns alone, with Chinese names and strings as parameters", async () => {
    expect(await tables.run("SELECT label FROM parcels WHERE label = 'parcel 7'")).toEqual({
      rows: [["parcel 7"]],
      cutByBytes: false,
    });
    expect((await tables.run("SELECT 名称, 编号 FROM 货架 WHERE 名称 LIKE '海%'")).rows).toEqual([["海🔥", 1]]);
    expect((await tables.run("SELECT COUNT(*) FROM parcels")).rows).toEqual([[300]]);
  });

  it("puts every session into one state and reads it back", async () => {
    const state = await tables.datasource.executor.session(signal(), async (connection, server) => {
      const names = ["sql_mode", "time_zone", "character_set_results", "autocommit"];
      const own = [
        `@@session.${server.timeout.variable} as limited`,
        `@@session.${server.readOnlyVariable} as only_reads`,
      ];
      const columns = [...names.map((name) => `@@session.${name} as ${name}`), ...own].join(", ");
      const [row] = await rowsOf(connection, `select ${columns}`);
      expect(server.timeout.unitsOfSecond).toBe(server.flavour === "MySQL" ? 1_000 : 1);
      return { ...row, limited: Number(row?.["limited"]) / server.timeout.unitsOfSecond };
    });
    expect(state).toEqual({
      sql_mode: "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION",
      time_zone: "+00:00",
      character_set_results: "utf8mb4",
      autocommit: 1,
      limited: 30,
      only_reads: 1,
    });
  });

  it("refuses a session that does not keep what was set, as behind a proxy that drops it", async () => {
    const own = tables.database.pool();
    const pool: MysqlPool = {
      getConnection: (callback) =>
        own.getConnection((error, connection) => {
          const query = connection.query.bind(connection) as MysqlConnection["query"];
          const dropping: MysqlConnection["query"] = (statement, done) =>
            query({ ...statement, sql: statement.sql.replace(/^SET SESSION.*$/, "DO 0") }, done);
          callback(error, Object.assign(connection, { query: dropping }) as MysqlConnection);
        }),
    };
    const executor = new MysqlServerExecutor({ pool });
    await expect(executor.execute(planOf("SELECT 1"), { signal: signal(), maxRawBytes: 99 })).rejects.toThrowError(
      /The session's sql_mode is not what was set/,
    );
  });

  it("sends and reads text as it is over a pool of another character set", async () => {
    const executor = new MysqlServerExecutor({ pool: tables.database.pool({ charset: "GBK_CHINESE_CI" }) });
    const plan = tables.plan("SELECT 名称 FROM 货架 WHERE 名称 = '海🔥'");
    expect((await executor.execute(plan, { signal: signal(), maxRawBytes: 99 })).rows).toEqual([["海🔥"]]);
  });

  it("writes nothing even for an account that may", async () => {
    const executor = new MysqlServerExecutor({ pool: tables.database.pool() });
    for (const sql of ["DELETE FROM parcels", "CREATE TABLE other (id INT)", "UPDATE parcels SET weight = 0"]) {
      await expect(executor.execute(handMade(sql, 0), { signal: signal(), maxRawBytes: 99 })).rejects.toThrowError(
        failure("BAD_QUERY"),
      );
    }
    const two = executor.execute(handMade("SELECT 1; SELECT 2", 1), { signal: signal(), maxRawBytes: 99 });
    await expect(two).rejects.toThrowError(failure("BAD_QUERY"));
    expect((await tables.run("SELECT COUNT(*), MAX(weight) FROM parcels")).rows).toEqual([[300, 300]]);
  });

  it("reads one row more than may be shown, whatever the statement asks for", async () => {
    expect((await tables.run("SELECT id FROM parcels ORDER BY id")).rows).toHaveLength(21);
    const { rows } = await tables.datasource.executor.execute(
      handMade(`SELECT id FROM ${tables.database.name}.parcels`, 1),
      { signal: signal(), maxRawBytes: 1e6 },
    );
    expect(rows).toHaveLength(11);
  });

  it("stops at the byte cap, says so, and counts as the boundary does", async () => {
    const { rows, cutByBytes } = await tables.run("SELECT note FROM parcels ORDER BY id", { maxRawBytes: 1_000 });
    expect([rows.length, cutByBytes]).toEqual([9, true]);
    expect(Buffer.byteLength(JSON.stringify({ rows, cutByBytes }))).toBeLessThanOrEqual(1_000);
    expect((await tables.run("SELECT COUNT(*) FROM parcels")).rows).toEqual([[300]]);
  });

  it("does not take a cell of 50 MB in, and goes on answering", async () => {
    const server = tables.database;
    const [before] = await server.query<{ most: number }>("select @@global.max_allowed_packet as most");
    await server.query("set global max_allowed_packet = 67108864");
    try {
      const executor = new MysqlServerExecutor({ pool: tables.database.pool() });
      const huge = handMade("SELECT 1, 'a' UNION ALL SELECT 2, REPEAT('x', 52428800)", 2);
      const memory = process.memoryUsage().external;
      const result = await executor.execute(huge, { signal: signal(), maxRawBytes: 1_000_000 });
      expect(result).toEqual({ rows: [[1, "a"]], cutByBytes: true });
      expect(process.memoryUsage().external - memory).toBeLessThan(30_000_000);
      expect((await executor.execute(handMade("SELECT 5", 1), { signal: signal(), maxRawBytes: 99 })).rows).toEqual([
        [5],
      ]);
      await executor.close();
    } finally {
      await server.query(`set global max_allowed_packet = ${before?.most}`);
    }
  });

  it("reads 3,000 columns, and refuses a row of other columns than the plan has", async () => {
    const items = Array.from({ length: 3_000 }, (_, i) => `${i}`).join(", ");
    const options = { signal: signal(), maxRawBytes: 1e6 };
    const { rows } = await tables.datasource.executor.execute(handMade(`SELECT ${items}`, 3_000), options);
    expect([rows[0]?.length, rows[0]?.[2_999]]).toEqual([3_000, 2_999]);
    await expect(tables.datasource.executor.execute(handMade("SELECT 1, 2", 1), options)).rejects.toThrowError(
      failure("BACKEND_SCHEMA_ERROR"),
    );
  });

  it("ends an aborted statement on the server too, and goes on answering", async () => {
    const running = tables.run(ENDLESS, { ms: 700 });
    await expect.poll(async () => (await tables.busy()).length, { timeout: 5_000 }).toBe(1);
    await expect(running).rejects.toThrowError(failure("DEADLINE_EXCEEDED"));
    await expect.poll(() => tables.busy(), { timeout: 5_000 }).toEqual([]);
    expect((await tables.run("SELECT COUNT(*) FROM parcels")).rows).toEqual([[300]]);
  });

  it("ends statements while all connections of its pool are busy", async () => {
    const running = Array.from({ length: 6 }, () => tables.run(ENDLESS, { ms: 900 }));
    const ended = await Promise.allSettled(running);
    expect(ended.map((one) => (one.status === "rejected" ? one.reason.code : "answered"))).toEqual(
      Array.from({ length: 6 }, () => "DEADLINE_EXCEEDED"),
    );
    await tables.datasource.executor.close();
    await expect.poll(() => tables.busy(), { timeout: 5_000 }).toEqual([]);
  });

  it("does not begin for a caller that has gone", async () => {
    const options = { signal: AbortSignal.abort(), maxRawBytes: 99 };
    await expect(tables.datasource.executor.execute(tables.plan("SELECT 1"), options)).rejects.toThrowError(
      failure("DEADLINE_EXCEEDED"),
    );
  });

  it("leaves a limit with the server for a process that is no longer there", async () => {
    const executor = new MysqlServerExecutor({ pool: tables.database.pool(), timeoutMs: 200 });
    const slow = { ...handMade(tables.plan(ENDLESS).sql, 1) };
    const before = performance.now();
    await expect(executor.execute(slow, { signal: signal(), maxRawBytes: 99 })).rejects.toThrowError(
      failure("DEADLINE_EXCEEDED"),
    );
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it("uses a connection again after an error of a statement", async () => {
    const identity = "SELECT CONNECTION_ID()";
    const pool = tables.database.pool({ connectionLimit: 1 });
    const executor = new MysqlServerExecutor({ pool });
    const options = { signal: signal(), maxRawBytes: 999 };
    const { rows } = await executor.execute(handMade(identity, 1), options);
    await executor.execute(handMade("SELECT nothing", 1), options).catch(() => undefined);
    expect((await executor.execute(handMade(identity, 1), options)).rows).toEqual(rows);
  });

  it("takes no plan that was printed for SQLite", async () => {
    const plan = planOf("SELECT 1", validatorFor(SQLITE_DIALECT));
    await expect(tables.datasource.executor.execute(plan, { signal: signal(), maxRawBytes: 99 })).rejects.toThrowError(
      failure("BAD_QUERY"),
    );
  });

  it("answers many at once on few connections", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => tables.run(`SELECT ${i}`)));
    expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual(Array.from({ length: 40 }, (_, i) => i));
  });
});
