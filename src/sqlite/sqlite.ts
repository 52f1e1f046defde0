export type SqliteValue = null | number | bigint | string | Uint8Array;

type SqliteRow = Readonly<Record<string, unknown>>;

/** The part of a prepared statement of the `node:sqlite` API that is used here. */
export interface SqliteStatement {
  run(...parameters: readonly SqliteValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...parameters: readonly SqliteValue[]): SqliteRow | undefined;
  all(...parameters: readonly SqliteValue[]): SqliteRow[];
  iterate(...parameters: readonly SqliteValue[]): Iterable<SqliteRow>;
  setReadBigInts(enabled: boolean): void;
}

interface SqliteFunctionOptions {
  readonly deterministic: boolean;
  readonly varargs: boolean;
  readonly useBigIntArguments: boolean;
}

/** The part of a database of the `node:sqlite` API that is used here. All calls block their thread. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  function(name: string, options: SqliteFunctionOptions, body: (...values: SqliteValue[]) => SqliteValue): void;
  close(): void;
}

export interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => SqliteDatabase;
}

/** `node:sqlite` where Node has it built in (from 22.13), else the package with the same API. Loaded when first needed. */
export async function loadSqlite(): Promise<SqliteModule> {
  const builtIn = process.getBuiltinModule?.("node:sqlite") as SqliteModule | undefined;
  // the package's own types are for its options as a whole; the part above is what both have
  return builtIn ?? ((await import("@photostructure/sqlite")) as unknown as SqliteModule);
}

/** Opens a database file for reading and writing; creates it where it does not exist. */
export async function openDatabase(file: string): Promise<SqliteDatabase> {
  const { DatabaseSync } = await loadSqlite();
  return new DatabaseSync(file);
}
