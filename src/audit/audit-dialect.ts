import type { Kysely } from "kysely";
import type { AuditDatabase, ColumnKind } from "./schema.ts";

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
  /** Whether a column of this declared type can hold values of the kind; for databases that are adopted. */
  holds(kind: ColumnKind, type: string): boolean;
  /** Empty where there is no such table. */
  readColumns(db: Kysely<AuditDatabase>, table: string): Promise<readonly ColumnInfo[]>;
  /** Names of the indexes that a new index of this table must not repeat. */
  indexNames(db: Kysely<AuditDatabase>, table: string): Promise<ReadonlySet<string>>;
  /** Whether reading the position must lock its row; false where a transaction locks the database anyway. */
  readonly locksRows: boolean;
  /** Whether another writer was in the way, so that the same work may succeed a moment later. */
  isBusy(error: unknown): boolean;
  /** A driver's error as a number or class name. Never its text: that can hold values. */
  describe(error: unknown): string;
}
