import { randomUUID } from "node:crypto";
import type { EvidenceGuard } from "../guard/guard.ts";
import type { PreviousEvaluation } from "../model/envelope.ts";
import type { BoundaryErrorCode } from "../model/errors.ts";
import { type EndedStatus, type RunContext, type RunStatus, statusAt } from "../model/run.ts";
import type { Verdict } from "../model/verdict.ts";
import { type ProgressSnapshot, snapshot } from "../progress/snapshot.ts";
import { readProgress } from "../progress/state.ts";
import type { CallAnswer } from "./answer.ts";
import { orStoreError, type RunLedger } from "./ledger.ts";
import type { BoundaryParts } from "./parts.ts";
import { recall } from "./recall.ts";
import type { CallOptions, ToolBoundary } from "./tool-boundary.ts";

/** One tool call, as a host hands it over. */
export interface RunCall extends CallOptions {
  /** The framework's own id of the call: opaque, used once in a run. */
  readonly toolCallId: string;
  readonly toolName: string;
  /** What the model sent; any value, checked by the boundary. */
  readonly request: unknown;
  readonly previousEvaluation?: PreviousEvaluation;
}

export interface Publication {
  readonly published: boolean;
  readonly verdict: Verdict;
  /** Status of the run after it. */
  readonly status: RunStatus;
  /** Why a draft that was not rejected was not published: the run had ended before, or the store could not be reached. */
  readonly code?: BoundaryErrorCode;
}

/** What a run needs of its harness. */
export interface RunServices {
  readonly parts: BoundaryParts;
  readonly boundary: ToolBoundary;
  readonly guard: EvidenceGuard;
  readonly ended: (ledger: RunLedger, verdict: Verdict | null) => void;
}

/** One diagnosis: its calls, its draft, its end. */
export class Run implements RunContext {
  readonly runId: string;
  readonly sessionId: string;
  readonly principal: string | null;
  readonly grants: readonly string[] | null;
  readonly #ledger: RunLedger;
  readonly #services: RunServices;

  constructor(ledger: RunLedger, services: RunServices) {
    const { runId, sessionId, principal, grants } = ledger.run;
    this.runId = runId;
    this.sessionId = sessionId;
    this.principal = principal;
    this.grants = grants;
    this.#ledger = ledger;
    this.#services = services;
  }

  /** Never throws for a refused or failed call: the observation says so. */
  async call(call: RunCall): Promise<CallAnswer> {
    // a host without types may hand over anything
    const given: Partial<RunCall> = call ?? {};
    const envelope = {
      run_id: this.runId,
      tool_call_id: given.toolCallId,
      tool_name: given.toolName,
      request: given.request,
      ...(given.previousEvaluation === undefined ? {} : { previous_evaluation: given.previousEvaluation }),
    };
    return await this.#services.boundary.call(this.#ledger, envelope, given);
  }

  /** Serves a stored observation of this run again, without asking a backend. Charged as projection, and audited. */
  async recall(toolCallId: unknown): Promise<CallAnswer> {
    return await recall(this.#services.parts, this.#ledger, toolCallId);
  }

  /** Checks a draft against the stored evidence. Changes nothing. */
  async verify(draft: unknown): Promise<Verdict> {
    return await this.#services.guard.verify(this.runId, draft);
  }

  /** Checks a draft and, unless it is rejected, completes the run with it. Never throws for a draft, or for a store that is down. */
  async publish(draft: unknown): Promise<Publication> {
    const verdict = await this.verify(draft);
    if (verdict.verdict === "REJECT") return { published: false, verdict, status: this.status };
    try {
      const closed = await this.#close("COMPLETED", null, verdict);
      if (closed) return { published: true, verdict, status: "COMPLETED" };
    } catch {
      return { published: false, verdict, status: this.status, code: "STORE_ERROR" };
    }
    return { published: false, verdict, status: this.status, code: "RUN_NOT_ACTIVE" };
  }

  /** Ends the run without a conclusion. False when it had ended before. */
  async stop(reason: string): Promise<boolean> {
    return await this.#close("STOPPED", reason, null);
  }

  /** Ends the run as failed: the agent or its host broke. False when it had ended before. */
  async fail(reason: string): Promise<boolean> {
    return await this.#close("FAILED", reason, null);
  }

  /** Checked scopes, duplicates, gain and stop, from the store. For the host, never for the model. */
  async progress(): Promise<ProgressSnapshot> {
    const run = await orStoreError(() => this.#ledger.refresh());
    const { parts } = this.#services;
    return snapshot(readProgress(run.progress), parts.progress, parts.clock());
  }

  /** As last seen by this process. */
  get status(): RunStatus {
    return statusAt(this.#ledger.run, this.#services.parts.clock());
  }

  async #close(status: EndedStatus, reason: string | null, verdict: Verdict | null): Promise<boolean> {
    const { parts, ended } = this.#services;
    const attempt = randomUUID();
    const result = await this.#ledger.change((run) =>
      parts.store.closeRun({ runId: run.runId, status, reason, attempt }),
    );
    if (result.kind !== "closed") return false;
    ended(this.#ledger, verdict);
    return true;
  }
}
