import { type Kysely, sql } from "kysely";
import type { AuditDialect, ColumnInfo } from "../audit-dialect.ts";
import type { AuditDatabase, ColumnKind } from "../schema.ts";

const LOCK_WAIT_TIMEOUT = 1205;
const DEADLOCK = 1213;

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly nullable: string;
  readonly standard: string | null;
  readonly extra: string;
  readonly collation: string | null;
}

/** How MySQL and MariaDB spell the audit's tables. */
export const MYSQL_AUDIT_DIALECT: AuditDialect = {
  locksRows: true,
  columnType,
  holds,
  readColumns,
  indexNames,
  isBusy: (error) => {
    const number = errorNumber(error);
    return number === LOCK_WAIT_TIMEOUT || number === DEADLOCK;
  },
  describe: (error) => {
    const number = errorNumber(error);
    return number === null ? "MySQL driver error." : `MySQL error ${number}.`;
  },
};

function columnType(kind: ColumnKind): string {
  if (kind === "identity") return "bigint not null auto_increment primary key";
  // The usual collations take `Run-A` and `run-a` for one.
  return kind.startsWith("ascii") ? `${kind.replace("ascii", "varchar")} character set ascii collate ascii_bin` : kind;
}

const TEXTS = ["text", "mediumtext", "longtext"];
/** Types that hold a kind. MariaDB's JSON is LONGTEXT, and a boolean is TINYINT everywhere. */
const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  identity: ["bigint"],
  bigint: ["bigint"],
  int: ["int", "bigint"],
  boolean: ["tinyint"],
  json: ["json", "longtext"],
  text: TEXTS,
  datetime: ["datetime", "timestamp"],
};

function holds(kind: ColumnKind, type: string): boolean {
  const { name, length } = partsOf(type);
  const holders = HOLDERS[kind];
  if (holders !== undefined) return holders.includes(name);
  return TEXTS.includes(name) || (name === "varchar" && length >= partsOf(kind).length);
}

function partsOf(type: string): { readonly name: string; readonly length: number } {
  const [, name = "", length] = /^([a-z]+)(?:\((\d{1,9})\))?/.exec(type) ?? [];
  return { name, length: Number(length ?? Number.POSITIVE_INFINITY) };
}

async function readColumns(db: Kysely<AuditDatabase>, table: string): Promise<readonly ColumnInfo[]> {
  const { rows } = await sql<ColumnRow>`
    select column_name as name, column_type as type, is_nullable as nullable, column_default as standard, extra as extra,
      collation_name as collation
    from information_schema.columns where table_schema = database() and table_name = ${table}
    order by ordinal_position`.execute(db);
  return rows.map((row) => ({
    name: row.name,
    type: row.type.toLowerCase(),
    nullable: row.nullable === "YES",
    hasDefault: row.standard !== null || row.extra !== "",
    collation: row.collation,
  }));
}

async function indexNames(db: Kysely<AuditDatabase>, table: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select distinct index_name as name from information_schema.statistics
    where table_schema = database() and table_name = ${table}`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

function errorNumber(error: unknown): number | null {
  const number = (error as { readonly errno?: unknown } | null)?.errno;
  return typeof number === "number" ? number : null;
}
