import type { PreviousEvaluation } from "../../src/model/envelope.ts";
import type { BoundaryErrorCode } from "../../src/model/errors.ts";
import type { RelevanceLevel } from "../../src/model/evidence.ts";
import type { JsonValue } from "../../src/model/json.ts";
import type { Coverage } from "../../src/model/scope.ts";
import { DEFAULT_PROGRESS_CONFIG, type ProgressConfig } from "../../src/progress/config.ts";
import { type Admission, admit, complete } from "../../src/progress/progress-projector.ts";
import { type ProgressSnapshot, snapshot } from "../../src/progress/snapshot.ts";
import { emptyProgress, type ProgressState, readProgress } from "../../src/progress/state.ts";

export interface Asked {
  readonly tool?: string;
  readonly identity: string;
  readonly covers?: Coverage;
  readonly answer?: readonly (string | readonly [id: string, relevance: RelevanceLevel])[];
  readonly error?: BoundaryErrorCode;
  readonly truncated?: boolean;
}

/** Plays turns against the projector the way the boundary does; every state goes through JSON on its way. */
export class Replay {
  state: ProgressState = emptyProgress();
  now = 1_000_000;
  readonly config: ProgressConfig;
  #turns = 0;
  #calls = 0;

  constructor(config: Partial<ProgressConfig> = {}) {
    this.config = { ...DEFAULT_PROGRESS_CONFIG, ...config };
  }

  /** One turn of parallel calls; the answers arrive in the order given, or in `order`. */
  turn(calls: readonly Asked[], evaluation?: PreviousEvaluation, order?: readonly number[]): readonly Admission[] {
    const turn = `t${++this.#turns}`;
    const admissions = calls.map((call) => this.ask(call, { turn, ...(evaluation && { evaluation }) }));
    const ids = admissions.map((_, i) => `c${this.#calls - calls.length + i + 1}`);
    for (const i of order ?? calls.keys()) {
      if (admissions[i]?.decision === "EXECUTE") this.answer(ids[i] ?? "", calls[i] as Asked);
    }
    return admissions;
  }

  ask(call: Asked, about: { turn?: string; evaluation?: PreviousEvaluation } = {}): Admission {
    const admission = admit(
      this.#stored(),
      {
        callId: `c${++this.#calls}`,
        toolName: call.tool ?? "query_logs",
        identity: call.identity,
        covers: call.covers ?? null,
        scope: { service: call.identity },
        now: this.now,
        deadlineMs: 1_000,
        ...about,
      },
      this.config,
    );
    this.state = admission.next;
    return admission;
  }

  answer(callId: string, { answer = [], error, truncated = false }: Asked): void {
    const items = answer.map((item) =>
      typeof item === "string"
        ? { identity: item, itemId: item }
        : { identity: item[0], itemId: item[0], relevance: item[1] },
    );
    const evidenceStatus = items.length > 0 ? "EVIDENCE_FOUND" : "NO_EVIDENCE";
    const outcome = error
      ? ({ kind: "ERROR", code: error } as const)
      : ({ kind: "READY", items, truncated, evidenceStatus } as const);
    this.state = complete(this.#stored(), { callId, now: this.now, outcome }, this.config);
  }

  get view(): ProgressSnapshot {
    return snapshot(this.#stored(), this.config, this.now);
  }

  #stored(): ProgressState {
    return readProgress(JSON.parse(JSON.stringify(this.state)) as JsonValue);
  }
}
