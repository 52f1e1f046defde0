import type { Kysely, RawBuilder } from "kysely";
import type { AuditDatabase, ColumnDefinition, ColumnKind } from "./schema.ts";

/** A column as the database has it. */
export interface ColumnInfo {
  readonly name: string;
  /** Declared type in lower case, with its length where the database tells it: `varchar(64)`. */
  readonly type: string;
  readonly nullable: boolean;
  /** Whether an INSERT may leave it out although it is not nullable. */
  readonly hasDefault: boolean;
  /** Null where the column has none or the database does not tell it. */
  readonly collation: string | null;
}

/** What differs between the databases that can hold the audit; migrations and queries are shared. */
export interface AuditDialect {
  /** The column's type in DDL, with its collation. */
  columnType(kind: ColumnKind): string;
  /** What follows the columns of a new table. */
  readonly tableOptions: string;
  /** Whether a declared type is the documented one, or the database's other spelling of it; for tables that are adopted. */
  holds(kind: ColumnKind, type: string): boolean;
  /** Empty where there is no such table. */
  readColumns(db: Kysely<AuditDatabase>, table: string): Promise<readonly ColumnInfo[]>;
  /** The end of an ALTER TABLE that adds or corrects a column; null where the database cannot. */
  change(column: ColumnDefinition, kind: "add" | "modify"): string | null;
  /** What is wrong with a table as a whole, apart from its columns; null for nothing. */
  tableFault(db: Kysely<AuditDatabase>, table: string): Promise<string | null>;
  /** Columns by index; of every index whose name a new index of this table must not repeat. */
  readIndexes(db: Kysely<AuditDatabase>, table: string): Promise<ReadonlyMap<string, readonly string[]>>;
  /** A DATETIME column as text, whatever the driver makes of such values by itself. */
  timeText(column: string): RawBuilder<string>;
  /** Whether reading the position must lock its row; false where a transaction locks the database anyway. */
  readonly locksRows: boolean;
  /** Whether another writer was in the way, so that the same work may succeed a moment later. */
  isBusy(error: unknown): boolean;
  /** A driver's error as a number and, where there is one, the remedy. Never its text: that can hold values. */
  describe(error: unknown): string;
}

/** Rows of (index, column), in the order of the index, put together. */
export function columnsByIndex(
  rows: readonly { readonly name: string; readonly column: string | null }[],
): ReadonlyMap<string, readonly string[]> {
  const columns = new Map<string, string[]>();
  for (const { name, column } of rows) columns.set(name, [...(columns.get(name) ?? []), (column ?? "").toLowerCase()]);
  return columns;
}
