import type { AuditEvent, OutboxBatch, OutboxPosition } from "../../model/audit-event.ts";
import { addAmounts, allowanceFor, NOTHING } from "../../model/budget.ts";
import { callKey, shownCallId } from "../../model/ids.ts";
import { assertLegal, markError, type Projecting, type Ready } from "../../model/invocation.ts";
import type { RunState } from "../../model/run.ts";
import type {
  Begin,
  BeginResult,
  CanonicalStore,
  CloseResult,
  CloseRun,
  Lookup,
  NewRun,
  OpenResult,
  Refuse,
  RefuseResult,
  Settle,
  SettleResult,
} from "../store.ts";
import { withoutRaw } from "../without-raw.ts";
import {
  advance,
  chargedBeyond,
  isActive,
  type MemoryCall,
  type MemoryRun,
  newMemoryRun,
  recordBytes,
  rememberRefusal,
  settledUse,
} from "./memory-run.ts";
import { MemoryOutbox } from "./outbox.ts";
import { Room } from "./room.ts";

export interface MemoryStoreOptions {
  /** Bytes of records that are kept; default 256 MiB. At the cap new calls are answered STORE_FULL. */
  readonly maxBytes?: number;
  /** Runs that are kept; default 10,000. */
  readonly maxRuns?: number;
  /** Audit events that may wait for the sink; default 100,000. */
  readonly maxOutbox?: number;
  /** Milliseconds; only differences count. Default `Date.now`. */
  readonly clock?: () => number;
}

/**
 * The embedded store: one process, bounded memory. Records of active runs are never given up before their TTL; records of
 * ended runs are, oldest first, when room is needed.
 */
export class MemoryStore implements CanonicalStore {
  readonly #room: Room;
  readonly #outbox: MemoryOutbox;
  readonly #clock: () => number;
  #abandoned = 0;

  constructor(options: MemoryStoreOptions = {}) {
    const { maxBytes = 256 * 1024 * 1024, maxRuns = 10_000, maxOutbox = 100_000, clock = Date.now } = options;
    this.#clock = clock;
    this.#room = new Room(maxBytes, maxRuns, clock, (run, call) => this.#abandon(run, call));
    this.#outbox = new MemoryOutbox(maxOutbox);
  }

  /** Audit events that were dropped because no drainer took them. */
  get droppedEvents(): number {
    return this.#outbox.dropped;
  }

  /** Bytes and runs that are held now, expired ones not yet swept included. */
  get usage(): { readonly bytes: number; readonly runs: number } {
    return this.#room.usage;
  }

  async openRun(run: NewRun): Promise<OpenResult> {
    if (this.#room.run(run.runId) !== null) return { kind: "exists" };
    const opened = newMemoryRun(run, this.#clock());
    return this.#room.addRun(opened) ? { kind: "opened", run: opened.state } : { kind: "full" };
  }

  async readRun(runId: string): Promise<RunState | null> {
    const run = this.#room.run(runId);
    return run === null ? null : this.#stateOf(run);
  }

  async closeRun(close: CloseRun): Promise<CloseResult> {
    const run = this.#room.run(close.runId);
    if (run === null) return { kind: "gone" };
    if (run.closeAttempt === close.attempt) return { kind: "closed", run: run.state };
    if (!isActive(run, this.#clock())) return { kind: "already", run: this.#stateOf(run) };
    run.state = { ...run.state, status: close.status, stopReason: close.reason };
    run.closeAttempt = close.attempt;
    this.#room.endRun(run);
    return { kind: "closed", run: run.state };
  }

  async begin(begin: Begin): Promise<BeginResult> {
    const { record } = begin;
    assertLegal(record);
    const run = this.#room.run(record.runId);
    if (run === null || !isActive(run, this.#clock())) return { kind: "refused", code: "RUN_NOT_ACTIVE" };
    const key = callKey(record.toolCallId);
    const known = run.calls.get(key);
    if (known?.beginAttempt === begin.attempt) return { kind: "begun", allowance: known.allowance, run: run.state };
    if (run.index.has(key)) return { kind: "refused", code: "DUPLICATE_CALL_ID" };
    if (begin.revision !== run.state.revision) return { kind: "stale", run: run.state };
    const allowance = allowanceFor(run.state.budget, begin.wanted);
    if (allowance === null) return { kind: "refused", code: "BUDGET_EXHAUSTED" };
    const call: MemoryCall = {
      record,
      allowance,
      beginAttempt: begin.attempt,
      settleAttempt: null,
      expiresAt: this.#clock() + begin.ttlMs,
      bytes: recordBytes(record, NOTHING),
    };
    if (!this.#room.addCall(run, key, call)) return { kind: "refused", code: "STORE_FULL" };
    run.index.set(key, shownCallId(record.toolCallId));
    advance(run, addAmounts(run.state.budget.used, allowance), begin.progress);
    return { kind: "begun", allowance, run: run.state };
  }

  async settle(settle: Settle): Promise<SettleResult> {
    assertLegal(settle.record);
    const run = this.#room.run(settle.record.runId);
    const call = run === null ? null : this.#room.call(run, callKey(settle.record.toolCallId));
    if (run === null || call === null) return { kind: "gone" };
    if (call.settleAttempt === settle.attempt) return { kind: "settled", run: this.#stateOf(run) };
    if (call.record.status !== "PROJECTING") return { kind: "already" };
    if (settle.revision !== run.state.revision) return { kind: "stale", run: this.#stateOf(run) };
    if (!this.#room.grow(call, recordBytes(settle.record, settle.spent))) return { kind: "full" };
    call.record = settle.record;
    call.settleAttempt = settle.attempt;
    advance(run, settledUse(run, call, settle.spent), settle.progress, settle.learned);
    this.#outbox.append(settle.event);
    return { kind: "settled", run: this.#stateOf(run) };
  }

  async refuse(refuse: Refuse): Promise<RefuseResult> {
    const run = this.#room.run(refuse.runId);
    if (run === null) return { kind: "gone" };
    if (run.refusals.includes(refuse.attempt)) return { kind: "refused", run: this.#stateOf(run) };
    if (refuse.revision !== run.state.revision) return { kind: "stale", run: this.#stateOf(run) };
    rememberRefusal(run, refuse.attempt);
    advance(run, chargedBeyond(run, refuse.charge), refuse.progress);
    this.#outbox.append(refuse.event);
    return { kind: "refused", run: this.#stateOf(run) };
  }

  async read(runId: string, toolCallIds: readonly string[]): Promise<readonly Lookup[]> {
    const run = this.#room.run(runId);
    return toolCallIds.map((id) => this.#lookup(run, id));
  }

  async readRaw(runId: string, toolCallId: string): Promise<Lookup<Ready>> {
    const run = this.#room.run(runId);
    const found = this.#lookup(run, toolCallId);
    if (run === null || found.kind !== "found") return found.kind === "found" ? { kind: "absent" } : found;
    const record = run.calls.get(callKey(toolCallId))?.record;
    return record?.status === "READY" ? { kind: "found", record } : { kind: "absent" };
  }

  async list(runId: string): Promise<readonly string[]> {
    return [...(this.#room.run(runId)?.index.values() ?? [])];
  }

  async sweep(): Promise<number> {
    const before = this.#abandoned;
    this.#room.purge();
    for (const run of this.#room.runs()) {
      for (const call of run.calls.values()) {
        const { record } = call;
        const overdue = this.#ageOf(call) >= record.deadlineAt - record.createdAt;
        if (record.status === "PROJECTING" && overdue) this.#abandon(run, call);
      }
    }
    return this.#abandoned - before;
  }

  async drain(limit: number): Promise<readonly OutboxBatch[]> {
    return this.#outbox.take(limit);
  }

  async acknowledge(position: OutboxPosition): Promise<void> {
    this.#outbox.acknowledge(position);
  }

  async close(): Promise<void> {
    this.#room.clear();
  }

  #stateOf(run: MemoryRun): RunState {
    const expired = run.state.status === "ACTIVE" && !isActive(run, this.#clock());
    return expired ? { ...run.state, status: "EXPIRED" } : run.state;
  }

  #lookup(run: MemoryRun | null, toolCallId: string): Lookup {
    const key = callKey(toolCallId);
    const call = run === null ? null : this.#room.call(run, key);
    if (call !== null) return { kind: "found", record: withoutRaw(call.record) };
    return run?.index.has(key) === true ? { kind: "expired" } : { kind: "absent" };
  }

  /** A record's times are the harness's; what counts here is how long it has been in the store. */
  #ageOf({ record, expiresAt }: MemoryCall): number {
    return this.#clock() - (expiresAt - (record.expiresAt - record.createdAt));
  }

  #abandon(run: MemoryRun, call: MemoryCall): void {
    const { record } = call;
    if (record.status !== "PROJECTING") return;
    const age = this.#ageOf(call);
    const at = record.createdAt + age;
    call.record = markError(record, "ABANDONED", at);
    call.settleAttempt = "swept";
    const spent = { calls: 1, requestBytes: record.requestBytes, rawBytes: 0, projectionBytes: 0 };
    advance(run, settledUse(run, call, spent), run.state.progress);
    this.#outbox.append(abandonedEvent(run.state, record, age, at));
    this.#abandoned += 1;
  }
}

function abandonedEvent(run: RunState, record: Projecting, durationMs: number, at: number): AuditEvent {
  return {
    sessionId: run.sessionId,
    runId: record.runId,
    stepId: null,
    toolName: record.toolName,
    toolCallId: shownCallId(record.toolCallId),
    requestBytes: record.requestBytes,
    status: "ERROR",
    evidenceStatus: "ERROR",
    errorCode: "ABANDONED",
    agentResultBytes: null,
    truncated: null,
    l0MatchCount: null,
    l1MatchCount: null,
    durationMs,
    at,
  };
}

/** The embedded canonical store. */
export function memoryStore(options?: MemoryStoreOptions): MemoryStore {
  return new MemoryStore(options);
}
