import { randomBytes } from "node:crypto";
import { type Connection, createConnection, createPool, type Pool } from "mysql2";
import { inject } from "vitest";
import type { MysqlAddress } from "./mysql-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this test run; null when no selected test file asked for one at its start. */
    readonly mysql: MysqlAddress | null;
  }
}

/** The server that all test files of a run share. Importing this file is what makes the set-up start it. */
export function mysqlAddress(): MysqlAddress {
  const address = inject("mysql");
  if (address === null) throw new Error("No database server was started for this run. Start the tests again.");
  return address;
}

/** A database of one test. */
export interface TestDatabase {
  readonly name: string;
  /** A pool as `mysqlAudit` wants it, of the administrator or of another account. */
  pool(account?: { readonly user: string; readonly password: string }): Pool;
  /** Runs one statement as the administrator, in this database. */
  query<T = unknown>(sql: string): Promise<readonly T[]>;
  drop(): Promise<void>;
}

export async function createDatabase(address: MysqlAddress = mysqlAddress()): Promise<TestDatabase> {
  const name = `dv_${randomBytes(6).toString("hex")}`;
  const admin = createConnection(address);
  await queryOn(admin, `create database ${name}`);
  await queryOn(admin, `use ${name}`);
  return {
    name,
    pool: (account) =>
      createPool({ ...address, ...account, database: name, dateStrings: true, timezone: "Z", connectionLimit: 4 }),
    query: (sql) => queryOn(admin, sql),
    drop: async () => {
      await queryOn(admin, `drop database ${name}`);
      await admin.promise().end();
    },
  };
}

async function queryOn<T>(connection: Connection, sql: string): Promise<readonly T[]> {
  const [rows] = await connection.promise().query(sql);
  // what columns a statement gives is known to who wrote it
  return Array.isArray(rows) ? (rows as unknown as readonly T[]) : [];
}
