import { Kysely, MysqlDialect, type MysqlPool } from "kysely";
import { BoundaryError } from "../../model/errors.ts";
import type { AuditSink } from "../audit.ts";
import { type MigrationReport, migrateAudit } from "../migrations.ts";
import type { AuditDatabase } from "../schema.ts";
import { retryWhileBusy, SqlAudit } from "../sql-audit.ts";
import { MYSQL_AUDIT_DIALECT } from "./mysql-dialect.ts";

export interface MysqlAuditOptions {
  /** A pool of `mysql2` with callbacks, with `dateStrings: true` and `timezone: "Z"`. */
  readonly pool: MysqlPool;
}

/**
 * The audit in MySQL or MariaDB, migrated when it is opened. Throws CONFIG_INVALID naming the column of a `tool_invocation` that
 * does not fit, AUDIT_FAILED when the server cannot be reached. Closing the sink ends the pool.
 */
export async function mysqlAudit(options: MysqlAuditOptions): Promise<AuditSink> {
  return (await openPool(options)).sink;
}

/** Migrates, and ends the pool: for a command that reports what it did. */
export async function migrateMysqlAudit(options: MysqlAuditOptions): Promise<MigrationReport> {
  const { sink, report } = await openPool(options);
  await sink.close();
  return report;
}

async function openPool({
  pool,
}: MysqlAuditOptions): Promise<{ readonly sink: AuditSink; readonly report: MigrationReport }> {
  const db = new Kysely<AuditDatabase>({ dialect: new MysqlDialect({ pool }) });
  try {
    const report = await retryWhileBusy(() => migrateAudit(db, MYSQL_AUDIT_DIALECT), MYSQL_AUDIT_DIALECT);
    return { sink: new SqlAudit(db, MYSQL_AUDIT_DIALECT, report.foreign), report };
  } catch (error) {
    if (BoundaryError.is(error)) throw error;
    throw new BoundaryError("AUDIT_FAILED", undefined, MYSQL_AUDIT_DIALECT.describe(error));
  }
}
