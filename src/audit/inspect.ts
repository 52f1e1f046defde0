import type { Kysely } from "kysely";
import type { AuditDialect } from "./audit-dialect.ts";
import { migrationState } from "./migrations.ts";
import { type AuditDatabase, OWN_TABLES, RELATED_TABLES } from "./schema.ts";
import { explainDifferences, tableDifferences, tableWarnings } from "./verify-schema.ts";

/** What was found in an audit database that nothing was changed in. */
export interface AuditInspection {
  /** Tables of the sink that are not there yet. */
  readonly missing: readonly string[];
  /** For each table of the sink that is not as documented, all differences and how to mend them. */
  readonly faults: readonly string[];
  /** A host's own tables of a related name: nothing is written to them. */
  readonly foreign: readonly string[];
  readonly warnings: readonly string[];
  /** Migrations that are still to be run. */
  readonly pending: readonly string[];
  /** Applied migrations that only a newer version knows. */
  readonly unknown: readonly string[];
}

/** Compares a database with the documented tables. Only reads. */
export async function inspectAudit(db: Kysely<AuditDatabase>, dialect: AuditDialect): Promise<AuditInspection> {
  const missing: string[] = [];
  const faults: string[] = [];
  const warnings: string[] = [];
  for (const table of OWN_TABLES) {
    const differences = await tableDifferences(db, dialect, table);
    if (differences === null) missing.push(table.name);
    else if (differences.length > 0) faults.push(explainDifferences(table, differences));
    if (differences !== null) warnings.push(...(await tableWarnings(db, dialect, table)));
  }
  const foreign: string[] = [];
  for (const table of RELATED_TABLES) {
    if (((await tableDifferences(db, dialect, table)) ?? []).length > 0) foreign.push(table.name);
  }
  return { missing, faults, foreign, warnings, ...(await migrationState(db, dialect)) };
}
