import type { Kysely } from "kysely";
import { BoundaryError } from "../model/errors.ts";
import type { AuditDialect, ColumnInfo } from "./audit-dialect.ts";
import type { AuditDatabase, ColumnDefinition, TableDefinition } from "./schema.ts";

/** Throws CONFIG_INVALID, naming table and column, unless rows of ours can be written to the table and read back. */
export async function checkTable(
  db: Kysely<AuditDatabase>,
  dialect: AuditDialect,
  table: TableDefinition,
  presence: "may be absent" | "must exist",
): Promise<void> {
  const columns = await dialect.readColumns(db, table.name);
  if (columns.length === 0 && presence === "may be absent") return;
  if (columns.length === 0) throw invalid(table.name, "The table is missing.");
  const misfit = misfitOf(columns, dialect, table);
  if (misfit !== null) throw invalid(`${table.name}.${misfit.column}`, misfit.reason);
}

/** Whether a table of this name exists and is ours, or like ours. */
export async function fitsTable(
  db: Kysely<AuditDatabase>,
  dialect: AuditDialect,
  table: TableDefinition,
): Promise<boolean> {
  const columns = await dialect.readColumns(db, table.name);
  return columns.length > 0 && misfitOf(columns, dialect, table) === null;
}

/** Id columns that do not compare byte by byte: a search for `run-a` then finds `Run-A` too. No reason to refuse the table. */
export async function collationWarnings(
  db: Kysely<AuditDatabase>,
  dialect: AuditDialect,
  table: TableDefinition,
): Promise<readonly string[]> {
  const byName = new Map((await dialect.readColumns(db, table.name)).map((column) => [column.name, column]));
  return table.columns.flatMap(({ name, kind }) => {
    const collation = byName.get(name)?.collation ?? null;
    if (!kind.startsWith("ascii") || collation === null || /_bin$/.test(collation)) return [];
    return [`${table.name}.${name} has the collation ${collation} instead of a binary one`];
  });
}

interface Misfit {
  readonly column: string;
  readonly reason: string;
}

function misfitOf(actual: readonly ColumnInfo[], dialect: AuditDialect, table: TableDefinition): Misfit | null {
  const byName = new Map(actual.map((column) => [column.name.toLowerCase(), column]));
  for (const expected of table.columns) {
    const reason = columnMisfit(byName.get(expected.name), expected, dialect);
    if (reason !== null) return { column: expected.name, reason: `Column ${expected.name} ${reason}` };
  }
  const ours = new Set(table.columns.map(({ name }) => name));
  const extra = actual.find((column) => !ours.has(column.name.toLowerCase()) && !column.nullable && !column.hasDefault);
  if (extra === undefined) return null;
  return { column: extra.name, reason: "A further column must allow NULL or have a default." };
}

function columnMisfit(
  actual: ColumnInfo | undefined,
  expected: ColumnDefinition,
  dialect: AuditDialect,
): string | null {
  if (actual === undefined) return "is missing.";
  if (!dialect.holds(expected.kind, actual.type)) return `must be of type ${dialect.columnType(expected.kind)}.`;
  if (expected.nullable && !actual.nullable) return "must allow NULL.";
  return null;
}

function invalid(field: string, reason: string): BoundaryError {
  return new BoundaryError("CONFIG_INVALID", field, `Audit table ${field}: ${reason}`);
}
