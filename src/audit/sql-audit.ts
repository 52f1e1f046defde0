import type { Kysely, Transaction } from "kysely";
import type { OutboxPosition } from "../model/audit-event.ts";
import { BoundaryError } from "../model/errors.ts";
import { isOwnId } from "../model/ids.ts";
import type {
  AgentStepRow,
  AuditArchive,
  AuditQuery,
  AuditStats,
  DiagnosisRunRow,
  StoredToolInvocationRow,
  ToolInvocationRow,
} from "./audit.ts";
import type { AuditDialect } from "./audit-dialect.ts";
import { type AgingTable, CALLS, type PrunedWindow, pruneWindow, RUNS, readStats, STEPS } from "./retention.ts";
import { decodeRow, encodeRow } from "./row-codec.ts";
import type { AuditDatabase } from "./schema.ts";
import { selectRows } from "./select-rows.ts";

// 18 parameters a row; far below every database's limit, and small enough not to hold the event loop.
const ROWS_A_STATEMENT = 50;
const BUSY_ATTEMPTS = 40;
const BUSY_PAUSE_MS = 25;

/** The sink over a migrated database. Its errors carry a code and a driver's number, never a driver's text. */
export class SqlAudit implements AuditArchive {
  readonly #db: Kysely<AuditDatabase>;
  readonly #dialect: AuditDialect;
  /** Related tables that are a host's own. */
  readonly #foreign: ReadonlySet<string>;

  constructor(db: Kysely<AuditDatabase>, dialect: AuditDialect, foreign: readonly string[]) {
    this.#db = db;
    this.#dialect = dialect;
    this.#foreign = new Set(foreign);
  }

  async record(rows: readonly ToolInvocationRow[], position?: OutboxPosition): Promise<void> {
    if (rows.length === 0) return;
    await this.#guarded(() =>
      this.#db.transaction().execute(async (transaction) => {
        const fresh = position === undefined ? rows : await this.#advance(transaction, rows, position);
        for (let start = 0; start < fresh.length; start += ROWS_A_STATEMENT) {
          const values = fresh.slice(start, start + ROWS_A_STATEMENT).map(encodeRow);
          await transaction.insertInto("tool_invocation").values(values).execute();
        }
      }),
    );
  }

  /** Moves the stored position and gives the rows that lie beyond the old one. Sequences in a batch are consecutive. */
  async #advance(
    transaction: Transaction<AuditDatabase>,
    rows: readonly ToolInvocationRow[],
    { partition, epoch, sequence }: OutboxPosition,
  ): Promise<readonly ToolInvocationRow[]> {
    const query = transaction
      .selectFrom("audit_position")
      .select("sequence")
      .where("partition", "=", partition)
      .where("epoch", "=", epoch);
    const stored = await (this.#dialect.locksRows ? query.forUpdate() : query).executeTakeFirst();
    if (stored === undefined) {
      await transaction.insertInto("audit_position").values({ partition, epoch, sequence }).execute();
      return rows;
    }
    const beyond = sequence - Number(stored.sequence);
    if (beyond <= 0) return [];
    await transaction
      .updateTable("audit_position")
      .set({ sequence })
      .where("partition", "=", partition)
      .where("epoch", "=", epoch)
      .execute();
    return beyond >= rows.length ? rows : rows.slice(-beyond);
  }

  async list(query: AuditQuery): Promise<readonly StoredToolInvocationRow[]> {
    const rows = await this.#guarded(() => selectRows(this.#db, this.#dialect, query).execute(), "AUDIT_UNAVAILABLE");
    return rows.map(decodeRow);
  }

  async recordRun(row: DiagnosisRunRow): Promise<void> {
    const { run_id, ...values } = { ...row, stop_reason: codeOrOther(row.stop_reason) };
    await this.#guarded(() =>
      this.#db.transaction().execute(async (transaction) => {
        await this.#recordSession(transaction, row);
        if (this.#foreign.has("diagnosis_run")) return;
        const there = await transaction
          .selectFrom("diagnosis_run")
          .select("run_id")
          .where("run_id", "=", run_id)
          .executeTakeFirst();
        const write =
          there === undefined
            ? transaction.insertInto("diagnosis_run").values({ run_id, ...values })
            : transaction.updateTable("diagnosis_run").set(values).where("run_id", "=", run_id);
        await write.execute();
      }),
    );
  }

  async #recordSession(transaction: Transaction<AuditDatabase>, run: DiagnosisRunRow): Promise<void> {
    if (this.#foreign.has("chat_session")) return;
    const there = await transaction
      .selectFrom("chat_session")
      .select("session_id")
      .where("session_id", "=", run.session_id)
      .executeTakeFirst();
    if (there !== undefined) return;
    const values = { session_id: run.session_id, created_at: run.started_at };
    await transaction.insertInto("chat_session").values(values).execute();
  }

  async recordStep(row: AgentStepRow): Promise<void> {
    if (this.#foreign.has("agent_step")) return;
    await this.#guarded(() =>
      this.#db.transaction().execute(async (transaction) => {
        const there = await transaction
          .selectFrom("agent_step")
          .select("id")
          .where("run_id", "=", row.run_id)
          .where("ordinal", "=", row.ordinal)
          .executeTakeFirst();
        if (there === undefined) await transaction.insertInto("agent_step").values(row).execute();
      }),
    );
  }

  async prune(before: string, batchSize: number): Promise<number> {
    const deleted = await this.#pruneTable(CALLS, before, batchSize);
    for (const aging of [STEPS, RUNS]) {
      if (!this.#foreign.has(aging.table)) await this.#pruneTable(aging, before, batchSize);
    }
    return deleted;
  }

  async #pruneTable(aging: AgingTable, before: string, size: number): Promise<number> {
    let deleted = 0;
    for (let after: number | string | null = aging.start; after !== null; ) {
      const from: number | string = after;
      const window: PrunedWindow = await this.#guarded(
        () => pruneWindow(this.#db, aging, from, { before, size }),
        "AUDIT_UNAVAILABLE",
      );
      deleted += window.deleted;
      after = window.last;
      // SQLite works without ever giving way: let the calls of this process through between two windows
      await new Promise((resolve) => setImmediate(resolve));
    }
    return deleted;
  }

  async stats(): Promise<AuditStats> {
    return await this.#guarded(() => readStats(this.#db, this.#dialect), "AUDIT_UNAVAILABLE");
  }

  async close(): Promise<void> {
    await this.#db.destroy();
  }

  /** Waits, without blocking the event loop, while another writer is in the way; a second at most. */
  async #guarded<T>(work: () => Promise<T>, code: "AUDIT_FAILED" | "AUDIT_UNAVAILABLE" = "AUDIT_FAILED"): Promise<T> {
    try {
      return await retryWhileBusy(work, this.#dialect);
    } catch (error) {
      throw new BoundaryError(code, undefined, this.#dialect.describe(error));
    }
  }
}

/** Runs the work again while it fails because of another writer, then fails with what it failed with last. */
export async function retryWhileBusy<T>(work: () => Promise<T>, dialect: AuditDialect): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= BUSY_ATTEMPTS || !dialect.isBusy(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS));
    }
  }
}

/** A host may stop a run with words of its own; only a code is metadata. */
function codeOrOther(reason: string | null): string | null {
  return reason === null || isOwnId(reason) ? reason : "OTHER";
}
