import { BoundaryError, type BoundaryErrorCode } from "../model/errors.ts";
import { fingerprint } from "../model/fingerprint.ts";
import type { CallAnswer } from "./answer.ts";
import { begin } from "./begin.ts";
import { finish } from "./finish.ts";
import type { RunLedger } from "./ledger.ts";
import type { BoundaryParts } from "./parts.ts";
import { type Asked, type Checked, type Denied, preflight } from "./preflight.ts";
import { type CallFrame, type Refusal, refuse, refusedAnswer } from "./refusal.ts";

/** Circumstances of a call that the host knows. */
export interface CallOptions {
  /** Names the model's turn: its parallel calls count once. Without it, calls that overlap in time do. */
  readonly turn?: string;
  /** `agent_step.id`, where the agent loop records its steps. */
  readonly stepId?: number;
}

/**
 * The one way to a backend: preflight → begin → execute → project → settle → answer. Every envelope gets exactly one answer;
 * nothing that a tool or a backend does makes it throw.
 */
export class ToolBoundary {
  readonly #parts: BoundaryParts;
  readonly #waiting: (() => void)[] = [];
  #underway = 0;

  constructor(parts: BoundaryParts) {
    this.#parts = parts;
  }

  async call(ledger: RunLedger, envelope: unknown, options?: CallOptions): Promise<CallAnswer> {
    const startedAt = this.#parts.clock();
    const frame: CallFrame = { startedAt, turn: turnOf(options?.turn), stepId: options?.stepId ?? null };
    const checked = this.#preflight(ledger, envelope, startedAt);
    this.#underway += 1;
    try {
      return await this.#answer(ledger, checked, frame);
    } catch (error) {
      // only the store can fail here: without it nothing is certain, and nothing is shown
      return refusedAnswer(this.#parts, ledger.run, checked, frame, { code: storeCode(error) });
    } finally {
      this.#underway -= 1;
      if (this.#underway === 0) for (const resolve of this.#waiting.splice(0)) resolve();
      this.#parts.nudge();
    }
  }

  /** Resolves when no call is under way: all are answered, and so settled and in the outbox. */
  async idle(): Promise<void> {
    if (this.#underway > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async #answer(ledger: RunLedger, checked: Checked | Denied, frame: CallFrame): Promise<CallAnswer> {
    if (checked.kind === "denied") return await this.#refuse(ledger, checked, frame, checked);
    const begun = await begin(this.#parts, ledger, checked, frame);
    if (begun.kind === "begun") return await finish(this.#parts, ledger, checked, begun, frame);
    if (begun.kind === "unrecorded") return await this.#refuse(ledger, checked, frame, begun.refusal);
    return refusedAnswer(this.#parts, ledger.run, checked, frame, begun.refusal);
  }

  async #refuse(ledger: RunLedger, asked: Asked, frame: CallFrame, refusal: Refusal): Promise<CallAnswer> {
    return await refuse(this.#parts, ledger, asked, frame, refusal);
  }

  #preflight(ledger: RunLedger, envelope: unknown, now: number): Checked | Denied {
    const { tools, limits } = this.#parts;
    return preflight(envelope, { run: ledger.run, tools, maxRequestBytes: limits.call.requestBytes, now });
  }
}

/** The longest name of a turn that is kept as it is. */
const MAX_TURN_LENGTH = 64;

/** A turn's name is the host's, and may be a framework's id of any length: what is stored with the run stays small. */
function turnOf(turn: unknown): string | null {
  if (typeof turn !== "string") return null;
  return turn.length <= MAX_TURN_LENGTH ? turn : fingerprint(turn);
}

function storeCode(error: unknown): BoundaryErrorCode {
  return BoundaryError.is(error) && error.code === "REDACTION_FAILED" ? error.code : "STORE_ERROR";
}
