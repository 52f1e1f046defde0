import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { BoundaryError, type BoundaryErrorCode } from "../../../model/errors.ts";
import type { ExecuteOptions, MysqlReadOnlyExecutor, RowSet } from "../executor.ts";
import type { MysqlQueryPlan } from "../plan.ts";
import type { RunReply, RunRequest } from "./protocol.ts";

export interface SqliteExecutorOptions {
  /** Children that may run at the same time; further plans wait. Default 4. */
  readonly children?: number;
  /** The compiled child module. Default: the one beside this file; from sources, that of `dist`. */
  readonly childModule?: string;
}

/**
 * Runs plans printed for SQLite on a file opened for reading. Each runs in a child process, because a SQLite call cannot be
 * interrupted from its own thread: an aborted plan ends its child, and children that finish are used again.
 */
export class SqliteReadOnlyExecutor implements MysqlReadOnlyExecutor {
  readonly #path: string;
  readonly #module: string;
  readonly #most: number;
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #closed = false;

  constructor(path: string, { children = 4, childModule }: SqliteExecutorOptions = {}) {
    this.#path = path;
    this.#module = childModule ?? fileURLToPath(childUrl(import.meta.url));
    this.#most = children;
  }

  async execute(plan: MysqlQueryPlan, { signal, maxRawBytes }: ExecuteOptions): Promise<RowSet> {
    if (plan.dialect !== "sqlite") throw new BoundaryError("BAD_QUERY", undefined, "the plan was printed for MySQL");
    await this.#turn(signal);
    try {
      const { sql, params } = plan;
      return await this.#run({ sql, params, maxBytes: maxRawBytes }, signal);
    } finally {
      this.#busy--;
      this.#waiting.shift()?.();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const ended = [...this.#all].map((child) => new Promise((resolve) => child.once("exit", resolve)));
    for (const child of this.#all) {
      // from here on somebody waits for it: a program without anything else to do must not end before
      child.ref();
      child.kill("SIGKILL");
    }
    await Promise.all(ended);
  }

  /** Waits until fewer than the most children are busy. */
  async #turn(signal: AbortSignal): Promise<void> {
    while (this.#busy >= this.#most && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    this.#busy++;
  }

  async #run(request: RunRequest, signal: AbortSignal): Promise<RowSet> {
    if (signal.aborted) throw new BoundaryError("DEADLINE_EXCEEDED");
    if (this.#closed) throw new BoundaryError("BACKEND_UNAVAILABLE");
    const child = this.#idle.pop() ?? (await this.#start(signal));
    const reply = await exchange(child, signal, () => child.send(request));
    if (reply.kind === "rows") {
      this.#idle.push(child);
      return { rows: reply.rows, cutByBytes: reply.cutByBytes };
    }
    this.#idle.push(child);
    throw new BoundaryError("BAD_QUERY");
  }

  async #start(signal: AbortSignal): Promise<ChildProcess> {
    const child = fork(this.#module, [this.#path], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: [],
      env: {},
    });
    this.#all.add(child);
    child.once("exit", () => this.#forget(child));
    const reply = await exchange(child, signal, () => undefined);
    if (reply.kind === "ready") {
      // An idle child must not keep its parent alive.
      child.unref();
      child.channel?.unref();
      return child;
    }
    child.kill("SIGKILL");
    throw new BoundaryError("BACKEND_UNAVAILABLE");
  }

  #forget(child: ChildProcess): void {
    this.#all.delete(child);
    const at = this.#idle.indexOf(child);
    if (at >= 0) this.#idle.splice(at, 1);
  }
}

/** Node cannot run the source of the child, so that of the build stands in for it. */
function childUrl(here: string): URL {
  return here.endsWith(".ts")
    ? new URL("../../../../dist/tools/query-mysql/sqlite/child.js", here)
    : new URL("./child.js", here);
}

/** One message of the child, or its end. An abort ends the child, whatever it is doing. */
function exchange(child: ChildProcess, signal: AbortSignal, ask: () => unknown): Promise<RunReply> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      signal.removeEventListener("abort", aborted);
      child.off("message", answered).off("exit", ended).off("error", ended);
      child.channel?.unref();
      act();
    };
    const fail = (code: BoundaryErrorCode): void => settle(() => reject(new BoundaryError(code)));
    const answered = (reply: RunReply): void => settle(() => resolve(reply));
    const ended = (): void => fail("BACKEND_UNAVAILABLE");
    const aborted = (): void => {
      child.kill("SIGKILL");
      fail("DEADLINE_EXCEEDED");
    };
    child.on("message", answered).on("exit", ended).on("error", ended);
    signal.addEventListener("abort", aborted, { once: true });
    child.channel?.ref();
    ask();
    if (signal.aborted) aborted();
  });
}
