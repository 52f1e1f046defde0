import type { OutboxBatch, OutboxPosition } from "../../model/audit-event.ts";
import { BoundaryError, isBoundaryErrorCode } from "../../model/errors.ts";
import { callKey, shownCallId } from "../../model/ids.ts";
import { assertLegal, type Ready } from "../../model/invocation.ts";
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
import { decodeReady, decodeRecord, encodeOutcome, encodeRecord } from "./call-codec.ts";
import { BEGIN, READ, REFUSE, SETTLE } from "./call-scripts.ts";
import { encodeFlight } from "./flight.ts";
import { KeyBook, type RunKeys } from "./keys.ts";
import { encodeProgressChange } from "./progress-codec.ts";
import { damaged } from "./redis-failure.ts";
import { type OutboxUsage, RedisOutbox } from "./redis-outbox.ts";
import { amountsOf, amountsText, countOf, fieldsOf, kindOf, listOf, oneOf, textOf } from "./reply.ts";
import { encodeMemory, encodeRun, openedState } from "./run-codec.ts";
import { CLOSE_RUN, LIST, OPEN_RUN, READ_RUN } from "./run-scripts.ts";
import { RunStates } from "./run-states.ts";
import type { ScriptRunner } from "./script-runner.ts";
import { Sweeper } from "./sweeper.ts";

/** Repeated refusals are recognised among this many of the latest. */
const REMEMBERED_ATTEMPTS = 64;

export interface RedisStoreParts {
  readonly scripts: ScriptRunner;
  readonly partitions: number;
  readonly maxOutbox: number;
  readonly scanEveryMs: number;
}

/** The canonical store in Redis or Valkey, single or cluster: many processes, one truth. Every verb is one script on one slot. */
export class RedisStore implements CanonicalStore {
  readonly #scripts: ScriptRunner;
  readonly #keyBook: KeyBook;
  readonly #outbox: RedisOutbox;
  readonly #sweeper: Sweeper;
  readonly #states = new RunStates();

  constructor({ scripts, partitions, maxOutbox, scanEveryMs }: RedisStoreParts) {
    this.#scripts = scripts;
    this.#keyBook = new KeyBook(partitions);
    this.#outbox = new RedisOutbox(scripts, partitions, maxOutbox, scanEveryMs);
    this.#sweeper = new Sweeper(scripts, this.#outbox, partitions);
  }

  async openRun(run: NewRun): Promise<OpenResult> {
    const { run: key, calls } = this.#keys(run.runId);
    const ttlMs = String(Math.round(run.lifetimeMs + run.keepMs));
    const reply = await orFull(this.#scripts.run(OPEN_RUN, [key, calls], [ttlMs, ...encodeRun(run)]));
    if (reply === null) return { kind: "full" };
    if (kindOf(reply) === "exists") return { kind: "exists" };
    return { kind: "opened", run: this.#states.remember(openedState(run), run.salt) };
  }

  async readRun(runId: string): Promise<RunState | null> {
    const reply = await this.#scripts.run(READ_RUN, [this.#keys(runId).run], []);
    return kindOf(reply) === "gone" ? null : this.#states.full(runId, reply);
  }

  async closeRun({ runId, status, reason, attempt }: CloseRun): Promise<CloseResult> {
    const reply = await this.#scripts.run(
      CLOSE_RUN,
      [this.#keys(runId).run],
      [status, JSON.stringify(reason), attempt],
    );
    const kind = oneOf(["closed", "already", "gone"], reply);
    return kind === "gone" ? { kind } : { kind, run: this.#states.full(runId, reply) };
  }

  async begin(begin: Begin): Promise<BeginResult> {
    const { record, revision, attempt, progress } = begin;
    assertLegal(record);
    const keys = this.#keys(record.runId);
    const key = callKey(record.toolCallId);
    const before = this.#states.at(record.runId, revision);
    const running = this.#scripts.run(
      BEGIN,
      [keys.run, keys.call(key), keys.calls, keys.inflight],
      [
        before?.stamp ?? "",
        String(revision),
        attempt,
        amountsText(begin.wanted),
        String(Math.round(begin.ttlMs)),
        key,
        shownCallId(record.toolCallId),
        encodeRecord(record),
        String(Math.round(record.deadlineAt - record.createdAt)),
        encodeFlight(record, key),
        ...encodeProgressChange(before?.run ?? null, progress),
      ],
    );
    const reply = await orFull(running);
    if (reply === null) return { kind: "refused", code: "STORE_FULL" };
    const kind = oneOf(["begun", "stale", "refused"], reply);
    if (kind === "refused") return refusedBegin(reply);
    const run = this.#states.after(before, record.runId, { attempt, progress }, reply);
    return kind === "begun" ? { kind, allowance: amountsOf(reply[1], "call"), run } : { kind, run };
  }

  async settle(settle: Settle): Promise<SettleResult> {
    const { record, revision, attempt, progress, learned } = settle;
    assertLegal(record);
    const keys = this.#keys(record.runId);
    const before = this.#states.at(record.runId, revision);
    const running = this.#scripts.run(
      SETTLE,
      [keys.run, keys.call(callKey(record.toolCallId)), keys.inflight, keys.outbox, keys.audit],
      [
        before?.stamp ?? "",
        String(revision),
        attempt,
        amountsText(settle.spent),
        record.status,
        encodeOutcome(record),
        record.status === "READY" ? rawText(record.raw) : "",
        ...this.#outbox.append(keys.partition, settle.event),
        String(learned.dropped),
        ...encodeProgressChange(before?.run ?? null, progress),
        ...encodeMemory(learned),
      ],
    );
    const reply = await orFull(running);
    if (reply === null) return { kind: "full" };
    const kind = oneOf(["settled", "stale", "gone", "already"], reply);
    if (kind === "gone" || kind === "already") return { kind };
    return { kind, run: this.#states.after(before, record.runId, { attempt, progress, learned }, reply) };
  }

  async refuse(refuse: Refuse): Promise<RefuseResult> {
    const { runId, revision, attempt, progress } = refuse;
    const keys = this.#keys(runId);
    const before = this.#states.at(runId, revision);
    const reply = await this.#scripts.run(
      REFUSE,
      [keys.run, keys.outbox, keys.audit],
      [
        before?.stamp ?? "",
        String(revision),
        attempt,
        amountsText(refuse.charge),
        ...this.#outbox.append(keys.partition, refuse.event),
        String(REMEMBERED_ATTEMPTS),
        ...encodeProgressChange(before?.run ?? null, progress),
      ],
    );
    const kind = oneOf(["refused", "stale", "gone"], reply);
    return kind === "gone" ? { kind } : { kind, run: this.#states.after(before, runId, { attempt, progress }, reply) };
  }

  async read(runId: string, toolCallIds: readonly string[]): Promise<readonly Lookup[]> {
    const calls = toolCallIds.map(callKey);
    const answers = await this.#read(runId, calls, "");
    return answers.map((answer, i) => lookupOf(answer, (fields) => decodeRecord(runId, calls[i] ?? "", fields)));
  }

  async readRaw(runId: string, toolCallId: string): Promise<Lookup<Ready>> {
    const key = callKey(toolCallId);
    const [answer] = await this.#read(runId, [key], "raw");
    return lookupOf(answer, (fields) => decodeReady(runId, key, fields));
  }

  async list(runId: string): Promise<readonly string[]> {
    const { run, calls } = this.#keys(runId);
    const index = fieldsOf(await this.#scripts.run(LIST, [run, calls], []), "index");
    const entries = [...index.values()].map((value) => textOf(value, "index").split(" "));
    return entries.sort(([a], [b]) => countOf(a, "index") - countOf(b, "index")).map(([, shown = ""]) => shown);
  }

  async sweep(): Promise<number> {
    return await this.#sweeper.sweep();
  }

  async drain(limit: number): Promise<readonly OutboxBatch[]> {
    return await this.#outbox.drain(limit);
  }

  async acknowledge(position: OutboxPosition): Promise<void> {
    await this.#outbox.acknowledge(position);
  }

  /** How full the audit outbox is, and what it has dropped. For metrics and checks: it asks every partition. */
  async outboxUsage(): Promise<OutboxUsage> {
    return await this.#outbox.usage();
  }

  /** Forgets what this process knows. The client stays open: who opened it closes it. */
  async close(): Promise<void> {
    this.#states.clear();
  }

  async #read(runId: string, calls: readonly string[], raw: "raw" | ""): Promise<readonly unknown[]> {
    const keys = this.#keys(runId);
    return await this.#scripts.run(READ, [keys.run, keys.calls, ...calls.map(keys.call)], [raw, ...calls]);
  }

  #keys(runId: string): RunKeys {
    return this.#keyBook.of(runId);
  }
}

/** Null where the server has no memory left: then it has written nothing. */
async function orFull(running: Promise<readonly unknown[]>): Promise<readonly unknown[] | null> {
  try {
    return await running;
  } catch (error) {
    if (BoundaryError.is(error) && error.code === "STORE_FULL") return null;
    throw error;
  }
}

function refusedBegin([, code]: readonly unknown[]): BeginResult {
  const word = textOf(code, "answer");
  if (!isBoundaryErrorCode(word)) throw damaged("answer");
  return { kind: "refused", code: word };
}

function lookupOf<T>(answer: unknown, decode: (fields: readonly unknown[]) => T | null): Lookup<T> {
  const [kind, ...fields] = listOf(answer, "record");
  const word = textOf(kind, "record");
  if (word !== "found") return { kind: word === "expired" ? word : "absent" };
  const record = decode(fields);
  return record === null ? { kind: "absent" } : { kind: "found", record };
}

/** Ill-formed text would come back as other text. The codec gives none. */
function rawText(raw: string): string {
  if (!raw.isWellFormed()) throw new BoundaryError("RAW_NOT_SERIALIZABLE");
  return raw;
}
