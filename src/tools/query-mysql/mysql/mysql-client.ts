import { BoundaryError } from "../../../model/errors.ts";

/** The part of a pool that is used here; `createPool` of `mysql2` gives one. Who opened it closes it. */
export interface MysqlPool {
  getConnection(callback: (error: unknown, connection: MysqlConnection) => void): void;
}

/** The part of a connection of `mysql2` that is used here. */
export interface MysqlConnection {
  readonly threadId: number | null;
  /** The socket; a closed one stops what is still arriving. */
  readonly stream?: MysqlSocket;
  query(statement: Statement, callback: (error: unknown, rows: unknown) => void): unknown;
  execute(statement: Statement): MysqlCommand;
  on(event: string, listener: (value: unknown) => void): unknown;
  removeListener(event: string, listener: (value: unknown) => void): unknown;
  release(): void;
  destroy(): void;
}

export interface MysqlSocket {
  readonly bytesRead: number;
  on(event: "data", listener: () => void): unknown;
  removeListener(event: "data", listener: () => void): unknown;
  destroy(): unknown;
}

/** A statement that was sent: `fields`, then `result` for each row, then `end`, or `error`. */
export interface MysqlCommand {
  on(event: string, listener: (value: unknown) => void): unknown;
}

/** A statement, and how its values are to be read whatever the pool was told. */
export interface Statement {
  readonly sql: string;
  readonly values?: string[];
  readonly rowsAsArray?: boolean;
  readonly supportBigNumbers?: boolean;
  readonly bigNumberStrings?: boolean;
}

/** A connection that is free. An abort while waiting gives the one that comes later back. Throws DEADLINE_EXCEEDED, or what the driver says. */
export function borrow(pool: MysqlPool, signal: AbortSignal): Promise<MysqlConnection> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new BoundaryError("DEADLINE_EXCEEDED"));
    if (signal.aborted) {
      late();
      return;
    }
    signal.addEventListener("abort", late, { once: true });
    pool.getConnection((error, connection) => {
      signal.removeEventListener("abort", late);
      if (error !== null && error !== undefined) {
        reject(error);
        return;
      }
      listen(connection);
      if (signal.aborted) connection.release();
      else resolve(connection);
    });
  });
}

const heard = new WeakSet<MysqlConnection>();

/** Of a connection that breaks while nobody waits for it the pool takes care; an event that nobody hears would end the process. */
function listen(connection: MysqlConnection): void {
  if (heard.has(connection)) return;
  heard.add(connection);
  connection.on("error", () => undefined);
}

export type Row = Readonly<Record<string, unknown>>;

/** Rows of a statement of this program, which knows what its columns are called. */
export function rowsOf(
  connection: MysqlConnection,
  sql: string,
  values: readonly string[] = [],
): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    connection.query({ sql, values: [...values], rowsAsArray: false }, (error, rows) => {
      if (error !== null && error !== undefined) reject(error);
      else resolve(Array.isArray(rows) ? (rows as Row[]) : []);
    });
  });
}

/** Ends a connection at once: what still arrives on it is not read. */
export function discard(connection: MysqlConnection): void {
  connection.destroy();
  connection.stream?.destroy();
}
