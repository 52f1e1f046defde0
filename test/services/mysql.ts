import { randomBytes } from "node:crypto";
import { type Connection, createConnection, createPool, type Pool, type PoolOptions } from "mysql2";
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
  /** A pool of the administrator, or with other options. It ends with the database. */
  pool(options?: PoolOptions): Pool;
  /** Runs one statement as the administrator, in this database. */
  query<T = unknown>(sql: string, values?: readonly unknown[]): Promise<readonly T[]>;
  /** Creates an account with these rights on this database; it is dropped with it. */
  account(rights: string): Promise<{ readonly user: string; readonly password: string }>;
  drop(): Promise<void>;
}

export async function createDatabase(address: MysqlAddress = mysqlAddress()): Promise<TestDatabase> {
  const name = `dv_${randomBytes(6).toString("hex")}`;
  const admin = createConnection(address);
  // a test may take the server away; whoever asks then is told
  admin.on("error", () => undefined);
  const pools: Pool[] = [];
  const users: string[] = [];
  const query = <T>(sql: string, values: readonly unknown[] = []): Promise<readonly T[]> => queryOn(admin, sql, values);
  await query(`create database ${name}`);
  await query(`use ${name}`);
  return {
    name,
    query,
    pool: (options) => {
      const pool = createPool({ ...address, database: name, connectionLimit: 4, ...options });
      pools.push(pool);
      return pool;
    },
    account: async (rights) => {
      const user = `u_${randomBytes(6).toString("hex")}`;
      const password = randomBytes(12).toString("hex");
      users.push(user);
      await query(`create user '${user}'@'%' identified by '${password}'`);
      await query(`grant ${rights} on ${name}.* to '${user}'@'%'`);
      return { user, password };
    },
    drop: async () => {
      for (const pool of pools) await pool.promise().end();
      for (const user of users) await query(`drop user '${user}'@'%'`);
      await query(`drop database ${name}`);
      await admin.promise().end();
    },
  };
}

async function queryOn<T>(connection: Connection, sql: string, values: readonly unknown[]): Promise<readonly T[]> {
  const [rows] = await connection.promise().query(sql, [...values]);
  // what columns a statement gives is known to who wrote it
  return Array.isArray(rows) ? (rows as unknown as readonly T[]) : [];
}
