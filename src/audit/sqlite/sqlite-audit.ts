import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { Kysely } from "kysely";
import { BoundaryError } from "../../model/errors.ts";
import { loadSqlite, type SqliteDatabase } from "../../sqlite/sqlite.ts";
import type { AuditArchive } from "../audit.ts";
import { type AuditInspection, inspectAudit } from "../inspect.ts";
import type { MigrationReport } from "../migrations.ts";
import type { AuditDatabase } from "../schema.ts";
import { openSqliteAudit } from "./sqlite-database.ts";
import { SQLITE_AUDIT_DIALECT } from "./sqlite-dialect.ts";
import { NodeSqliteDialect } from "./sqlite-kysely.ts";

export interface SqliteAuditOptions {
  /** Created, with its folder, where it does not exist. Several processes may share one file on a local disk. */
  readonly file: string;
}

/**
 * The audit in a SQLite file, migrated when it is opened. Throws CONFIG_INVALID naming the column of a `tool_invocation` that
 * does not fit, CONFIG_UNREADABLE when the file cannot be opened or is no database.
 */
export async function sqliteAudit(options: SqliteAuditOptions): Promise<AuditArchive> {
  return (await openFile(options)).sink;
}

/** Migrates without keeping the file open: for a command that reports what it did. */
export async function migrateSqliteAudit(options: SqliteAuditOptions): Promise<MigrationReport> {
  const { sink, report } = await openFile(options);
  await sink.close();
  return report;
}

/** Compares an existing file with the documented tables and changes nothing. */
export async function inspectSqliteAudit({ file }: SqliteAuditOptions): Promise<AuditInspection> {
  let db: Kysely<AuditDatabase> | undefined;
  try {
    const { DatabaseSync } = await loadSqlite();
    db = new Kysely<AuditDatabase>({ dialect: new NodeSqliteDialect(new DatabaseSync(file, { readOnly: true })) });
    return await inspectAudit(db, SQLITE_AUDIT_DIALECT);
  } catch (error) {
    if (BoundaryError.is(error)) throw error;
    throw new BoundaryError("CONFIG_UNREADABLE", "audit.file", SQLITE_AUDIT_DIALECT.describe(error));
  } finally {
    await db?.destroy();
  }
}

async function openFile({
  file,
}: SqliteAuditOptions): Promise<{ readonly sink: AuditArchive; readonly report: MigrationReport }> {
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
