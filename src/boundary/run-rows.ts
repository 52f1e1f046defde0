import type { AuditSink, DiagnosisRunRow } from "../audit/audit.ts";
import { toDatetime } from "../audit/row.ts";
import type { BoundaryErrorCode } from "../model/errors.ts";
import type { RunState, RunStatus } from "../model/run.ts";
import type { Verdict } from "../model/verdict.ts";
import { atMost, within } from "./at-most.ts";

/** At most so many runs wait to be written; beyond it the oldest are dropped, since a run's row is only its latest state. */
const MAX_WAITING = 10_000;
const RETRY_MS = 5_000;
const RECORD_WITHIN_MS = 5_000;

/** A reason that is a name and no sentence: only such a one goes into the audit. */
const PLAIN_REASON = /^[A-Za-z0-9._:-]{1,64}$/;

export interface RunEnd {
  readonly status: RunStatus;
  readonly verdict: Verdict | null;
  readonly endedAt: number | null;
}

/** Metadata of a run, as the audit keeps it. */
export function runRow(run: RunState, end: RunEnd): DiagnosisRunRow {
  const { stopReason } = run;
  return {
    run_id: run.runId,
    session_id: run.sessionId,
    status: end.status,
    stop_reason: stopReason === null || PLAIN_REASON.test(stopReason) ? stopReason : "OTHER",
    call_count: run.budget.used.calls,
    claim_count: end.verdict?.claims.length ?? null,
    verdict: end.verdict?.verdict ?? null,
    started_at: toDatetime(run.openedAt),
    ended_at: end.endedAt === null ? null : toDatetime(end.endedAt),
  };
}

/** Writes runs' rows to the sink, best effort and off the path of any call; only the latest state of each waits. */
export class RunRows {
  readonly #sink: AuditSink;
  readonly #report: (code: BoundaryErrorCode) => void;
  readonly #waiting = new Map<string, DiagnosisRunRow>();
  #writing: Promise<void> | null = null;
  #retry: NodeJS.Timeout | null = null;

  constructor(sink: AuditSink, report: (code: BoundaryErrorCode) => void) {
    this.#sink = sink;
    this.#report = report;
  }

  put(row: DiagnosisRunRow): void {
    this.#waiting.delete(row.run_id);
    this.#waiting.set(row.run_id, row);
    if (this.#waiting.size > MAX_WAITING) this.#waiting.delete(this.#waiting.keys().next().value ?? "");
    this.#start();
  }

  /** Waits for what is waiting now, at most this long. */
  async close(timeoutMs: number): Promise<void> {
    if (this.#retry !== null) clearTimeout(this.#retry);
    await atMost(timeoutMs, this.#writing ?? this.#writeAll());
  }

  #start(): void {
    if (this.#writing !== null || this.#retry !== null) return;
    this.#writing = new Promise((resolve) => {
      setImmediate(() => void this.#writeAll().then(resolve));
    });
  }

  /** Clears `#writing` in the same step in which it finds nothing left, so that a row put after it starts a new round. */
  async #writeAll(): Promise<void> {
    try {
      for (const [runId, row] of this.#waiting) {
        // a sink that hangs is given up on, and the row is tried again: it only says a run's latest state
        await within(RECORD_WITHIN_MS, this.#sink.recordRun(row));
        if (this.#waiting.get(runId) === row) this.#waiting.delete(runId);
      }
    } catch {
      this.#later();
    } finally {
      this.#writing = null;
    }
  }

  #later(): void {
    this.#report("AUDIT_FAILED");
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#start();
    }, RETRY_MS);
    this.#retry.unref();
  }
}
