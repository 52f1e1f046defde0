/** A prepared statement of the `node:sqlite` API: the methods this index calls. */
export interface Statement {
  run(...values: readonly SqliteValue[]): { readonly lastInsertRowid: number | bigint };
  get(...values: readonly SqliteValue[]): Readonly<Record<string, unknown>> | undefined;
  all(...values: readonly SqliteValue[]): readonly Readonly<Record<string, unknown>>[];
}

export type SqliteValue = string | number | null;

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

type DatabaseConstructor = new (file: string) => Database;

/** First version with `node:sqlite` built in and free of a flag. */
const BUILT_IN_SINCE = [22, 13] as const;

/** Opens a database file with Node's own SQLite, or on an older Node with the package of the same API. Loads neither before it is called. */
export async function openDatabase(file: string): Promise<Database> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const builtIn = major > BUILT_IN_SINCE[0] || (major === BUILT_IN_SINCE[0] && minor >= BUILT_IN_SINCE[1]);
  const name = builtIn ? "node:sqlite" : "@photostructure/sqlite";
  // the module's own types cover one of the two only
  const { DatabaseSync } = (await import(name)) as { readonly DatabaseSync: DatabaseConstructor };
  return new DatabaseSync(file);
}
