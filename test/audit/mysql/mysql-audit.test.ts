import { describe, expect, it } from "vitest";
import { inspectMysqlAudit, migrateMysqlAudit, mysqlAudit } from "../../../src/audit/mysql/mysql-audit.ts";
import { describeArchive } from "../../../src/testing/archive-contract.ts";
import { auditRow, describeAudit } from "../../../src/testing/audit-contract.ts";
import { createDatabase, type TestDatabase } from "../../services/mysql.ts";

describeAudit("MysqlAudit", async () => {
  const database = await createDatabase();
  return { open: () => mysqlAudit({ pool: database.pool() }), dispose: () => database.drop() };
});

describeArchive("MysqlAudit", async () => {
  const database = await createDatabase();
  return { archive: await mysqlAudit({ pool: database.pool() }), dispose: () => database.drop() };
});

const DOCUMENTED = `create table tool_invocation (
  id bigint not null auto_increment primary key, session_id varchar(64) not null, run_id varchar(64), step_id bigint,
  tool_name varchar(64) not null, input_params json not null, output_preview text, output_length int,
  retrieval_layer varchar(8), l0_match_count int, l1_match_count int, is_truncated boolean, relevance_level varchar(20),
  dedup_reason varchar(32), retrieval_details json, duration_ms int, success boolean, error_message text,
  created_at datetime not null default current_timestamp)`;

describe("a MySQL audit database", () => {
  it("is migrated once when several open it at the same moment", async () => {
    await withDatabase(async (database) => {
      const reports = await Promise.all([1, 2, 3, 4, 5].map(() => migrateMysqlAudit({ pool: database.pool() })));
      expect(reports.flatMap(({ applied }) => applied)).toHaveLength(3);
    });
  });

  it("has the documented columns, a binary collation for ids, and the documented indexes", async () => {
    await withDatabase(async (database) => {
      await migrateMysqlAudit({ pool: database.pool() });
      const ids = await database.query<{ name: string }>(
        `select column_name as name from information_schema.columns where table_schema = '${database.name}'
         and collation_name = 'ascii_bin' and table_name = 'tool_invocation' order by ordinal_position`,
      );
      expect(ids.map(({ name }) => name)).toEqual(["session_id", "run_id", "tool_name"]);
      expect(await indexesOf(database)).toEqual([
        "PRIMARY(id)",
        "idx_retrieval_layer(retrieval_layer)",
        "idx_session_id(session_id)",
        "idx_tool_invocation_run_id(run_id,id)",
        "idx_tool_name(tool_name)",
      ]);
      expect(await inspectMysqlAudit({ pool: database.pool() })).toEqual(NOTHING_TO_SAY);
      await database.query("drop table dualview_migration, dualview_migration_lock, audit_position");
      await database.query("rename table tool_invocation to migrated");
      await database.query(DOCUMENTED);
      expect(await describeTable(database, "migrated")).toEqual(await describeTable(database, "tool_invocation"));
    });
  });

  it("adopts the documented table with its rows and further columns, and warns of a collation that is not binary", async () => {
    await withDatabase(async (database) => {
      await database.query(DOCUMENTED);
      await database.query("alter table tool_invocation add column tenant varchar(20)");
      await database.query(
        `insert into tool_invocation (session_id, tool_name, input_params, created_at)
         values ('old', 'query_logs', '{"sql":"select secret from t"}', '2020-01-01 00:00:00')`,
      );
      const report = await migrateMysqlAudit({ pool: database.pool() });
      expect(report.adopted).toEqual(["tool_invocation"]);
      expect(report.warnings).toHaveLength(3);
      expect(report.warnings[0]).toMatch(/^tool_invocation\.session_id has the collation \w+ instead of a binary one/);
      const sink = await mysqlAudit({ pool: database.pool() });
      await sink.record([auditRow({})]);
      const [old, written] = await sink.list({ afterId: 0 });
      expect(old).toMatchObject({ session_id: "old", created_at: "2020-01-01 00:00:00" });
      expect(JSON.stringify(old)).not.toContain("select secret");
      expect(written).toMatchObject(auditRow({}));
    });
  });

  it.each([
    ["is missing", ["duration_ms int,", ""], "duration_ms", "add column duration_ms int null"],
    [
      "is of another type",
      ["duration_ms int", "duration_ms varchar(9)"],
      "duration_ms",
      "modify column duration_ms int",
    ],
    ["is narrower", ["run_id varchar(64)", "run_id varchar(36)"], "run_id", "modify column run_id varchar(64)"],
    [
      "keeps fractions",
      ["created_at datetime not null default current_timestamp", "created_at datetime(3) not null"],
      "created_at",
      "modify column created_at",
    ],
    ["moves with the zone", ["created_at datetime", "created_at timestamp"], "created_at", "must be datetime"],
    ["refuses NULL", ["step_id bigint", "step_id bigint not null"], "step_id", "must allow NULL"],
    ["allows NULL", ["session_id varchar(64) not null", "session_id varchar(64)"], "session_id", "must be NOT NULL"],
    ["does not count", ["not null auto_increment primary key", "not null"], "id", "must be bigint"],
    ["is another's and must be filled", ["success boolean", "success boolean, t int not null"], "t", "have a default"],
  ])(
    "refuses the table when a column %s, names it with the remedy, and changes nothing",
    async (_, change, column, remedy) => {
      await withDatabase(async (database) => {
        const [from = "", to = ""] = change;
        await database.query(DOCUMENTED.replace(from, to));
        await expect(mysqlAudit({ pool: database.pool() })).rejects.toMatchObject({
          code: "CONFIG_INVALID",
          field: `tool_invocation.${column}`,
          message: expect.stringContaining(remedy),
        });
        expect(await database.query("show tables")).toHaveLength(1);
      });
    },
  );

  it("tells all differences at once, with a statement that mends them", async () => {
    await withDatabase(async (database) => {
      await database.query(
        DOCUMENTED.replace("success boolean,", "").replace("output_length int", "output_length text"),
      );
      const { faults } = await inspectMysqlAudit({ pool: database.pool() });
      expect(faults).toHaveLength(1);
      expect(faults[0]).toContain("output_length is text, must be int");
      expect(faults[0]).toContain("success is missing");
      const [, statement = ""] = /To mend it: (.*);/.exec(faults[0] ?? "") ?? [];
      await database.query(statement);
      await expect(migrateMysqlAudit({ pool: database.pool() })).resolves.toMatchObject({
        adopted: ["tool_invocation"],
      });
    });
  });

  it("refuses a table without transactions, and a view", async () => {
    await withDatabase(async (database) => {
      await database.query(`${DOCUMENTED} engine = MyISAM`);
      const refused = { code: "CONFIG_INVALID", message: expect.stringContaining("engine = InnoDB") };
      await expect(mysqlAudit({ pool: database.pool() })).rejects.toMatchObject(refused);
      await database.query("rename table tool_invocation to rows_elsewhere");
      await database.query("create view tool_invocation as select * from rows_elsewhere");
      const view = { code: "CONFIG_INVALID", message: expect.stringContaining("a view") };
      await expect(mysqlAudit({ pool: database.pool() })).rejects.toMatchObject(view);
    });
  });

  it("goes on where a migration stopped half way, and keeps an index that is there", async () => {
    await withDatabase(async (database) => {
      await database.query(DOCUMENTED);
      await database.query("create index idx_session_id on tool_invocation (session_id)");
      await database.query("create index idx_tool_name on tool_invocation (tool_name, id)");
      const { warnings } = await migrateMysqlAudit({ pool: database.pool() });
      expect(warnings.at(-1)).toBe("idx_tool_name is not on (tool_name)");
      expect(await indexesOf(database)).toHaveLength(5);
    });
  });

  it("leaves a host's own chat_session, diagnosis_run and agent_step alone", async () => {
    await withDatabase(async (database) => {
      for (const table of ["chat_session", "diagnosis_run", "agent_step"]) {
        await database.query(`create table ${table} (id varchar(9) primary key, owner text not null)`);
      }
      const { foreign } = await migrateMysqlAudit({ pool: database.pool() });
      expect(foreign).toEqual(["chat_session", "diagnosis_run", "agent_step"]);
      const sink = await mysqlAudit({ pool: database.pool() });
      await sink.recordStep({ run_id: "r1", ordinal: 1, kind: "call", created_at: "2026-03-12 02:00:00" });
      expect(await sink.prune("2030-01-01 00:00:00", 10)).toBe(0);
      expect(await database.query("select * from agent_step")).toEqual([]);
    });
  });

  it("refuses a database that a newer version has migrated", async () => {
    await withDatabase(async (database) => {
      await migrateMysqlAudit({ pool: database.pool() });
      await database.query("insert into dualview_migration values ('9999_from_the_future', '2030-01-01')");
      await expect(mysqlAudit({ pool: database.pool() })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    });
  });
});

describe("a MySQL audit", () => {
  it.each([
    ["a zone and dates as objects", { timezone: "+09:00", dateStrings: false }],
    ["big numbers as text", { supportBigNumbers: true, bigNumberStrings: true }],
    ["dates as text", { dateStrings: true }],
  ])("gives rows as they were written over a pool with %s", async (_, options) => {
    await withDatabase(async (database) => {
      const sink = await mysqlAudit({ pool: database.pool(options) });
      await sink.record([auditRow({})]);
      await database.query("set time_zone = '-05:00'");
      expect(await sink.list({})).toEqual([{ id: 1, ...auditRow({}) }]);
      expect(await database.query("select cast(created_at as char) as t from tool_invocation")).toEqual([
        { t: auditRow({}).created_at },
      ]);
    });
  });

  it("takes a pool of promises too, and ends no pool that it was given", async () => {
    await withDatabase(async (database) => {
      const pool = database.pool().promise();
      const sink = await mysqlAudit({ pool });
      await sink.record([auditRow({})]);
      await sink.close();
      const [rows] = await pool.query("select 1 as one");
      expect(rows).toEqual([{ one: 1 }]);
    });
  });

  it("works for an account that may read and write rows alone, once the tables are there", async () => {
    await withDatabase(async (database) => {
      const account = await database.account("select, insert, update");
      const unprepared = mysqlAudit({ pool: database.pool(account) });
      await expect(unprepared).rejects.toMatchObject({
        code: "AUDIT_UNAVAILABLE",
        message: expect.stringContaining("CREATE"),
      });
      await migrateMysqlAudit({ pool: database.pool() });
      const sink = await mysqlAudit({ pool: database.pool(account) });
      await sink.record([auditRow({})], { partition: 0, epoch: "e", sequence: 1 });
      expect(await sink.list({})).toHaveLength(1);
      await expect(sink.prune("2030-01-01 00:00:00", 10)).rejects.toMatchObject({
        code: "AUDIT_UNAVAILABLE",
        message: expect.stringContaining("DELETE to prune"),
      });
    });
  });

  it("refuses a session that takes backslashes as they are", async () => {
    await withDatabase(async (database) => {
      const pool = database.pool();
      pool.on("connection", (connection) => connection.query("set sql_mode = 'NO_BACKSLASH_ESCAPES'"));
      await expect(mysqlAudit({ pool })).rejects.toMatchObject({ code: "CONFIG_INVALID", field: "audit.sql_mode" });
    });
  });

  it("writes each row once when its connections are cut in the middle", async () => {
    await withDatabase(async (database) => {
      const sink = await mysqlAudit({ pool: database.pool() });
      await sink.record([auditRow({ duration_ms: 1 })], { partition: 0, epoch: "e", sequence: 1 });
      const rows = [1, 2, 3].map((n) => auditRow({ duration_ms: n }));
      const position = { partition: 0, epoch: "e", sequence: 3 };
      const connections = await database.query<{ id: number }>(
        `select id from information_schema.processlist where db = '${database.name}' and id <> connection_id()`,
      );
      const writing = sink.record(rows, position).catch(() => undefined);
      for (const { id } of connections) await database.query(`kill ${id}`).catch(() => undefined);
      await writing;
      await sink.record(rows, position).catch(() => sink.record(rows, position));
      expect((await sink.list({ afterId: 0 })).map((row) => row.duration_ms)).toEqual([1, 2, 3]);
    });
  });
});

const NOTHING_TO_SAY = { missing: [], faults: [], foreign: [], warnings: [], pending: [], unknown: [] };

async function withDatabase(use: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await createDatabase();
  try {
    await use(database);
  } finally {
    await database.drop();
  }
}

async function indexesOf(database: TestDatabase): Promise<readonly string[]> {
  const rows = await database.query<{ line: string }>(
    `select concat(index_name, '(', group_concat(column_name order by seq_in_index), ')') as line
     from information_schema.statistics where table_schema = '${database.name}' and table_name = 'tool_invocation'
     group by index_name`,
  );
  return rows.map(({ line }) => line).sort();
}

/** Everything the server tells of a table's columns but their collation and default. */
async function describeTable(database: TestDatabase, table: string): Promise<readonly unknown[]> {
  return await database.query(
    `select column_name as name, column_type as type, is_nullable as nullable, extra like '%auto_increment%' as counts
     from information_schema.columns where table_schema = '${database.name}' and table_name = '${table}'
     order by ordinal_position`,
  );
}
