import { type Kysely, sql } from "kysely";
import { mysqlErrorNumber } from "../../model/mysql-remedies.ts";
import { type AuditDialect, type ColumnInfo, columnsByIndex } from "../audit-dialect.ts";
import type { AuditDatabase, ColumnDefinition, ColumnKind } from "../schema.ts";
import { describeAuditError } from "./mysql-error.ts";

const DUPLICATE_KEY = 1062;
const DEADLOCK = 1213;

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly nullable: string;
  readonly standard: string | null;
  readonly extra: string;
  readonly columnKey: string;
  readonly collation: string | null;
}

/** How MySQL and MariaDB spell the audit's tables. */
export const MYSQL_AUDIT_DIALECT: AuditDialect = {
  locksRows: true,
  tableOptions: "engine = InnoDB",
  columnType,
  holds,
  change,
  tableFault,
  readColumns,
  readIndexes,
  timeText: (column) => sql<string>`date_format(${sql.ref(column)}, '%Y-%m-%d %H:%i:%s')`,
  // A duplicate key is another writer who inserted the same first row. A lock that was waited for in vain is not among them:
  // that took the server's own long timeout already.
  isBusy: (error) => {
    const number = mysqlErrorNumber(error);
    return number === DUPLICATE_KEY || number === DEADLOCK;
  },
  describe: describeAuditError,
};

function columnType(kind: ColumnKind): string {
  if (kind === "identity") return "bigint not null auto_increment primary key";
  // The usual collations take `Run-A` and `run-a` for one.
  return kind.startsWith("ascii") ? `${kind.replace("ascii", "varchar")} character set ascii collate ascii_bin` : kind;
}

function change({ name, kind, nullable }: ColumnDefinition, verb: "add" | "modify"): string | null {
  // a new key, or a value for every row there is already, is for the owner to decide
  if (kind === "identity" || (verb === "add" && !nullable)) return null;
  return `${verb} column ${name} ${columnType(kind)} ${nullable ? "null" : "not null"}`;
}

/** Types as `information_schema` spells them. MariaDB's JSON is LONGTEXT, and a boolean is TINYINT everywhere. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  identity: ["bigint auto_increment primary key"],
  boolean: ["tinyint"],
  json: ["json", "longtext"],
};

function holds(kind: ColumnKind, type: string): boolean {
  return (SPELLINGS[kind] ?? [kind.replace("ascii", "varchar")]).includes(type);
}

async function tableFault(db: Kysely<AuditDatabase>, table: string): Promise<string | null> {
  const { rows } = await sql<{ kind: string; engine: string | null }>`
    select table_type as kind, engine as engine from information_schema.tables
    where table_schema = database() and table_name = ${table}`.execute(db);
  const [found] = rows;
  if (found !== undefined && found.kind !== "BASE TABLE") return "is no table of its own but a view";
  // without transactions a row and its position could not be written together
  if (/^(?:myisam|aria|memory|csv|archive|merge|mrg_myisam)$/i.test(found?.engine ?? "")) {
    return `is kept by ${found?.engine}, which has no transactions: alter table ${table} engine = InnoDB`;
  }
  return null;
}

async function readColumns(db: Kysely<AuditDatabase>, table: string): Promise<readonly ColumnInfo[]> {
  const { rows } = await sql<ColumnRow>`
    select column_name as name, column_type as type, is_nullable as nullable, column_default as standard, extra as extra,
      column_key as columnKey, collation_name as collation
    from information_schema.columns where table_schema = database() and table_name = ${table}
    order by ordinal_position`.execute(db);
  return rows.map((row) => ({
    name: row.name,
    type: typeOf(row),
    nullable: row.nullable === "YES",
    hasDefault: row.standard !== null || /auto_increment|generated/i.test(row.extra),
    collation: row.collation,
  }));
}

/** Without the display width of integers, which MariaDB tells and MySQL does not. */
function typeOf({ type, extra, columnKey }: ColumnRow): string {
  const name = type.toLowerCase().replace(/^((?:tiny|small|medium|big)?int)\(\d{1,3}\)/, "$1");
  if (!/\bauto_increment\b/i.test(extra)) return name;
  return columnKey === "PRI" ? `${name} auto_increment primary key` : `${name} auto_increment`;
}

async function readIndexes(db: Kysely<AuditDatabase>, table: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ name: string; column: string | null }>`
    select index_name as name, column_name as ${sql.ref("column")} from information_schema.statistics
    where table_schema = database() and table_name = ${table} order by index_name, seq_in_index`.execute(db);
  return columnsByIndex(rows);
}
