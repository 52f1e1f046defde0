import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrateSqliteAudit, sqliteAudit } from "../../../src/audit/sqlite/sqlite-audit.ts";
import { openSqliteAudit } from "../../../src/audit/sqlite/sqlite-database.ts";
import { bind } from "../../../src/audit/sqlite/sqlite-kysely.ts";
import { loadSqlite, type SqliteDatabase } from "../../../src/sqlite/sqlite.ts";
import { describeArchive } from "../../../src/testing/archive-contract.ts";
import { auditRow, describeAudit } from "../../../src/testing/audit-contract.ts";

const { DatabaseSync } = await loadSqlite();

describeAudit("SqliteAudit", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dualview-audit-"));
  return {
    open: () => sqliteAudit({ file: join(folder, "nested", "audit.db") }),
    dispose: () => rm(folder, { recursive: true }),
  };
});

describeArchive("SqliteAudit", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dualview-audit-"));
  return {
    archive: await sqliteAudit({ file: join(folder, "audit.db") }),
    dispose: () => rm(folder, { recursive: true }),
  };
});

const DOCUMENTED = `create table tool_invocation (
  id integer primary key autoincrement, session_id varchar(64) not null, run_id varchar(64), step_id bigint,
  tool_name varchar(64) not null, input_params json not null, output_preview text, output_length int,
  retrieval_layer varchar(8), l0_match_count int, l1_match_count int, is_truncated boolean, relevance_level varchar(20),
  dedup_reason varchar(32), retrieval_details json, duration_ms int, success boolean, error_message text,
  created_at datetime not null)`;

describe("a SQLite audit file", () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "dualview-audit-"));
    file = join(folder, "audit.db");
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });
  const prepare = (...statements: readonly string[]): void => {
    withDatabase(file, (database) => {
      for (const statement of statements) database.exec(statement);
    });
  };
  const tables = (): unknown[] =>
    withDatabase(file, (database) => database.prepare("select name, sql from sqlite_master order by name").all());

  it("has the documented columns, types and indexes", async () => {
    await (await sqliteAudit({ file })).close();
    const columns = withDatabase(file, (database) => database.prepare("pragma table_info(tool_invocation)").all());
    const described = columns.map((column) => {
      const { name, type, notnull, pk } = column as { name: string; type: string; notnull: number; pk: number };
      return `${name} ${type}${notnull === 1 || pk === 1 ? " not null" : ""}`.toLowerCase();
    });
    expect(described).toEqual([
      "id integer not null",
      "session_id varchar(64) not null",
      "run_id varchar(64)",
      "step_id bigint",
      "tool_name varchar(64) not null",
      "input_params json not null",
      "output_preview text",
      "output_length int",
      "retrieval_layer varchar(8)",
      "l0_match_count int",
      "l1_match_count int",
      "is_truncated boolean",
      "relevance_level varchar(20)",
      "dedup_reason varchar(32)",
      "retrieval_details json",
      "duration_ms int",
      "success boolean",
      "error_message text",
      "created_at datetime not null",
    ]);
    const names = tables().map((table) => (table as { name: string }).name);
    for (const name of ["idx_session_id", "idx_tool_invocation_run_id", "idx_tool_name", "idx_retrieval_layer"]) {
      expect(names).toContain(name);
    }
  });

  it("changes nothing when it is opened again", async () => {
    expect((await migrateSqliteAudit({ file })).applied).toHaveLength(3);
    const before = tables();
    expect(await migrateSqliteAudit({ file })).toEqual({ applied: [], adopted: [], foreign: [], warnings: [] });
    expect(tables()).toEqual(before);
  });

  it("is migrated once when several open it at the same moment", async () => {
    const opened = await Promise.all(Array.from({ length: 5 }, () => openSqliteAudit(new DatabaseSync(file))));
    expect(opened.flatMap(({ report }) => report.applied)).toHaveLength(3);
    for (const { sink } of opened) {
      await sink.record([auditRow({})]);
      await sink.close();
    }
  });

  it("adopts a database that has the documented table, with its rows and further columns", async () => {
    prepare(
      DOCUMENTED,
      "alter table tool_invocation add column tenant varchar(20)",
      `insert into tool_invocation (session_id, tool_name, input_params, created_at)
       values ('old', 'query_logs', '{"sql":"select secret from t"}', '2020-01-01 00:00:00')`,
    );
    expect(await migrateSqliteAudit({ file })).toMatchObject({ adopted: ["tool_invocation"], foreign: [] });
    const sink = await sqliteAudit({ file });
    await sink.record([auditRow({})]);
    const [old, written] = await sink.list({ afterId: 0 });
    expect(old).toMatchObject({ session_id: "old", input_params: { tool_call_id: "", request_bytes: 0 } });
    expect(JSON.stringify(old)).not.toContain("select secret");
    expect(old).not.toHaveProperty("tenant");
    expect(written).toMatchObject({ session_id: "s1", success: true });
    await sink.close();
  });

  it.each([
    ["a column is missing", DOCUMENTED.replace("duration_ms int,", ""), "tool_invocation.duration_ms"],
    ["a column has another type", DOCUMENTED.replace("output_length int", "output_length text"), "output_length"],
    ["a column is too short", DOCUMENTED.replace("run_id varchar(64)", "run_id varchar(36)"), "tool_invocation.run_id"],
    ["a column refuses NULL", DOCUMENTED.replace("step_id bigint", "step_id bigint not null"), "step_id"],
    ["the key does not count by itself", DOCUMENTED.replace("integer primary key autoincrement", "text"), "id"],
    ["a further column must be filled", DOCUMENTED.replace("success boolean", "success boolean, t int not null"), "t"],
  ])("refuses a table of this name when %s, names it and changes nothing", async (_case, ddl, column) => {
    prepare(ddl);
    const before = tables();
    const failure = sqliteAudit({ file });
    await expect(failure).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      field: expect.stringMatching(new RegExp(`^tool_invocation\\.(.*\\.)?${column.split(".").at(-1)}$`)),
    });
    expect(tables()).toEqual(before);
  });

  it("leaves a host's own chat_session, diagnosis_run and agent_step alone", async () => {
    const own = ["chat_session", "diagnosis_run", "agent_step"].map(
      (name) => `create table ${name} (id text primary key, owner text not null)`,
    );
    prepare(...own);
    expect((await migrateSqliteAudit({ file })).foreign).toEqual(["chat_session", "diagnosis_run", "agent_step"]);
    const sink = await sqliteAudit({ file });
    await sink.recordRun(RUN);
    await sink.recordStep({ run_id: "r1", ordinal: 1, kind: "call", created_at: RUN.started_at });
    await sink.close();
    const left = withDatabase(file, (database) => database.prepare("select count(*) as n from diagnosis_run").all());
    expect(left).toMatchObject([{ n: 0 }]);
  });

  it("keeps a run's words out of its row, and its session in a table of its own", async () => {
    const sink = await sqliteAudit({ file });
    await sink.recordRun(RUN);
    await sink.recordRun({ ...RUN, status: "STOPPED", stop_reason: "the password is hunter2" });
    await sink.close();
    withDatabase(file, (database) => {
      expect(database.prepare("select run_id, status, stop_reason from diagnosis_run").all()).toMatchObject([
        { run_id: "r1", status: "STOPPED", stop_reason: "OTHER" },
      ]);
      expect(database.prepare("select * from chat_session").all()).toMatchObject([
        { session_id: "s1", created_at: "2026-03-12 02:00:00" },
      ]);
    });
  });

  it("refuses a database that a newer version has migrated", async () => {
    await (await sqliteAudit({ file })).close();
    prepare("insert into dualview_migration values ('9999_from_the_future', '2030-01-01')");
    await expect(sqliteAudit({ file })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("says that a file is no database without quoting it", async () => {
    await writeFile(file, "this is a text file with password=hunter2 ".repeat(100));
    await expect(sqliteAudit({ file })).rejects.toMatchObject({
      code: "CONFIG_UNREADABLE",
      message: expect.not.stringContaining("hunter2"),
    });
  });

  it("waits for another process's transaction without holding the event loop", async () => {
    const sink = await sqliteAudit({ file });
    const other = new DatabaseSync(file);
    other.exec("begin immediate");
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 5);
    setTimeout(() => other.exec("commit"), 150);
    await sink.record([auditRow({})]);
    clearInterval(ticking);
    other.close();
    expect(await sink.list({})).toHaveLength(1);
    expect(turns).toBeGreaterThan(4);
    await sink.close();
  });

  it("writes nothing of a batch that does not fit on the disk, and all of it when there is room again", async () => {
    const database = new DatabaseSync(file);
    const { sink } = await openSqliteAudit(database);
    const [pages] = database.prepare("pragma page_count").all() as { page_count: number }[];
    database.exec(`pragma max_page_count = ${(pages?.page_count ?? 0) + 2}`);
    const rows = Array.from({ length: 200 }, () => auditRow({}));
    const position = { partition: 0, epoch: "e", sequence: 200 };
    await expect(sink.record(rows, position)).rejects.toMatchObject({
      code: "AUDIT_FAILED",
      message: expect.stringContaining("13"),
    });
    expect(await sink.list({})).toEqual([]);
    database.exec("pragma max_page_count = 1000000");
    await sink.record(rows, position);
    expect(await sink.list({ limit: 1_000 })).toHaveLength(200);
    await sink.close();
  });
});

describe("bind", () => {
  it("turns booleans to numbers and refuses what SQLite would change", () => {
    expect([true, false, undefined, null, 1.5, "text", 2n].map(bind)).toEqual([1, 0, null, null, 1.5, "text", 2n]);
    for (const value of ["a\0b", Number.NaN, Number.POSITIVE_INFINITY, {}, [], Symbol("s")]) {
      expect(() => bind(value)).toThrow(TypeError);
    }
  });
});

const RUN = {
  run_id: "r1",
  session_id: "s1",
  status: "ACTIVE",
  stop_reason: null,
  call_count: null,
  claim_count: null,
  verdict: null,
  started_at: "2026-03-12 02:00:00",
  ended_at: null,
};

function withDatabase<T>(file: string, use: (database: SqliteDatabase) => T): T {
  const database = new DatabaseSync(file);
  try {
    return use(database);
  } finally {
    database.close();
  }
}
