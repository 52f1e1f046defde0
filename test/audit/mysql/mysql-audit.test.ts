import { describe, expect, it } from "vitest";
import { migrateMysqlAudit, mysqlAudit } from "../../../src/audit/mysql/mysql-audit.ts";
import { auditRow, describeAudit } from "../../../src/testing/audit-contract.ts";
import { createDatabase, type TestDatabase } from "../../services/mysql.ts";

async function withDatabase<T>(use: (database: TestDatabase) => Promise<T>): Promise<T> {
  const database = await createDatabase();
  try {
    return await use(database);
  } finally {
    await database.drop();
  }
}

describeAudit("MysqlAudit", async () => {
  const database = await createDatabase();
  return { open: () => mysqlAudit({ pool: database.pool() }), dispose: () => database.drop() };
});

const DOCUMENTED = `create table tool_invocation (
  id bigint not null auto_increment primary key, session_id varchar(64) not null, run_id varchar(64), step_id bigint,
  tool_name varchar(64) not null, input_params json not null, output_preview text, output_length int,
  retrieval_layer varchar(8), l0_match_count int, l1_match_count int, is_truncated boolean, relevance_level varchar(20),
  dedup_reason varchar(32), retrieval_details json, duration_ms int, success boolean, error_message text,
  created_at datetime not null)`;

describe("a MySQL audit database", () => {
  it("is migrated once when several open it at the same moment", async () => {
    await withDatabase(async (database) => {
      const reports = await Promise.all([1, 2, 3].map(() => migrateMysqlAudit({ pool: database.pool() })));
      expect(reports.flatMap(({ applied }) => applied)).toHaveLength(3);
    });
  });

  it("adopts the documented table and warns of a collation that is not binary", async () => {
    await withDatabase(async (database) => {
      await database.query(DOCUMENTED);
      const report = await migrateMysqlAudit({ pool: database.pool() });
      expect(report.adopted).toEqual(["tool_invocation"]);
      expect(report.warnings).toHaveLength(3);
      expect(report.warnings[0]).toMatch(/^tool_invocation\.session_id has the collation \w+ instead of a binary one$/);
      const sink = await mysqlAudit({ pool: database.pool() });
      await sink.record([auditRow({})]);
      expect(await sink.list({})).toMatchObject([auditRow({})]);
      await sink.close();
    });
  });

  it("refuses a table with a column of another type, and names it", async () => {
    await withDatabase(async (database) => {
      await database.query(DOCUMENTED.replace("duration_ms int", "duration_ms varchar(9)"));
      await expect(mysqlAudit({ pool: database.pool() })).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        field: "tool_invocation.duration_ms",
      });
    });
  });

  it("takes rows again after a migration stopped half way", async () => {
    await withDatabase(async (database) => {
      await database.query(DOCUMENTED);
      await database.query("create index idx_session_id on tool_invocation (session_id)");
      await migrateMysqlAudit({ pool: database.pool() });
      const indexes = await database.query(
        "select distinct index_name as name from information_schema.statistics where table_schema = database() and table_name = 'tool_invocation'",
      );
      expect(indexes).toHaveLength(5);
    });
  });
});
