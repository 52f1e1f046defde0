import type { OutboxBatch, OutboxPosition } from "../model/audit-event.ts";
import type { BoundaryErrorCode } from "../model/errors.ts";
import type { AuditSink } from "./audit.ts";
import type { AuditOutbox } from "./outbox.ts";
import { toRow } from "./row.ts";

/** Called with a code and safe fields: names, numbers and words of this file, never a driver's text. */
export type DrainReport = (code: BoundaryErrorCode, fields: Readonly<Record<string, string | number>>) => void;

export interface DrainerOptions {
  readonly outbox: AuditOutbox;
  readonly sink: Pick<AuditSink, "record">;
  readonly report: DrainReport;
  /** Events of one partition that are fetched and written at once. Default 200. */
  readonly batchSize?: number;
  /**
   * How long a nudge waits for others, so that a busy process writes many rows in one transaction instead of holding up its
   * calls with a small one after each. Default 20.
   */
  readonly gatherMs?: number;
  /** How long one call of the outbox or the sink may take before it counts as failed. Default 5,000. */
  readonly deadlineMs?: number;
  /** First pause after a failure; each further one is twice as long, up to `maxPauseMs`. Default 100. */
  readonly minPauseMs?: number;
  /** Default 30,000. */
  readonly maxPauseMs?: number;
}

export interface DrainerMetrics {
  /** Events that are written and acknowledged. */
  readonly written: number;
  /** Failed calls of the outbox or the sink, those over their deadline among them. */
  readonly failures: number;
  readonly timeouts: number;
  /** How often a partition began anew, that is, had lost data. */
  readonly epochChanges: number;
  /** Whether the last attempt failed. */
  readonly failing: boolean;
}

type Stage = "drain" | "record" | "acknowledge";
type PassResult = "empty" | "moved" | "failed";

const DEFAULTS = { batchSize: 200, gatherMs: 20, deadlineMs: 5_000, minPauseMs: 100, maxPauseMs: 30_000 };
// Calls that never come back keep their rows in memory. With this many of them no further one is begun until one settles.
const MAX_HANGING = 8;

class StageError extends Error {
  readonly stage: Stage;
  readonly reason: "error" | "timeout" | "stalled";

  constructor(stage: Stage, reason: "error" | "timeout" | "stalled") {
    super(`${stage}: ${reason}`);
    this.stage = stage;
    this.reason = reason;
  }
}

/**
 * Moves audit events from a store's outbox to the sink, in order per partition, off every call's path. It never throws and
 * never rejects; what cannot be written stays in the outbox and is tried again. No pause or deadline of it keeps the process
 * alive: who opened it calls `close`.
 */
export class Drainer {
  readonly #options: Required<DrainerOptions>;
  readonly #positions = new Map<number, OutboxPosition>();
  #gathering: NodeJS.Timeout | undefined;
  #pause: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #nudged = false;
  #closing: Promise<"drained" | "pending"> | undefined;
  #stopped = false;
  #hanging = 0;
  #failedPasses = 0;
  #counts = { written: 0, failures: 0, timeouts: 0, epochChanges: 0 };

  constructor(options: DrainerOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** There may be something to write. Returns at once; many nudges are one. A pause after a failure stands. */
  nudge(): void {
    if (this.#closing !== undefined) return;
    this.#nudged = true;
    if (this.#running !== undefined || this.#gathering !== undefined || this.#pause !== undefined) return;
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      this.#start();
    }, this.#options.gatherMs);
  }

  metrics(): DrainerMetrics {
    return { ...this.#counts, failing: this.#failedPasses > 0 };
  }

  /**
   * Drains once more, for at most this many milliseconds, and stops. `pending`: something may be left in the outbox, and the
   * next process goes on there. Closes neither the outbox nor the sink.
   */
  close(timeoutMs: number): Promise<"drained" | "pending"> {
    this.#closing ??= this.#finish(timeoutMs);
    return this.#closing;
  }

  async #finish(timeoutMs: number): Promise<"drained" | "pending"> {
    clearTimeout(this.#gathering);
    clearTimeout(this.#pause);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<"pending">((resolve) => {
      timer = setTimeout(() => resolve("pending"), timeoutMs);
    });
    const result = await Promise.race([timeout, this.#drainLast()]);
    clearTimeout(timer);
    this.#stopped = true;
    return result;
  }

  async #drainLast(): Promise<"drained" | "pending"> {
    await this.#running;
    return (await this.#drainAll()) === "empty" ? "drained" : "pending";
  }

  #start(): void {
    this.#running = this.#drainAll().then((result) => {
      this.#running = undefined;
      if (this.#closing !== undefined) return;
      if (result === "failed") this.#backOff();
      else if (this.#nudged) this.nudge();
    });
  }

  #backOff(): void {
    const { minPauseMs, maxPauseMs } = this.#options;
    const pauseMs = Math.min(minPauseMs * 2 ** Math.min(this.#failedPasses - 1, 30), maxPauseMs);
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#start();
    }, pauseMs);
    this.#pause.unref();
  }

  /** Pass after pass, letting other work through in between, until nothing waits behind a batch or something fails. */
  async #drainAll(): Promise<PassResult> {
    for (;;) {
      this.#nudged = false;
      const result = await this.#pass();
      if (result !== "moved" || this.#stopped) return result;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #pass(): Promise<PassResult> {
    try {
      const batches = await this.#within("drain", () => this.#options.outbox.drain(this.#options.batchSize));
      const failure = await this.#moveAll(batches.filter(({ events }) => events.length > 0));
      if (failure !== null) throw failure;
      this.#failedPasses = 0;
      return batches.some(({ more }) => more) ? "moved" : "empty";
    } catch (error) {
      this.#fail(error);
      return "failed";
    }
  }

  /** One partition's failure does not hold up the others, but a sink that hangs is not tried for each of them. */
  async #moveAll(batches: readonly OutboxBatch[]): Promise<unknown> {
    let failure: unknown = null;
    for (const batch of batches) {
      if (this.#stopped) break;
      try {
        await this.#move(batch);
      } catch (error) {
        failure ??= error;
        if (error instanceof StageError && error.reason === "timeout") break;
      }
    }
    return failure;
  }

  async #move(batch: OutboxBatch): Promise<void> {
    const { position, events } = batch;
    this.#observe(batch);
    await this.#within("record", () => this.#options.sink.record(events.map(toRow), position));
    await this.#within("acknowledge", () => this.#options.outbox.acknowledge(position));
    this.#positions.set(position.partition, position);
    this.#counts.written += events.length;
  }

  /**
   * A gap after the last position is no sign of a loss: another process may have written what lay there. Nor is a new epoch whose
   * numbers go on: a server was restarted, or another took over. Numbers that were given out before are one.
   */
  #observe({ position, events }: OutboxBatch): void {
    const last = this.#positions.get(position.partition);
    if (last === undefined) return;
    const sameEpoch = last.epoch === position.epoch;
    // An acknowledgement that trims nothing would give the same batch for ever.
    if (sameEpoch && position.sequence === last.sequence) throw new StageError("acknowledge", "stalled");
    if (position.sequence - events.length >= last.sequence) return;
    this.#counts.epochChanges += 1;
    this.#positions.delete(position.partition);
    this.#report("AUDIT_OUTBOX_LOST", { partition: position.partition });
  }

  async #within<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    if (this.#hanging >= MAX_HANGING) throw new StageError(stage, "timeout");
    let timer: NodeJS.Timeout | undefined;
    let late = false;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        late = true;
        this.#hanging += 1;
        reject(new StageError(stage, "timeout"));
      }, this.#options.deadlineMs);
      timer.unref();
    });
    const settled = async (): Promise<T> => {
      try {
        return await work();
      } catch {
        throw new StageError(stage, "error");
      } finally {
        clearTimeout(timer);
        if (late) this.#hanging -= 1;
      }
    };
    return await Promise.race([settled(), timeout]);
  }

  #fail(error: unknown): void {
    const { stage, reason } = error instanceof StageError ? error : new StageError("record", "error");
    this.#counts.failures += 1;
    if (reason === "timeout") this.#counts.timeouts += 1;
    this.#failedPasses += 1;
    if (this.#failedPasses === 1) this.#report("AUDIT_FAILED", { stage, reason });
  }

  #report(code: BoundaryErrorCode, fields: Readonly<Record<string, string | number>>): void {
    try {
      this.#options.report(code, fields);
    } catch {
      // A logger that fails must not stop the audit.
    }
  }
}
