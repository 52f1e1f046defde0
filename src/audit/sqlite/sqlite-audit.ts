import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { BoundaryError } from "../../model/errors.ts";
import { loadSqlite, type SqliteDatabase } from "../../sqlite/sqlite.ts";
import type { AuditSink } from "../audit.ts";
import type { MigrationReport } from "../migrations.ts";
import { openSqliteAudit } from "./sqlite-database.ts";
import { SQLITE_AUDIT_DIALECT } from "./sqlite-dialect.ts";

export interface SqliteAuditOptions {
  /** Created, with its folder, where it does not exist. Several processes may share one file on a local disk. */
  readonly file: string;
}

/**
 * The audit in a SQLite file, migrated when it is opened. Throws CONFIG_INVALID naming the column of a `tool_invocation` that
 * does not fit, CONFIG_UNREADABLE when the file cannot be opened or is no database.
 */
export async function sqliteAudit(options: SqliteAuditOptions): Promise<AuditSink> {
  return (await openFile(options)).sink;
}

/** Migrates without keeping the file open: for a command that reports what it did. */
export async function migrateSqliteAudit(options: SqliteAuditOptions): Promise<MigrationReport> {
  const { sink, report } = await openFile(options);
  await sink.close();
  return report;
}

async function openFile({
  file,
}: SqliteAuditOptions): Promise<{ readonly sink: AuditSink; readonly report: MigrationReport }> {
  let database: SqliteDatabase | undefined;
  try {
    const { DatabaseSync } = await loadSqlite();
    await mkdir(dirname(file), { recursive: true });
    database = new DatabaseSync(file);
    return await openSqliteAudit(database);
  } catch (error) {
    database?.close();
    if (BoundaryError.is(error)) throw error;
    throw new BoundaryError("CONFIG_UNREADABLE", "audit.file", `${file}: ${SQLITE_AUDIT_DIALECT.describe(error)}`);
  }
}
