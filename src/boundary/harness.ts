import { randomBytes, randomUUID } from "node:crypto";
import type { AuditSink } from "../audit/audit.ts";
import { Drainer } from "../audit/drain.ts";
import { createEvidenceGuard, type EvidenceGuard } from "../guard/guard.ts";
import type { Amounts } from "../model/budget.ts";
import type { ToolCallRequestEnvelope } from "../model/envelope.ts";
import { BoundaryError, type BoundaryErrorCode } from "../model/errors.ts";
import { isOwnId } from "../model/ids.ts";
import { type RunContext, type RunState, statusAt } from "../model/run.ts";
import type { Verdict } from "../model/verdict.ts";
import { DEFAULT_PROGRESS_CONFIG } from "../progress/config.ts";
import { emptyProgress } from "../progress/state.ts";
import type { Redaction } from "../redact/redact.ts";
import { createRedaction } from "../redact/redaction.ts";
import type { CanonicalStore, NewRun } from "../store/store.ts";
import type { Tool } from "../tools/tool.ts";
import type { CallAnswer } from "./answer.ts";
import { atMost } from "./at-most.ts";
import { evidenceSource } from "./evidence-source.ts";
import { orStoreError, RunLedger } from "./ledger.ts";
import { budgetOf, type LimitOptions, type Limits, withDefaults } from "./limits.ts";
import type { BoundaryParts } from "./parts.ts";
import { toStored } from "./refusal.ts";
import { Run, type RunServices } from "./run.ts";
import { RunRows, runRow } from "./run-rows.ts";
import { type CallOptions, ToolBoundary } from "./tool-boundary.ts";

/** Something an operator should know of: a stable code and safe fields, never a text of a backend or a driver. */
export interface Notice {
  readonly code: BoundaryErrorCode;
  readonly fields: Readonly<Record<string, string | number>>;
}

export interface HarnessOptions {
  readonly store: CanonicalStore;
  /** Where metadata of calls and runs is kept for good. Without one nothing is kept beyond the records' TTL. */
  readonly audit?: AuditSink;
  readonly tools: readonly Tool[];
  readonly limits?: LimitOptions;
  /** Default: the built-in policy. */
  readonly redaction?: Redaction;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly clock?: () => number;
  /** Receives notices; default: a process warning. */
  readonly report?: (notice: Notice) => void;
}

export interface OpenRunOptions {
  readonly sessionId: string;
  /** Default: a new one. */
  readonly runId?: string;
  readonly principal?: string;
  /** Names of the tools that this run may call; default: all of the harness. */
  readonly grants?: readonly string[];
  readonly budget?: Partial<Amounts>;
}

const CLOSE_WITHIN_MS = 5_000;

/** How often calls of crashed processes are looked for; what is missed once is found the next time. */
const SWEEP_EVERY_MS = 30_000;

/** Takes audit events and keeps none. */
const NOWHERE: Pick<AuditSink, "record"> = { record: async () => undefined };

/** Holds the parts together: opens runs, hands calls to the boundary, drains the audit. */
export class Harness {
  readonly tools: readonly Tool[];
  readonly limits: Limits;
  readonly #parts: BoundaryParts;
  readonly #boundary: ToolBoundary;
  readonly #guard: EvidenceGuard;
  readonly #ledgers = new Map<string, RunLedger>();
  readonly #drainer: Drainer;
  readonly #sweeper: NodeJS.Timeout;
  readonly #rows: RunRows | null;

  constructor(options: HarnessOptions) {
    const { store, audit, tools, clock = Date.now, redaction = createRedaction() } = options;
    const report = safeReport(options.report ?? warn);
    this.tools = [...tools];
    this.limits = withDefaults(options.limits);
    // without an audit the events still have to go somewhere, or they would pile up in the store
    this.#drainer = new Drainer({ outbox: store, sink: audit ?? NOWHERE, report });
    this.#rows = audit === undefined ? null : new RunRows(audit, (code) => report(code, { stage: "recordRun" }));
    const progress = { ...DEFAULT_PROGRESS_CONFIG, noGainLimit: this.limits.noGain };
    const nudge = (): void => this.#drainer.nudge();
    this.#parts = { store, tools: toolMap(tools), redaction, limits: this.limits, progress, clock, nudge };
    this.#boundary = new ToolBoundary(this.#parts);
    const readings = new Map(tools.map((tool) => [tool.name, tool.reading]));
    this.#guard = createEvidenceGuard({ source: evidenceSource(store, clock), readings, clock });
    this.#sweeper = setInterval(() => void this.sweep().catch(() => undefined), SWEEP_EVERY_MS).unref();
  }

  /** Opens a run. Rejects with RUN_EXISTS, STORE_FULL, STORE_ERROR or CONFIG_INVALID. */
  async openRun(options: OpenRunOptions): Promise<Run> {
    const context = this.#contextOf(options);
    const { store, clock } = this.#parts;
    const run: NewRun = {
      ...context,
      openedAt: clock(),
      lifetimeMs: this.limits.runLifetimeMs,
      keepMs: this.limits.recordTtlMs,
      limits: budgetOf(this.limits, options.budget),
      progress: toStored(emptyProgress()),
      salt: randomBytes(32).toString("hex"),
    };
    const opened = await orStoreError(() => store.openRun(run));
    if (opened.kind === "exists") throw new BoundaryError("RUN_EXISTS", "runId");
    if (opened.kind === "full") throw new BoundaryError("STORE_FULL");
    this.#rows?.put(runRow(opened.run, { status: "ACTIVE", verdict: null, endedAt: null }));
    return new Run(this.#remember(new RunLedger(store, opened.run)), this.#services());
  }

  /** A run that was opened before, also by another process on the same store. Null when the store does not know it. */
  async resumeRun(runId: string): Promise<Run | null> {
    const ledger = await this.#ledgerOf(runId);
    return ledger === null ? null : new Run(ledger, this.#services());
  }

  /** One call with an explicit envelope. Never throws for a refused or failed call; rejects with RUN_UNKNOWN for a run that is not in the store, STORE_ERROR when it cannot be asked. */
  async call(
    context: Pick<RunContext, "runId"> & Partial<RunContext>,
    envelope: ToolCallRequestEnvelope,
    options?: CallOptions,
  ): Promise<CallAnswer> {
    const ledger = await this.#ledgerOf(context.runId);
    if (ledger === null || !belongs(ledger.run, context)) throw new BoundaryError("RUN_UNKNOWN", "runId");
    return await this.#boundary.call(ledger, envelope, options);
  }

  /** Settles what crashed calls have left behind. Answers how many. */
  async sweep(): Promise<number> {
    const swept = await orStoreError(() => this.#parts.store.sweep());
    this.#parts.nudge();
    return swept;
  }

  /**
   * Waits for calls under way and writes what is still to be audited, for at most 15 seconds. Store and audit stay open: whoever
   * opened them closes them.
   */
  async close(): Promise<void> {
    await atMost(CLOSE_WITHIN_MS, this.#boundary.idle());
    clearInterval(this.#sweeper);
    await this.#drainer.close(CLOSE_WITHIN_MS);
    await this.#rows?.close(CLOSE_WITHIN_MS);
    this.#ledgers.clear();
  }

  #contextOf(options: OpenRunOptions): RunContext {
    const { sessionId, runId = `run-${randomUUID()}`, principal = null, grants = null } = options;
    for (const [field, id] of Object.entries({ sessionId, runId, principal })) {
      if (id === null || isOwnId(id)) continue;
      throw new BoundaryError("CONFIG_INVALID", field, `${field} must be 1 to 64 of A-Z a-z 0-9 . _ : -`);
    }
    const unknown = grants?.find((name) => !this.#parts.tools.has(name));
    if (unknown !== undefined) throw new BoundaryError("CONFIG_INVALID", "grants", `There is no tool ${unknown}.`);
    return { runId, sessionId, principal, grants: grants === null ? null : [...grants] };
  }

  async #ledgerOf(runId: string): Promise<RunLedger | null> {
    const known = this.#ledgers.get(runId);
    if (known !== undefined) return known;
    const run = isOwnId(runId) ? await orStoreError(() => this.#parts.store.readRun(runId)) : null;
    return run === null ? null : this.#remember(new RunLedger(this.#parts.store, run));
  }

  /** Runs that nobody ended are forgotten when they have expired. */
  #remember(ledger: RunLedger): RunLedger {
    const now = this.#parts.clock();
    for (const [runId, known] of this.#ledgers) {
      if (statusAt(known.run, now) === "ACTIVE") break;
      this.#ledgers.delete(runId);
    }
    this.#ledgers.set(ledger.run.runId, ledger);
    return ledger;
  }

  #services(): RunServices {
    return {
      parts: this.#parts,
      boundary: this.#boundary,
      guard: this.#guard,
      ended: (ledger, verdict) => this.#ended(ledger, verdict),
    };
  }

  #ended(ledger: RunLedger, verdict: Verdict | null): void {
    const { run } = ledger;
    this.#ledgers.delete(run.runId);
    this.#rows?.put(runRow(run, { status: run.status, verdict, endedAt: this.#parts.clock() }));
  }
}

/** The library's entry: a harness over a store, an audit and tools. */
export function createHarness(options: HarnessOptions): Harness {
  return new Harness(options);
}

function toolMap(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  for (const { name, prepare } of tools) {
    if (typeof prepare === "function") continue;
    throw new BoundaryError("TOOL_INVALID", "tools", `${name} is a definition: hand it to defineTool first.`);
  }
  const map = new Map(tools.map((tool) => [tool.name, tool]));
  if (map.size < tools.length) throw new BoundaryError("TOOL_INVALID", "name", "Two tools have the same name.");
  return map;
}

/** Whoever calls in a principal's run must name the principal; a session that is named must be the run's own. */
function belongs(run: RunState, context: Partial<RunContext>): boolean {
  const { sessionId = run.sessionId, principal = null } = context;
  return sessionId === run.sessionId && principal === run.principal;
}

/** A host's report function may throw; nothing of it reaches a call. */
function safeReport(report: (notice: Notice) => void): (code: BoundaryErrorCode, fields: Notice["fields"]) => void {
  return (code, fields) => {
    try {
      report({ code, fields });
    } catch {
      // reporting is best effort
    }
  };
}

function warn({ code, fields }: Notice): void {
  process.emitWarning(`dualview: ${code} ${JSON.stringify(fields)}`, { code });
}
