/** The part of a statement of the `node:sqlite` API that is used here. Every row is an object without a prototype. */
export interface SqliteStatement {
  all(...parameters: readonly SqliteValue[]): unknown[];
  run(...parameters: readonly SqliteValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
}

export type SqliteValue = null | number | bigint | string | Uint8Array;

/** The part of a database of the `node:sqlite` API that is used here. All calls block. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => SqliteDatabase;
}

/** `node:sqlite` where Node has it built in (from 22.13), else the package with the same API. Loaded when first needed. */
export async function loadSqlite(): Promise<SqliteModule> {
  const builtIn = process.getBuiltinModule?.("node:sqlite") as SqliteModule | undefined;
  return builtIn ?? ((await import("@photostructure/sqlite")) as unknown as SqliteModule);
}
