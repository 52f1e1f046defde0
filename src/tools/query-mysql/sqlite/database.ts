import { createRequire } from "node:module";

/** The part of the `node:sqlite` interface that is used here; `@photostructure/sqlite` has the same. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  function(
    name: string,
    options: { deterministic: boolean; varargs: boolean; useBigIntArguments: boolean },
    body: (...values: SqliteValue[]) => SqliteValue,
  ): void;
  close(): void;
}

interface SqliteStatement {
  iterate(...params: string[]): Iterable<Readonly<Record<string, SqliteValue>>>;
  setReadBigInts(enabled: boolean): void;
}

export type SqliteValue = null | number | bigint | string | Uint8Array;

/** Opens a file for reading. The module is the one built into Node from 22.13 on, else its stand-in for Node 20. */
export function openReadOnly(path: string): SqliteDatabase {
  const require = createRequire(import.meta.url);
  const { DatabaseSync } = require(moduleName()) as {
    readonly DatabaseSync: new (path: string, options: { readOnly: boolean }) => SqliteDatabase;
  };
  const database = new DatabaseSync(path, { readOnly: true });
  database.exec("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA hard_heap_limit = 268435456;");
  return database;
}

function moduleName(): string {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 13) ? "node:sqlite" : "@photostructure/sqlite";
}
