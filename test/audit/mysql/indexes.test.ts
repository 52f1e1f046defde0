import type { Pool, PoolConnection } from "mysql2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditArchive } from "../../../src/audit/audit.ts";
import { mysqlAudit } from "../../../src/audit/mysql/mysql-audit.ts";
import { auditRow } from "../../../src/testing/audit-contract.ts";
import { createDatabase, type TestDatabase } from "../../services/mysql.ts";

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

describe("the statements of a MySQL audit", () => {
  let database: TestDatabase;
  let archive: AuditArchive;
  const statements: Statement[] = [];

  beforeAll(async () => {
    database = await createDatabase();
    archive = await mysqlAudit({ pool: recording(database.pool(), statements) });
    const rows = Array.from({ length: 4_000 }, (_, i) =>
      auditRow({ run_id: `r${i % 400}`, session_id: `s${i % 200}`, tool_name: `tool_${i % 50}` }),
    );
    await archive.record(rows);
    await database.query("analyze table tool_invocation");
  });
  afterAll(async () => {
    await archive.close();
    await database.drop();
  });

  const keysOf = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    statements.length = 0;
    await work();
    const keys: string[] = [];
    for (const { sql, values } of statements.filter(({ sql: text }) => /^\s*(?:select|delete)\b/i.test(text))) {
      const plan = await database.query<{ table: string; key: string | null }>(
        `explain format=traditional ${sql}`,
        values,
      );
      for (const { table, key } of plan) if (table === "tool_invocation") keys.push(key ?? "none");
    }
    return keys;
  };

  it.each([
    ["a run's calls", { runId: "r7" }, "idx_tool_invocation_run_id"],
    ["a run's calls that are followed", { runId: "r7", afterId: 100 }, "idx_tool_invocation_run_id"],
    ["a session's calls", { sessionId: "s7" }, "idx_session_id"],
    ["a tool's calls", { toolName: "tool_7" }, "idx_tool_name"],
    ["all calls", {}, "PRIMARY"],
    ["all calls that are followed", { afterId: 3_900 }, "PRIMARY"],
  ])("find %s by an index", async (_, query, index) => {
    expect(await keysOf(() => archive.list(query))).toEqual([index]);
  });

  it("delete old calls window by window along the primary key", async () => {
    const keys = await keysOf(() => archive.prune("2026-01-01 00:00:00", 1_000));
    expect(keys.length).toBeGreaterThan(8);
    expect(new Set(keys)).toEqual(new Set(["PRIMARY"]));
  });
});

/** The pool, with a note of each statement that goes through it. */
function recording(pool: Pool, statements: Statement[]): Pool {
  const getConnection = pool.getConnection.bind(pool);
  pool.getConnection = (callback) =>
    getConnection((error, connection) => {
      if (connection !== undefined) note(connection, statements);
      callback(error, connection);
    });
  return pool;
}

function note(connection: PoolConnection, statements: Statement[]): void {
  const query = connection.query.bind(connection) as (...args: unknown[]) => unknown;
  if (Object.hasOwn(connection, "query")) return;
  Object.defineProperty(connection, "query", {
    value: (sql: string, values: readonly unknown[], ...rest: unknown[]) => {
      statements.push({ sql, values });
      return query(sql, values, ...rest);
    },
  });
}
