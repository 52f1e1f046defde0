import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type SqliteStatement as KyselyStatement,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from "kysely";
import type { SqliteDatabase, SqliteValue } from "../../sqlite/sqlite.ts";

/** Kysely over a database of the `node:sqlite` API, with transactions that take the write lock at their start. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    super({ database: adapt(database) });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new ImmediateDriver({ database: adapt(this.#database) });
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }
}

/** Kysely migrates SQLite without a transaction and without a lock, so that two processes on a new file migrate it both. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDriver extends SqliteDriver {
  // A deferred transaction reads first and locks later; what it has read may then be out of date, which ends in SQLITE_BUSY.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw("rollback"));
    } catch {
      // After SQLITE_FULL or an I/O error SQLite has rolled back by itself. That there is nothing left to roll back must not
      // hide the first error.
    }
  }
}

// Only queries of this folder come here, and none of them hides what it is.
const GIVES_ROWS = /^\s*(?:select|pragma|with)\b|\breturning\b/i;

function adapt(database: SqliteDatabase): { prepare(sql: string): KyselyStatement; close(): void } {
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      const all = (parameters: readonly unknown[]): unknown[] => statement.all(...parameters.map(bind));
      return {
        // Asked of the text: `columns()` came after Node 22.13, and errors of the package's `all` carry no number.
        reader: GIVES_ROWS.test(sql),
        all,
        run: (parameters) => statement.run(...parameters.map(bind)),
        iterate: (parameters) => all(parameters)[Symbol.iterator]() as IterableIterator<unknown>,
      };
    },
  };
}

/** The one place where values meet SQLite. NUL is refused because SQLite's text functions end at it: what is read back differs. */
export function bind(value: unknown): SqliteValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === undefined || value === null) return null;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "string" && !value.includes("\0")) return value;
  if (typeof value === "bigint" || value instanceof Uint8Array) return value;
  throw new TypeError("a value that SQLite cannot hold unchanged");
}
