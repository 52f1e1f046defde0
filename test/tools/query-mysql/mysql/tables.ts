import type { PoolOptions } from "mysql2";
import type { RowSet } from "../../../../src/tools/query-mysql/executor.ts";
import { grantsFor } from "../../../../src/tools/query-mysql/mysql/grants.ts";
import { type MysqlDatasource, mysqlDatasource } from "../../../../src/tools/query-mysql/mysql/mysql-datasource.ts";
import type { MysqlQueryPlan } from "../../../../src/tools/query-mysql/plan.ts";
import { parseSqlPolicy, type SqlPolicy } from "../../../../src/tools/query-mysql/policy.ts";
import { MysqlSqlValidator } from "../../../../src/tools/query-mysql/validator.ts";
import { createDatabase, type TestDatabase } from "../../../services/mysql.ts";
import type { MysqlAddress } from "../../../services/mysql-server.ts";

type Columns = Readonly<Record<string, readonly string[]>>;

/** Tables of one test, and a datasource whose account may read what its policy lists and nothing else. */
export interface Tables {
  readonly database: TestDatabase;
  readonly policy: SqlPolicy;
  readonly datasource: MysqlDatasource;
  /** The plan of a statement that must be allowed; also of another policy. */
  plan(sql: string): MysqlQueryPlan;
  run(sql: string, options?: { readonly ms?: number; readonly maxRawBytes?: number }): Promise<RowSet>;
  /** Statements that the account's sessions are busy with, as the server lists them. */
  busy(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A derived table of the numbers 1 to 10^digits as `seq`, on either server. */
export function series(digits: number): string {
  const tables = Array.from({ length: digits }, (_, i) => `(${TEN}) d${i}`);
  const sum = tables.map((_, i) => `d${i}.n * ${10 ** i}`).join(" + ");
  return `(select 1 + ${sum} as seq from ${tables.join(", ")}) series`;
}

const TEN = Array.from({ length: 10 }, (_, n) => `select ${n} as n`).join(" union all ");

/** Lists the columns of tables of the default schema by their own names. */
export function policyOf(schema: string, tables: Columns, more: Readonly<Record<string, unknown>> = {}): SqlPolicy {
  const named = Object.fromEntries(Object.entries(tables).map(([name, columns]) => [`${schema}.${name}`, columns]));
  return parseSqlPolicy({ datasource: "depot", defaultSchema: schema, tables: named, ...more });
}

/** An account with the grants that the product prints for this policy. */
export async function readerOf(database: TestDatabase, policy: SqlPolicy): Promise<PoolOptions> {
  const { user, password } = await database.account("usage");
  for (const grant of grantsFor(policy, { user, host: "%" })) await database.query(grant);
  return { user, password, charset: "utf8mb4", maxPreparedStatements: 16 };
}

export async function openTables(
  statements: readonly string[],
  columns: Columns,
  {
    address,
    ...more
  }: { readonly address?: MysqlAddress; readonly maxRows?: number; readonly timeoutMs?: number } = {},
): Promise<Tables> {
  const { timeoutMs, ...limits } = more;
  const database = await createDatabase(address);
  await database.query(`alter database ${database.name} character set utf8mb4`);
  for (const statement of statements) await database.query(statement);
  const policy = policyOf(database.name, columns, limits);
  const account = await readerOf(database, policy);
  const pools = { pool: database.pool(account), control: database.pool({ ...account, connectionLimit: 1 }) };
  const datasource = await mysqlDatasource({ ...pools, policy, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const validator = new MysqlSqlValidator(policy, datasource.catalog);
  const plan = (sql: string): MysqlQueryPlan => {
    const result = validator.validate(sql);
    if (result.kind === "rejected") throw new Error(`${result.code} at ${result.at}: ${result.detail}\n${sql}`);
    return result.plan;
  };
  return {
    database,
    policy,
    datasource,
    plan,
    run: (sql, { ms = 10_000, maxRawBytes = 1_000_000 } = {}) =>
      datasource.executor.execute(plan(sql), { signal: AbortSignal.timeout(ms), maxRawBytes }),
    busy: async () => {
      const rows = await database.query<{ text: string }>(
        "select info as text from information_schema.processlist where user = ? and command <> 'Sleep' and info is not null",
        [account.user],
      );
      return rows.map(({ text }) => text);
    },
    close: async () => {
      await datasource.executor.close();
      await database.drop();
    },
  };
}
