import { Kysely } from "kysely";
import type { SqliteDatabase } from "../../sqlite/sqlite.ts";
import type { AuditArchive } from "../audit.ts";
import { type MigrationReport, migrateAudit } from "../migrations.ts";
import type { AuditDatabase } from "../schema.ts";
import { retryWhileBusy, SqlAudit } from "../sql-audit.ts";
import { SQLITE_AUDIT_DIALECT } from "./sqlite-dialect.ts";
import { NodeSqliteDialect } from "./sqlite-kysely.ts";

// How long one call may block the event loop for another process's lock; longer waits are slept through, see `SqlAudit`.
const BUSY_TIMEOUT_MS = 10;

/** Brings an open database up to date and makes a sink of it, which then owns and closes it. */
export async function openSqliteAudit(
  database: SqliteDatabase,
): Promise<{ readonly sink: AuditArchive; readonly report: MigrationReport }> {
  const db = new Kysely<AuditDatabase>({ dialect: new NodeSqliteDialect(database) });
  const report = await retryWhileBusy(async () => {
    database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.exec("pragma journal_mode = wal");
    // The outbox is trimmed when a batch is written: it must be on the disk by then, also when the power fails.
    database.exec("pragma synchronous = full");
    return migrateAudit(db, SQLITE_AUDIT_DIALECT);
  }, SQLITE_AUDIT_DIALECT);
  return { sink: new SqlAudit(db, SQLITE_AUDIT_DIALECT, report.foreign), report };
}
