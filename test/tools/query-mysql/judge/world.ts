import { policyCatalog } from "../../../../src/tools/query-mysql/catalog.ts";
import { parseSqlPolicy, type SqlPolicy } from "../../../../src/tools/query-mysql/policy.ts";
import { MysqlSqlValidator } from "../../../../src/tools/query-mysql/validator.ts";

/** How a value may be used by generated statements. */
export type Kind = "number" | "text" | "time" | "json";
export type ColumnAccess = "allowed" | "sensitive" | "hidden";

export interface WorldColumn {
  readonly name: string;
  readonly type: string;
  readonly kind: Kind;
  readonly access: ColumnAccess;
}

export interface WorldTable {
  readonly name: string;
  readonly hidden: boolean;
  readonly columns: readonly WorldColumn[];
}

function table(name: string, lines: string, hidden = false): WorldTable {
  const columns = lines
    .trim()
    .split("\n")
    .map((line): WorldColumn => {
      const [column = "", kind = "", access = "", ...type] = line.trim().split(" ");
      return { name: column, kind: kind as Kind, access: access as ColumnAccess, type: type.join(" ") };
    });
  return { name, hidden, columns };
}

/** What an on-call team might ask about, with columns and tables that must not be read and names that look like others. */
export const TABLES: readonly WorldTable[] = [
  table(
    "services",
    `id number allowed INT PRIMARY KEY
     name text allowed VARCHAR(64) NOT NULL
     team text allowed VARCHAR(32)
     tier number allowed TINYINT
     token text hidden VARCHAR(40)
     parent_id number allowed INT
     since time allowed DATE
     c1 text hidden VARCHAR(40)`,
  ),
  table(
    "incidents",
    `id number allowed BIGINT PRIMARY KEY
     token text hidden VARCHAR(40)
     service_id number allowed INT NOT NULL
     severity number allowed TINYINT NOT NULL
     title text allowed VARCHAR(120)
     status text allowed ENUM('open','closed','muted')
     opened_at time allowed DATETIME NOT NULL
     closed_at time allowed DATETIME(3)
     cost number allowed DECIMAL(12,2)
     details json allowed JSON
     reporter text sensitive VARCHAR(64)`,
  ),
  table(
    "users",
    `id number allowed BIGINT UNSIGNED PRIMARY KEY
     name text allowed VARCHAR(64)
     email text sensitive VARCHAR(64)
     team text allowed VARCHAR(32)
     order number allowed INT
     pass_hash text hidden VARCHAR(64)
     seen time allowed DATETIME
     tokens number allowed INT`,
  ),
  table(
    "metrics",
    `service_id number allowed INT NOT NULL
     at time allowed DATETIME NOT NULL
     p99 number allowed DOUBLE
     errors number allowed INT UNSIGNED
     ratio number allowed DECIMAL(8,4)
     email text hidden VARCHAR(64)
     note text allowed TEXT`,
  ),
  table(
    "工单",
    `编号 number allowed BIGINT PRIMARY KEY
     标题 text allowed VARCHAR(100)
     状态 text allowed VARCHAR(16)
     服务编号 number allowed INT
     密码 text hidden VARCHAR(40)
     创建时间 time allowed DATETIME
     手机号 text sensitive VARCHAR(20)
     name text allowed VARCHAR(40)`,
  ),
  table(
    "credentials",
    "id number hidden INT PRIMARY KEY\ntoken text hidden VARCHAR(40)\nname text hidden VARCHAR(40)",
    true,
  ),
  table("Users", "id number hidden INT PRIMARY KEY\nname text hidden VARCHAR(40)\nemail text hidden VARCHAR(40)", true),
  table("工资", "编号 number hidden INT PRIMARY KEY\n金额 number hidden INT", true),
];

const NAMES = ["checkout", "search", "付款服务", "cart", "it's", "50%_off", "back\\slash", "🔥hot"];
const TEAMS = ["core", "网关", "edge", null, "core", "data"];
const STATES = ["open", "closed", "muted"];
const NOTES = ["timeout 超时", "db 'lock'", null, "", "a\\b", "x_y%z", "retry 3 times"];
const DETAILS = [
  '{"code":500,"tags":["db","slow"]}',
  '{"code":404,"tags":[]}',
  null,
  '{"code":null,"nested":{"k":"超时"}}',
];
const HUGE = [1, 2, 3, 4, 5, 6, 7, 9007199254740993n, 9007199254740995n, 4611686018427387904n];

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
const day = (index: number): string => `2024-0${1 + (index % 3)}-${String(1 + ((index * 7) % 27)).padStart(2, "0")}`;

/** Values of a row; `secret` is what columns hold that may not decide anything a model sees. */
function cellOf(tableName: string, { name, kind, access, type }: WorldColumn, row: number, secret: string): unknown {
  if (access !== "allowed" && !(name === "id" || name === "编号")) {
    const missing = (row + name.length) % 5 === 0;
    return missing ? null : kind === "number" ? row * (secret.length + 3) : `${secret}-${(row * 7) % 5}-${name}`;
  }
  if (name === "id" || name === "编号") return type.includes("BIGINT") ? pick(HUGE, row) : row + 1;
  if (name.endsWith("_id") || name === "服务编号")
    return row % 4 === 3 && !type.includes("NOT NULL") ? null : 1 + (row % 6);
  if (kind === "json") return pick(DETAILS, row);
  if (kind === "time") {
    if (type === "DATE") return day(row);
    if (name === "closed_at") return row % 3 === 0 ? null : `${day(row + 2)} 10:0${row % 10}:00.12${row % 10}`;
    return `${day(row + tableName.length)} 0${row % 10}:30:00`;
  }
  if (kind === "number") return numberOf(name, row);
  if (name === "name") return pick(NAMES, row + tableName.length);
  if (name === "team") return pick(TEAMS, row);
  if (name === "status" || name === "状态") return pick(STATES, row * 2 + 1);
  return pick(NOTES, row + name.length);
}

function numberOf(name: string, row: number): unknown {
  if (name === "cost") return row % 4 === 1 ? null : `${(row * 37) % 200}.${10 + row}`;
  if (name === "ratio") return `0.${1000 + row * 31}`;
  if (name === "p99") return row % 5 === 2 ? null : row * 1.25;
  return (row * 3) % 7;
}

const q = (name: string): string => `\`${name.replaceAll("`", "``")}\``;

/**
 * Statements that make the tables of one database. Two of them differ in `secret` alone: in what the policy holds back. Without a
 * secret there is only what may be read.
 */
export function worldStatements(
  secret: string | null,
): readonly { readonly sql: string; readonly values: readonly unknown[] }[] {
  return TABLES.flatMap(({ name, columns: all, hidden }) => {
    const columns = secret === null ? all.filter(({ access }) => access !== "hidden") : all;
    if (secret === null && hidden) return [];
    const definitions = columns.map((column) => `${q(column.name)} ${column.type}`).join(", ");
    const create = `CREATE TABLE ${q(name)} (${definitions}) DEFAULT CHARSET utf8mb4`;
    const rows = Array.from({ length: 10 }, (_, row) =>
      columns.map((column) => {
        const value = cellOf(name, column, row, secret ?? "alpha");
        return typeof value === "bigint" ? value.toString() : value;
      }),
    );
    const marks = rows.map((row) => `(${row.map(() => "?").join(", ")})`).join(", ");
    return [
      { sql: create, values: [] },
      { sql: `INSERT INTO ${q(name)} VALUES ${marks}`, values: rows.flat() },
    ];
  });
}

export function worldPolicy(schema: string): SqlPolicy {
  const open = TABLES.filter(({ hidden }) => !hidden);
  const listed = (wanted: readonly ColumnAccess[]): Record<string, readonly string[]> =>
    Object.fromEntries(
      open.map(({ name, columns }) => [
        `${schema}.${name}`,
        columns.filter(({ access }) => wanted.includes(access)).map((column) => column.name),
      ]),
    );
  return parseSqlPolicy({
    datasource: "world",
    defaultSchema: schema,
    tables: listed(["allowed", "sensitive"]),
    sensitiveColumns: listed(["sensitive"]),
    hiddenColumns: listed(["hidden"]),
    maxRows: 5_000,
  });
}

export function worldValidator(policy: SqlPolicy): MysqlSqlValidator {
  return new MysqlSqlValidator(policy, policyCatalog(policy));
}
