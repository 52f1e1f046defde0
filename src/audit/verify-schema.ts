import type { Kysely } from "kysely";
import { BoundaryError } from "../model/errors.ts";
import type { AuditDialect, ColumnInfo } from "./audit-dialect.ts";
import type { AuditDatabase, ColumnDefinition, TableDefinition } from "./schema.ts";

const MAX_TOLD = 20;

/** One way in which a table is not as documented. */
export interface Difference {
  /** `*` for the table as a whole. */
  readonly column: string;
  readonly reason: string;
  /** The end of an ALTER TABLE that mends it; null where that is for a human to decide. */
  readonly change: string | null;
}

/** All that differs from the documented table; null where there is no table of this name. */
export async function tableDifferences(
  db: Kysely<AuditDatabase>,
  dialect: AuditDialect,
  table: TableDefinition,
): Promise<readonly Difference[] | null> {
  const columns = await dialect.readColumns(db, table.name);
  if (columns.length === 0) return null;
  const fault = await dialect.tableFault(db, table.name);
  const whole = fault === null ? [] : [{ column: "*", reason: fault, change: null }];
  return [...whole, ...columnDifferences(columns, dialect, table)];
}

/** Throws CONFIG_INVALID, naming table and columns, for a table of this name that is not as documented. */
export async function checkTable(
  db: Kysely<AuditDatabase>,
  dialect: AuditDialect,
  table: TableDefinition,
  presence: "may be absent" | "must exist",
): Promise<void> {
  const differences = await tableDifferences(db, dialect, table);
  if (differences === null && presence === "may be absent") return;
  if (differences === null) throw new BoundaryError("CONFIG_INVALID", table.name, `Table ${table.name} is missing.`);
  const [first] = differences;
  if (first === undefined) return;
  throw new BoundaryError("CONFIG_INVALID", `${table.name}.${first.column}`, explainDifferences(table, differences));
}

/** Whether a table of this name exists and is ours, or like ours. */
export async function fitsTable(
  db: Kysely<AuditDatabase>,
  dialect: AuditDialect,
  table: TableDefinition,
): Promise<boolean> {
  return (await tableDifferences(db, dialect, table))?.length === 0;
}

/** The differences in lines for an operator, with the statement that mends them. */
export function explainDifferences(table: TableDefinition, differences: readonly Difference[]): string {
  const told = differences.slice(0, MAX_TOLD).map(({ column, reason }) => `  ${column} ${reason}`);
  const rest = differences.length - told.length;
  const more = rest > 0 ? [`  and ${rest} more`] : [];
  const changes = differences.flatMap(({ change }) => (change === null ? [] : [change]));
  const remedy = changes.length === 0 ? [] : [`To mend it: alter table ${table.name} ${changes.join(", ")};`];
  return [`Audit table ${table.name} is not as documented:`, ...told, ...more, ...remedy].join("\n");
}

/** What works and still deserves a look: ids that do not compare byte by byte, an index that is not the one of its name. */
export async function tableWarnings(
  db: Kysely<AuditDatabase>,
  dialect: AuditDialect,
  table: TableDefinition,
): Promise<readonly string[]> {
  const columns = new Map((await dialect.readColumns(db, table.name)).map((column) => [column.name, column]));
  const collations = table.columns.flatMap(({ name, kind }) => {
    const collation = columns.get(name)?.collation ?? null;
    if (!kind.startsWith("ascii") || collation === null || /(?:^|_)bin(?:ary)?$/.test(collation)) return [];
    return [
      `${table.name}.${name} has the collation ${collation} instead of a binary one: it takes ids that differ in case for the same`,
    ];
  });
  const indexes = await dialect.readIndexes(db, table.name);
  const strange = table.indexes.filter(({ name, columns: expected }) => {
    const actual = indexes.get(name);
    return actual !== undefined && actual.join() !== expected.join();
  });
  return [...collations, ...strange.map(({ name, columns: expected }) => `${name} is not on (${expected.join(", ")})`)];
}

function columnDifferences(
  actual: readonly ColumnInfo[],
  dialect: AuditDialect,
  table: TableDefinition,
): readonly Difference[] {
  const byName = new Map(actual.map((column) => [column.name.toLowerCase(), column]));
  const ours = table.columns.flatMap((expected) => {
    const column = byName.get(expected.name);
    const reason = column === undefined ? "is missing" : columnFault(column, expected, dialect);
    if (reason === null) return [];
    const change = dialect.change(expected, column === undefined ? "add" : "modify");
    return [{ column: expected.name, reason, change }];
  });
  const names = new Set(table.columns.map(({ name }) => name));
  const others = actual
    .filter(({ name, nullable, hasDefault }) => !names.has(name.toLowerCase()) && !nullable && !hasDefault)
    .map(({ name }) => ({
      column: name,
      reason: "is a further column, which must allow NULL or have a default",
      change: null,
    }));
  return [...ours, ...others];
}

function columnFault(actual: ColumnInfo, expected: ColumnDefinition, dialect: AuditDialect): string | null {
  if (!dialect.holds(expected.kind, actual.type)) {
    return `is ${actual.type === "" ? "of no type" : actual.type}, must be ${dialect.columnType(expected.kind)}`;
  }
  if (expected.kind === "identity" || expected.nullable === actual.nullable) return null;
  return expected.nullable ? "is NOT NULL, must allow NULL" : "allows NULL, must be NOT NULL";
}
