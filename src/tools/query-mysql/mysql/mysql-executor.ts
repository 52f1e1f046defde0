import { BoundaryError } from "../../../model/errors.ts";
import type { ExecuteOptions, MysqlReadOnlyExecutor, RowSet } from "../executor.ts";
import type { MysqlQueryPlan } from "../plan.ts";
import { borrow, discard, type MysqlConnection, type MysqlPool, rowsOf } from "./mysql-client.ts";
import { leavesConnection, mysqlFailure } from "./mysql-failure.ts";
import { readServer, type ServerFacts } from "./server.ts";
import { pinSession, warningNumbers } from "./session.ts";
import { type StreamEnd, streamRows } from "./stream-rows.ts";

export interface MysqlExecutorOptions {
  /** A pool of `mysql2` without a `typeCast`. It stays yours: nothing here ends it. */
  readonly pool: MysqlPool;
  /** Another pool of the same account, for ending statements while all connections of the first are busy. Default: the first. */
  readonly control?: MysqlPool;
  /** The server itself ends a statement after this long, should this process no longer be there to do it. Default 30,000. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const KILL_TIMEOUT_MS = 5_000;
/** MariaDB gives what it has when a recursion goes too deep, and says so in a warning alone. */
const RECURSION_CUT = 1931;

/**
 * Runs plans on a MySQL or MariaDB server as prepared statements, in sessions of one known state that only read. A statement that is
 * aborted, or whose rows are not all wanted, is ended on the server too, and its connection is not used again.
 */
export class MysqlServerExecutor implements MysqlReadOnlyExecutor {
  readonly #pool: MysqlPool;
  readonly #control: MysqlPool;
  readonly #timeoutMs: number;
  readonly #pinned = new WeakSet<MysqlConnection>();
  readonly #endings = new Set<Promise<void>>();
  #server: ServerFacts | null = null;

  constructor({ pool, control = pool, timeoutMs = DEFAULT_TIMEOUT_MS }: MysqlExecutorOptions) {
    this.#pool = pool;
    this.#control = control;
    this.#timeoutMs = timeoutMs;
  }

  async execute(plan: MysqlQueryPlan, options: ExecuteOptions): Promise<RowSet> {
    if (plan.dialect !== "mysql") throw new BoundaryError("BAD_QUERY", undefined, "the plan was printed for SQLite");
    const read = (connection: MysqlConnection): Promise<StreamEnd> => this.#read(connection, plan, options);
    return (await this.#use(options.signal, read, ({ complete }) => complete)).rows;
  }

  /** Statements of this program in a session like those of plans. What fails is a BoundaryError without a server's words. */
  async session<T>(
    signal: AbortSignal,
    work: (connection: MysqlConnection, server: ServerFacts) => Promise<T>,
  ): Promise<T> {
    return await this.#use(signal, work, () => true);
  }

  /** Waits for statements that are still being ended. */
  async close(): Promise<void> {
    await Promise.all(this.#endings);
  }

  async #use<T>(
    signal: AbortSignal,
    work: (connection: MysqlConnection, server: ServerFacts) => Promise<T>,
    isThrough: (result: T) => boolean,
  ): Promise<T> {
    const connection = await borrow(this.#pool, signal).catch((error: unknown) => {
      throw unreached(error);
    });
    try {
      const result = await whileWanted(signal, this.#prepared(connection, work));
      if (isThrough(result)) connection.release();
      else this.#end(connection);
      return result;
    } catch (error) {
      if (leavesConnection(error)) connection.release();
      else this.#end(connection);
      throw mysqlFailure(error);
    }
  }

  async #prepared<T>(
    connection: MysqlConnection,
    work: (connection: MysqlConnection, server: ServerFacts) => Promise<T>,
  ): Promise<T> {
    this.#server ??= await readServer(connection);
    if (!this.#pinned.has(connection)) {
      await pinSession(connection, this.#server, this.#timeoutMs);
      this.#pinned.add(connection);
    }
    return await work(connection, this.#server);
  }

  async #read(connection: MysqlConnection, plan: MysqlQueryPlan, { maxRawBytes }: ExecuteOptions): Promise<StreamEnd> {
    const end = await streamRows(connection, plan, maxRawBytes);
    if (end.complete && this.#server?.flavour === "MariaDB" && /\bWITH RECURSIVE\b/.test(plan.sql)) {
      if ((await warningNumbers(connection)).includes(RECURSION_CUT)) throw new BoundaryError("PARTIAL_RESULT");
    }
    return end;
  }

  /** Drops a connection, and what the server still does for it: closing the socket alone lets a statement run on. */
  #end(connection: MysqlConnection): void {
    const { threadId } = connection;
    discard(connection);
    if (threadId === null) return;
    const ending = this.#kill(threadId).finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }

  /** Ends the whole connection there: one that ends the statement alone comes too early for one that has not begun. */
  async #kill(threadId: number): Promise<void> {
    const signal = AbortSignal.timeout(KILL_TIMEOUT_MS);
    let connection: MysqlConnection | null = null;
    try {
      connection = await borrow(this.#control, signal);
      await whileWanted(signal, rowsOf(connection, `KILL ${threadId}`));
      connection.release();
    } catch (error) {
      // it is gone already, or the server is; its own limit ends what is left
      if (connection === null) return;
      if (leavesConnection(error)) connection.release();
      else discard(connection);
    }
  }
}

/** The work, or DEADLINE_EXCEEDED at the abort. Whoever began the work drops what it is done on. */
async function whileWanted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let late: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    late = () => reject(new BoundaryError("DEADLINE_EXCEEDED"));
    if (signal.aborted) late();
    else signal.addEventListener("abort", late, { once: true });
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (late !== undefined) signal.removeEventListener("abort", late);
  }
}

/** A pool that is closed or full says so in words alone. */
function unreached(error: unknown): BoundaryError {
  const failure = mysqlFailure(error);
  return failure.code === "BACKEND_ERROR" ? new BoundaryError("BACKEND_UNAVAILABLE") : failure;
}
