import { randomBytes } from "node:crypto";
import { type Connection, createConnection, type FieldPacket } from "mysql2/promise";
import { grantsFor } from "../../../../src/tools/query-mysql/mysql/grants.ts";
import type { MysqlQueryPlan } from "../../../../src/tools/query-mysql/plan.ts";
import type { MysqlSqlValidator } from "../../../../src/tools/query-mysql/validator.ts";
import { createDatabase, mysqlAddress, type TestDatabase } from "../../../services/mysql.ts";
import { worldPolicy, worldStatements, worldValidator } from "./world.ts";

const SESSION = [
  // strings in the text of a plan have the default collation of utf8mb4, so those of the session need it too
  "SET NAMES utf8mb4",
  "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,ONLY_FULL_GROUP_BY,NO_ENGINE_SUBSTITUTION'",
  "SET SESSION max_statement_time = 3",
];
const OPTIONS = {
  supportBigNumbers: true,
  bigNumberStrings: true,
  dateStrings: true,
  jsonStrings: true,
  rowsAsArray: true,
  charset: "utf8mb4_unicode_ci",
  maxPreparedStatements: 8,
} as const;
/** Server errors that say a right is missing. */
const PRIVILEGE = new Set([1044, 1045, 1142, 1143, 1227, 1370]);
const TIMED_OUT = 1969;

type Answer =
  | { readonly kind: "rows"; readonly rows: readonly (readonly unknown[])[]; readonly types: readonly string[] }
  | { readonly kind: "error"; readonly errno: number; readonly message: string };

export interface Verdict {
  /**
   * `equal`, or why nothing is to be said: `refused` by the validator, `failed` on both sides, `stricter` where the server finds fault
   * with the text alone, `slow`.
   */
  readonly outcome: "equal" | "refused" | "failed" | "stricter" | "slow" | "wrong";
  readonly code: string;
  readonly detail: string;
}

/** Runs plans as an account that may read what the policy allows, and compares with what an administrator gets. */
export class Judge {
  readonly validator: MysqlSqlValidator;
  readonly schema: string;
  readonly #twin: TestDatabase;
  readonly #open: TestDatabase;
  readonly #databases: readonly TestDatabase[];
  readonly #admin: Connection;
  readonly #limited: Connection;
  readonly #user: string;

  private constructor(
    databases: readonly [TestDatabase, TestDatabase, TestDatabase],
    admin: Connection,
    limited: Connection,
    user: string,
  ) {
    const [first, twin, open] = databases;
    this.#open = open;
    this.#databases = databases;
    this.#twin = twin;
    this.schema = first.name;
    this.validator = worldValidator(worldPolicy(first.name));
    this.#admin = admin;
    this.#limited = limited;
    this.#user = user;
  }

  static async open(): Promise<Judge> {
    const databases = [
      await worldDatabase("alpha"),
      await worldDatabase("omega-2"),
      await worldDatabase(null),
    ] as const;
    const [{ name }] = databases;
    const user = `j_${randomBytes(6).toString("hex")}`;
    const password = randomBytes(12).toString("hex");
    const admin = await connect({ database: name });
    await admin.query(`CREATE USER '${user}'@'%' IDENTIFIED BY '${password}'`);
    for (const grant of grantsFor(worldPolicy(name), { user, host: "%" })) await admin.query(grant);
    return new Judge(databases, admin, await connect({ user, password }), user);
  }

  /**
   * The verdict on one statement. `reference` is what the administrator runs: the same text, but for stars over hidden columns.
   * The plan runs a second time on a database that differs in what is held back: what a model sees must not differ.
   */
  async judge(sql: string, reference: string = sql, ordered = false): Promise<Verdict> {
    const result = this.validator.validate(sql);
    if (result.kind === "rejected") return { outcome: "refused", code: result.code, detail: result.detail };
    const { plan } = result;
    const got = await run(this.#limited, plan.sql, plan.params);
    if (got.kind === "error" && PRIVILEGE.has(got.errno)) return wrong("privilege", got.message);
    const wanted = await run(this.#admin, reference, []);
    if (got.kind === "rows" && got.rows.length > plan.maxRows) return { outcome: "slow", code: "", detail: "" };
    const difference = compare(wanted, got, ordered);
    if (difference !== null) return { ...difference, detail: `${difference.detail}\n${plan.sql}` };
    return (await this.#interference(plan, got, ordered)) ?? { outcome: "equal", code: "", detail: "" };
  }

  async #interference(plan: MysqlQueryPlan, got: Answer, ordered: boolean): Promise<Verdict | null> {
    const sql = plan.sql.replaceAll(`\`${this.schema}\`.`, `\`${this.#twin.name}\`.`);
    const twin = await run(this.#admin, sql, plan.params);
    const difference = compare(shown(got, plan), shown(twin, plan), ordered);
    return difference?.outcome === "wrong" ? wrong("interference", difference.detail) : null;
  }

  /** The verdict where the administrator asks a database in which nothing is hidden: there a star means what it means here. */
  async judgeStar(sql: string, ordered: boolean): Promise<Verdict> {
    await this.#admin.query(`USE ${this.#open.name}`);
    try {
      return await this.judge(sql, sql, ordered);
    } finally {
      await this.#admin.query(`USE ${this.schema}`);
    }
  }

  /** Runs the plan of a statement with the rights of the policy. */
  async rowsOf(sql: string): Promise<readonly (readonly unknown[])[]> {
    const result = this.validator.validate(sql);
    if (result.kind === "rejected") throw new Error(`${result.code}: ${result.detail}`);
    const answer = await run(this.#limited, result.plan.sql, result.plan.params);
    if (answer.kind === "error") throw new Error(answer.message);
    return answer.rows;
  }

  async close(): Promise<void> {
    await this.#limited.end();
    await this.#admin.query(`DROP USER '${this.#user}'@'%'`);
    await this.#admin.end();
    for (const database of this.#databases) await database.drop();
  }
}

async function worldDatabase(secret: string | null): Promise<TestDatabase> {
  const database = await createDatabase();
  for (const { sql, values } of worldStatements(secret)) await database.query(sql, values);
  return database;
}

async function connect(options: {
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
}): Promise<Connection> {
  const connection = await createConnection({ ...mysqlAddress(), ...OPTIONS, ...options });
  for (const statement of SESSION) await connection.query(statement);
  return connection;
}

async function run(connection: Connection, sql: string, params: readonly string[]): Promise<Answer> {
  try {
    const [rows, fields] = await connection.execute(sql, [...params]);
    return { kind: "rows", rows: rows as unknown as (readonly unknown[])[], types: fields.map(typeOf) };
  } catch (error) {
    const { errno, message } = error as { readonly errno?: number; readonly message: string };
    if (errno === undefined) throw error;
    return { kind: "error", errno, message };
  }
}

/** Texts of any length are one type: MariaDB chooses among them by the longest value that it expects. */
function typeOf({ type, columnType }: FieldPacket): string {
  const number = type ?? columnType ?? -1;
  return number >= 249 && number <= 254 ? "text" : String(number);
}

/** Where MariaDB refuses a text that means one thing only, with the reason; each is rare. */
const STRICTER: readonly { readonly errno: number; readonly message: RegExp }[] = [
  // it does not see that an expression repeats one of GROUP BY
  { errno: 1055, message: /isn't in GROUP BY/ },
  // it looks up a name in a subquery of ON among tables that are joined later
  { errno: 1052, message: / in ON is ambiguous/ },
  // it takes the ORDER BY of GROUP_CONCAT for one that can name select aliases
  { errno: 1052, message: / in ORDER BY is ambiguous/ },
  // it takes an aggregate in a subquery for one of the query around it
  { errno: 1111, message: /group function/ },
];

/** Null where two answers are the same, or both are errors. */
function compare(wanted: Answer, got: Answer, ordered: boolean): Verdict | null {
  for (const answer of [wanted, got]) {
    if (answer.kind === "error" && answer.errno === TIMED_OUT) return { outcome: "slow", code: "", detail: "" };
  }
  if (wanted.kind === "error" || got.kind === "error") {
    if (wanted.kind !== "error") return wrong("plan fails", got.kind === "error" ? got.message : "");
    const { errno, message } = wanted;
    if (got.kind === "error") return { outcome: "failed", code: `${errno} ${got.errno}`, detail: message };
    const isStricter = STRICTER.some((known) => known.errno === errno && known.message.test(message));
    return isStricter ? { outcome: "stricter", code: "", detail: "" } : wrong("only the plan runs", message);
  }
  if (wanted.types.join() !== got.types.join()) return wrong("types", `${wanted.types.join()} <> ${got.types.join()}`);
  const [a, b] = [texts(wanted, ordered), texts(got, ordered)];
  const at = a.findIndex((row, i) => row !== b[i]);
  if (at < 0 && a.length === b.length) return null;
  return wrong("rows", `${a.length} <> ${b.length} rows; at ${at}: ${a[at]} <> ${b[at]}`);
}

function texts({ rows }: Extract<Answer, { kind: "rows" }>, ordered: boolean): readonly string[] {
  const list = rows.map((row) =>
    JSON.stringify(row, (_, value: unknown) => (Buffer.isBuffer(value) ? value.toString("hex") : value)),
  );
  return ordered ? list : list.sort();
}

/** An answer without the cells that come out masked: of those, only whether they are NULL. */
function shown(answer: Answer, { columns }: MysqlQueryPlan): Answer {
  if (answer.kind === "error") return answer;
  const rows = answer.rows.map((row) => row.map((cell, i) => (columns[i]?.sensitive === true ? cell === null : cell)));
  return { ...answer, rows };
}

function wrong(code: string, detail: string): Verdict {
  return { outcome: "wrong", code, detail };
}
