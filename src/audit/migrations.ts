import { type Kysely, type Migration, Migrator, sql } from "kysely";
import { BoundaryError } from "../model/errors.ts";
import type { AuditDialect } from "./audit-dialect.ts";
import {
  AGENT_STEP,
  AUDIT_POSITION,
  type AuditDatabase,
  CHAT_SESSION,
  DIAGNOSIS_RUN,
  OWN_TABLES,
  RELATED_TABLES,
  type TableDefinition,
  TOOL_INVOCATION,
} from "./schema.ts";
import { checkTable, fitsTable, tableWarnings } from "./verify-schema.ts";

// Own names: a host that uses Kysely keeps its migrations in the default ones.
const MIGRATION_TABLE = "dualview_migration";
const MIGRATION_LOCK_TABLE = "dualview_migration_lock";

/** What migrating did and found. */
export interface MigrationReport {
  /** Names of the migrations that ran now. */
  readonly applied: readonly string[];
  /** Tables that were there already and are used as they are. */
  readonly adopted: readonly string[];
  /** A host's own tables of a related name: nothing is written to them. */
  readonly foreign: readonly string[];
  /** What works and still deserves a look, in words for an operator. */
  readonly warnings: readonly string[];
}

/**
 * Brings the audit's tables up to date; changes nothing when they are. Refuses, before it changes anything, a database whose
 * `tool_invocation` has a missing or different column (CONFIG_INVALID with the column as field).
 */
export async function migrateAudit(db: Kysely<AuditDatabase>, dialect: AuditDialect): Promise<MigrationReport> {
  for (const table of OWN_TABLES) await checkTable(db, dialect, table, "may be absent");
  await refuseNewerDatabase(db, dialect);
  const adopted: string[] = [];
  const { error, results } = await new Migrator({
    db,
    provider: { getMigrations: async () => auditMigrations(dialect, adopted) },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
  }).migrateToLatest();
  if (error !== undefined) throw error;
  for (const table of OWN_TABLES) await checkTable(db, dialect, table, "must exist");
  const foreign: string[] = [];
  for (const table of RELATED_TABLES) if (!(await fitsTable(db, dialect, table))) foreign.push(table.name);
  const applied = (results ?? []).map((result) => result.migrationName);
  const warnings: string[] = [];
  for (const table of OWN_TABLES) warnings.push(...(await tableWarnings(db, dialect, table)));
  return { applied, adopted: adopted.filter((name) => !foreign.includes(name)), foreign, warnings };
}

/**
 * Numbered and forward-only: a released one is never changed. Each can run again after it stopped half way, because MySQL
 * commits every DDL statement by itself.
 */
function auditMigrations(dialect: AuditDialect, adopted: string[]): Record<string, Migration> {
  const creating = (...tables: readonly TableDefinition[]): Migration => ({
    up: async (db) => {
      for (const table of tables) if (await createTable(db, dialect, table)) adopted.push(table.name);
    },
  });
  return {
    "0001_tool_invocation": creating(TOOL_INVOCATION),
    "0002_audit_position": creating(AUDIT_POSITION),
    "0003_related_tables": creating(CHAT_SESSION, DIAGNOSIS_RUN, AGENT_STEP),
  };
}

/** True when the table was there already. A table that is a host's own gets no index of ours either. */
async function createTable(db: Kysely<AuditDatabase>, dialect: AuditDialect, table: TableDefinition): Promise<boolean> {
  const exists = (await dialect.readColumns(db, table.name)).length > 0;
  if (!exists) {
    let create = db.schema.createTable(table.name).ifNotExists();
    for (const column of table.columns) {
      create = create.addColumn(column.name, sql.raw(dialect.columnType(column.kind)), (builder) =>
        column.nullable || column.kind === "identity" ? builder : builder.notNull(),
      );
    }
    if (table.primaryKey.length > 0) {
      create = create.addPrimaryKeyConstraint(`pk_${table.name}`, [...table.primaryKey] as never[]);
    }
    await create.modifyEnd(sql.raw(dialect.tableOptions)).execute();
  }
  if (await fitsTable(db, dialect, table)) await createIndexes(db, dialect, table);
  return exists;
}

async function createIndexes(db: Kysely<AuditDatabase>, dialect: AuditDialect, table: TableDefinition): Promise<void> {
  const there = await dialect.readIndexes(db, table.name);
  for (const index of table.indexes.filter(({ name }) => !there.has(name))) {
    const create = db.schema
      .createIndex(index.name)
      .on(table.name)
      .columns([...index.columns]);
    await (index.unique ? create.unique() : create).execute();
  }
}

/** Going on with an older program could write rows that the newer one no longer understands. */
async function refuseNewerDatabase(db: Kysely<AuditDatabase>, dialect: AuditDialect): Promise<void> {
  const { unknown } = await migrationState(db, dialect);
  if (unknown.length === 0) return;
  const detail = `The audit database was migrated by a newer version (${unknown.length} steps are not known here): use that.`;
  throw new BoundaryError("CONFIG_INVALID", MIGRATION_TABLE, detail);
}

/** Migrations that are still to be run, and applied ones that only a newer version knows. Changes nothing. */
export async function migrationState(
  db: Kysely<AuditDatabase>,
  dialect: AuditDialect,
): Promise<{ readonly pending: readonly string[]; readonly unknown: readonly string[] }> {
  const known = Object.keys(auditMigrations(dialect, []));
  if ((await dialect.readColumns(db, MIGRATION_TABLE)).length === 0) return { pending: known, unknown: [] };
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`.execute(db);
  const applied = rows.map(({ name }) => name);
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}
