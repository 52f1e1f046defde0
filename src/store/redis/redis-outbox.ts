import { randomUUID } from "node:crypto";
import type { AuditEvent, OutboxBatch, OutboxPosition } from "../../model/audit-event.ts";
import { isJsonObject } from "../../model/json.ts";
import { partitionKeys } from "./keys.ts";
import { ACKNOWLEDGE, DRAIN, FOREIGN_EPOCH, USAGE } from "./outbox-scripts.ts";
import { countOf, jsonOf, listOf, textOf } from "./reply.ts";
import type { ScriptRunner } from "./script-runner.ts";

/** Events of all partitions together. */
export interface OutboxUsage {
  /** Not acknowledged yet. */
  readonly waiting: number;
  /** Waiting in the fullest partition: at `limit` its oldest are dropped. */
  readonly fullest: number;
  readonly limit: number;
  /** Dropped at the limit, ever. */
  readonly dropped: number;
  /** Known to be lost because Redis lost a part of its data, ever. */
  readonly lost: number;
}

/** The event, an epoch should a new one begin, and the stream's limit. */
type OutboxEntry = readonly [event: string, epoch: string, limit: string];

/** The audit outbox in its partitions' streams. */
export class RedisOutbox {
  readonly #scripts: ScriptRunner;
  readonly #partitions: number;
  readonly #limit: number;
  readonly #scanEveryMs: number;
  /** Partitions that may hold events: this process wrote to them, or found some the last time. */
  readonly #touched = new Set<number>();
  #nextScan = 0;

  constructor(scripts: ScriptRunner, partitions: number, limit: number, scanEveryMs: number) {
    this.#scripts = scripts;
    this.#partitions = partitions;
    this.#limit = limit;
    this.#scanEveryMs = scanEveryMs;
  }

  /**
   * Runs a script that appends an event, with what it wants to know. The partition is marked when it has answered or failed: a
   * script that the server must be told in full runs late, and a drain that overtakes it finds nothing.
   */
  async appending<T>(partition: number, event: AuditEvent, run: (entry: OutboxEntry) => Promise<T>): Promise<T> {
    try {
      return await run([JSON.stringify(event), randomUUID(), String(this.#limit)]);
    } finally {
      this.#touched.add(partition);
    }
  }

  /** Other processes' partitions are looked into only so often: a process that makes calls drains often. */
  async drain(limit: number): Promise<readonly OutboxBatch[]> {
    const now = performance.now();
    if (now >= this.#nextScan) {
      for (let partition = 0; partition < this.#partitions; partition += 1) this.#touched.add(partition);
      this.#nextScan = now + this.#scanEveryMs;
    }
    const batches = await Promise.all([...this.#touched].map((partition) => this.#drainOne(partition, limit)));
    return batches.filter((batch) => batch !== null);
  }

  async acknowledge({ partition, epoch, sequence }: OutboxPosition): Promise<void> {
    const { outbox, audit } = partitionKeys(partition);
    await this.#scripts.run(ACKNOWLEDGE, [outbox, audit], [epoch, String(sequence)]);
  }

  async usage(): Promise<OutboxUsage> {
    const keys = Array.from({ length: this.#partitions }, (_, partition) => partitionKeys(partition));
    const all = await Promise.all(keys.map(({ outbox, audit }) => this.#scripts.run(USAGE, [outbox, audit], [])));
    const counts = all.map((reply) => reply.map((count) => countOf(count, "outbox")));
    const sum = (place: number): number => counts.reduce((total, each) => total + (each[place] ?? 0), 0);
    const fullest = Math.max(...counts.map(([waiting = 0]) => waiting));
    return { waiting: sum(0), fullest, limit: this.#limit, dropped: sum(1), lost: sum(2) };
  }

  async #drainOne(partition: number, limit: number): Promise<OutboxBatch | null> {
    const { audit } = partitionKeys(partition);
    // taken out first: what is appended while the script runs puts it back
    this.#touched.delete(partition);
    try {
      const batch = batchOf(partition, await this.#scripts.run(DRAIN, [audit], [String(limit)]), limit);
      if (batch !== null) this.#touched.add(partition);
      return batch;
    } catch (error) {
      this.#touched.add(partition);
      throw error;
    }
  }
}

/** Consecutive events of one epoch only: what does not follow on them comes with a later batch. */
function batchOf(partition: number, entries: readonly unknown[], limit: number): OutboxBatch | null {
  const events: AuditEvent[] = [];
  let last: OutboxPosition | undefined;
  for (const entry of entries) {
    const { epoch, sequence, event } = entryOf(entry);
    if (last !== undefined && (epoch !== last.epoch || sequence !== last.sequence + 1)) break;
    last = { partition, epoch, sequence };
    events.push(event);
  }
  if (last === undefined) return null;
  return { position: last, events, more: entries.length >= limit || events.length < entries.length };
}

/** `[sequence-0, [e, event, p, epoch]]` */
function entryOf(entry: unknown): { readonly epoch: string; readonly sequence: number; readonly event: AuditEvent } {
  const [id, fields] = listOf(entry, "outbox");
  const [sequence = ""] = textOf(id, "outbox").split("-");
  const [, event, , epoch] = listOf(fields, "outbox");
  return {
    epoch: epoch === undefined ? FOREIGN_EPOCH : textOf(epoch, "outbox"),
    sequence: countOf(sequence, "outbox"),
    event: eventOf(event),
  };
}

/** An event that cannot be read must not hold up those behind it: it is audited as what it is. */
function eventOf(value: unknown): AuditEvent {
  try {
    const event = jsonOf(value, "event");
    if (isJsonObject(event)) return event as unknown as AuditEvent; // every field is checked where it becomes a row
  } catch {
    // as below
  }
  return UNREADABLE;
}

const UNREADABLE: AuditEvent = {
  sessionId: "INVALID",
  runId: "INVALID",
  stepId: null,
  toolName: "UNKNOWN",
  toolCallId: "INVALID",
  requestBytes: 0,
  status: "ERROR",
  evidenceStatus: "ERROR",
  errorCode: "INTERNAL_ERROR",
  agentResultBytes: null,
  truncated: null,
  l0MatchCount: null,
  l1MatchCount: null,
  durationMs: 0,
  at: 0,
};
