import { type Amounts, addAmounts, NOTHING, subtractAmounts } from "../../model/budget.ts";
import type { CanonicalInvocation } from "../../model/invocation.ts";
import type { JsonValue } from "../../model/json.ts";
import { utf8Bytes } from "../../model/json.ts";
import { appendMemory, EMPTY_MEMORY, type RunMemory } from "../../model/memory.ts";
import type { RunState } from "../../model/run.ts";
import type { NewRun } from "../store.ts";

/** Repeated refusals are recognised among this many of the latest. */
const REMEMBERED_ATTEMPTS = 64;
const RECORD_OVERHEAD_BYTES = 1024;
/** Small objects take about so many times the bytes of their JSON. */
const OBJECT_FACTOR = 4;

export interface MemoryCall {
  record: CanonicalInvocation;
  readonly allowance: Amounts;
  readonly beginAttempt: string;
  settleAttempt: string | null;
  /** By the store's clock. */
  readonly expiresAt: number;
  bytes: number;
}

/** A run as the memory store holds it. Times by the store's own clock. */
export interface MemoryRun {
  state: RunState;
  readonly calls: Map<string, MemoryCall>;
  /** Key → shown id of every call that began, in order. Outlives the records. */
  readonly index: Map<string, string>;
  readonly refusals: string[];
  closeAttempt: string | null;
  readonly activeUntil: number;
  readonly keepUntil: number;
  /** What the run itself takes, counted when it ends: until then its budget bounds it. */
  bytes: number;
}

export function newMemoryRun(run: NewRun, now: number): MemoryRun {
  const { lifetimeMs, keepMs, limits, ...rest } = run;
  const state: RunState = {
    ...rest,
    status: "ACTIVE",
    stopReason: null,
    expiresAt: run.openedAt + lifetimeMs,
    budget: { limits, used: NOTHING },
    revision: 0,
    memory: EMPTY_MEMORY,
  };
  return {
    state,
    calls: new Map(),
    index: new Map(),
    refusals: [],
    closeAttempt: null,
    activeUntil: now + lifetimeMs,
    keepUntil: now + lifetimeMs + keepMs,
    bytes: 0,
  };
}

export function isActive(run: MemoryRun, now: number): boolean {
  return run.state.status === "ACTIVE" && now < run.activeUntil;
}

/** One step of the run: used budget, progress and memory move together, and the revision with them. */
export function advance(run: MemoryRun, used: Amounts, progress: JsonValue, learned: RunMemory = EMPTY_MEMORY): void {
  const { state } = run;
  const memory = appendMemory(state.memory, learned);
  run.state = {
    ...state,
    budget: { limits: state.budget.limits, used },
    revision: state.revision + 1,
    progress,
    memory,
  };
}

export function chargedBeyond(run: MemoryRun, charge: Amounts): Amounts {
  return addAmounts(run.state.budget.used, charge);
}

export function settledUse(run: MemoryRun, call: MemoryCall, spent: Amounts): Amounts {
  return addAmounts(subtractAmounts(run.state.budget.used, call.allowance), spent);
}

export function rememberRefusal(run: MemoryRun, attempt: string): void {
  run.refusals.push(attempt);
  if (run.refusals.length > REMEMBERED_ATTEMPTS) run.refusals.shift();
}

/** What a record takes: the texts of raw and agent result as they were counted, and a flat amount for the rest. */
export function recordBytes(record: CanonicalInvocation, spent: Pick<Amounts, "rawBytes" | "projectionBytes">): number {
  const texts = record.status === "READY" ? spent.rawBytes + spent.projectionBytes : 0;
  return texts + record.requestBytes + record.toolCallId.length + RECORD_OVERHEAD_BYTES;
}

/** What a run takes beside its records, in bytes. */
export function runBytes(run: MemoryRun): number {
  const { progress, memory } = run.state;
  const json = JSON.stringify([progress, memory, [...run.index]]);
  return RECORD_OVERHEAD_BYTES + OBJECT_FACTOR * utf8Bytes(json);
}
