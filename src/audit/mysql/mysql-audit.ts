import { Kysely, MysqlDialect, type MysqlPool, sql } from "kysely";
import { BoundaryError } from "../../model/errors.ts";
import type { AuditArchive } from "../audit.ts";
import { type AuditInspection, inspectAudit } from "../inspect.ts";
import { type MigrationReport, migrateAudit } from "../migrations.ts";
import type { AuditDatabase } from "../schema.ts";
import { retryWhileBusy, SqlAudit } from "../sql-audit.ts";
import { MYSQL_AUDIT_DIALECT } from "./mysql-dialect.ts";

export interface MysqlAuditOptions {
  /** A pool of `mysql2` or `mysql2/promise`, with a database chosen. It stays yours: nothing here ends it. */
  readonly pool: MysqlPool | { readonly pool: MysqlPool };
}

/**
 * The audit in MySQL or MariaDB, migrated when it is opened. Throws CONFIG_INVALID, naming every column of a `tool_invocation`
 * that is not as documented, and AUDIT_UNAVAILABLE with the remedy when the server cannot be reached or used.
 */
export async function mysqlAudit({ pool }: MysqlAuditOptions): Promise<AuditArchive> {
  const db = openKysely(pool);
  const { foreign } = await guarded(() => migrate(db));
  return new SqlAudit(db, MYSQL_AUDIT_DIALECT, foreign);
}

/** Migrates and says what it did; for an account that may create tables. */
export async function migrateMysqlAudit({ pool }: MysqlAuditOptions): Promise<MigrationReport> {
  return await guarded(() => migrate(openKysely(pool)));
}

/** Compares the database with the documented tables and changes nothing. */
export async function inspectMysqlAudit({ pool }: MysqlAuditOptions): Promise<AuditInspection> {
  return await guarded(() => inspectAudit(openKysely(pool), MYSQL_AUDIT_DIALECT));
}

async function migrate(db: Kysely<AuditDatabase>): Promise<MigrationReport> {
  await checkSession(db);
  return await retryWhileBusy(() => migrateAudit(db, MYSQL_AUDIT_DIALECT), MYSQL_AUDIT_DIALECT);
}

function openKysely(given: MysqlAuditOptions["pool"]): Kysely<AuditDatabase> {
  const pool = "pool" in given ? given.pool : given;
  return new Kysely<AuditDatabase>({
    dialect: new MysqlDialect({
      pool: { getConnection: (callback) => pool.getConnection(callback), end: (callback) => callback(null) },
    }),
  });
}

/** The driver writes values into the statement with backslashes; a server that takes those as they are would store other text. */
async function checkSession(db: Kysely<AuditDatabase>): Promise<void> {
  const { rows } = await sql<{ name: string | null; mode: string }>`
    select database() as name, @@session.sql_mode as mode`.execute(db);
  const [session] = rows;
  if (session?.name === null) throw invalid("audit.database", "No database is chosen: name one for the pool.");
  if (/\bNO_BACKSLASH_ESCAPES\b/i.test(session?.mode ?? "")) {
    throw invalid("audit.sql_mode", "Take NO_BACKSLASH_ESCAPES out of the session's sql_mode.");
  }
}

function invalid(field: string, detail: string): BoundaryError {
  return new BoundaryError("CONFIG_INVALID", field, detail);
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (BoundaryError.is(error)) throw error;
    throw new BoundaryError("AUDIT_UNAVAILABLE", undefined, MYSQL_AUDIT_DIALECT.describe(error));
  }
}
