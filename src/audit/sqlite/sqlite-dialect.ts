import { type Kysely, sql } from "kysely";
import { type AuditDialect, type ColumnInfo, columnsByIndex } from "../audit-dialect.ts";
import type { AuditDatabase, ColumnKind } from "../schema.ts";

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
/** What an operator can mend; SQLite's own text may name tables and values, so it is not used. */
const MENDABLE: Readonly<Record<number, string>> = {
  8: "The file may only be read",
  13: "The disk is full",
  14: "The file cannot be opened",
  26: "The file is no SQLite database",
};
/** ENOENT, EACCES: of a folder that cannot be made. */
const SYSTEM_ERROR = /^E[A-Z0-9]{2,15}$/;

interface TableInfoRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}

/** How SQLite spells the audit's tables. Its default collation is already binary. */
export const SQLITE_AUDIT_DIALECT: AuditDialect = {
  locksRows: false,
  tableOptions: "",
  columnType,
  holds,
  change: (column, kind) =>
    kind === "add" && column.nullable ? `add column ${column.name} ${columnType(column.kind)}` : null,
  tableFault: async () => null,
  readColumns,
  readIndexes,
  timeText: (column) => sql<string>`${sql.ref(column)}`,
  isBusy: (error) => {
    const primary = (errorNumber(error) ?? 0) & 0xff;
    return primary === SQLITE_BUSY || primary === SQLITE_LOCKED;
  },
  describe: (error) => {
    const number = errorNumber(error);
    if (number !== null) return `${MENDABLE[number & 0xff] ?? "SQLite failed"} (SQLite error ${number}).`;
    const { code } = (error ?? {}) as { readonly code?: unknown };
    return typeof code === "string" && SYSTEM_ERROR.test(code) ? `System error ${code}.` : "SQLite driver error.";
  },
};

function columnType(kind: ColumnKind): string {
  if (kind === "identity") return "integer primary key autoincrement";
  return kind.replace("ascii", "varchar");
}

function holds(kind: ColumnKind, type: string): boolean {
  // Any other spelling, BIGINT too, would not be the row's id: SQLite would store NULL.
  if (kind === "identity") return type === "integer primary key";
  const affinity = affinityOf(type);
  if (kind === "bigint" || kind === "int") return affinity === "integer" || affinity === "numeric";
  if (kind === "boolean") return affinity === "integer" || affinity === "numeric";
  if (kind === "json" || kind === "datetime") return affinity === "text" || type === kind || type === "timestamp";
  return affinity === "text" && lengthOf(type) >= lengthOf(kind === "text" ? "" : kind);
}

/** SQLite's own rules for what a declared type does to a value; `none` for a column without a type. */
function affinityOf(type: string): "integer" | "text" | "none" | "real" | "numeric" {
  if (type.includes("int")) return "integer";
  if (/char|clob|text/.test(type)) return "text";
  if (type === "" || type.includes("blob")) return "none";
  return /real|floa|doub/.test(type) ? "real" : "numeric";
}

function lengthOf(type: string): number {
  const length = /\((\d{1,9})\)/.exec(type)?.[1];
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length);
}

async function readColumns(db: Kysely<AuditDatabase>, table: string): Promise<readonly ColumnInfo[]> {
  const { rows } = await sql<TableInfoRow>`select * from pragma_table_info(${table})`.execute(db);
  const keys = rows.filter(({ pk }) => pk > 0).length;
  return rows.map((row) => {
    const type = row.type.toLowerCase();
    return {
      name: row.name,
      type: row.pk > 0 && keys === 1 ? `${type} primary key` : type,
      nullable: row.notnull === 0,
      hasDefault: row.dflt_value !== null,
      collation: null,
    };
  });
}

/** Index names are shared by all tables of a SQLite database. */
async function readIndexes(db: Kysely<AuditDatabase>): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ name: string; column: string | null }>`
    select i.name as name, c.name as "column" from sqlite_master i, pragma_index_info(i.name) c
    where i.type = 'index' order by i.name, c.seqno`.execute(db);
  return columnsByIndex(rows);
}

function errorNumber(error: unknown): number | null {
  const number = (error as { readonly errcode?: unknown } | null)?.errcode;
  return typeof number === "number" ? number : null;
}
