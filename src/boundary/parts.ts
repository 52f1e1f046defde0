import type { ProgressConfig } from "../progress/config.ts";
import type { Redaction } from "../redact/redact.ts";
import type { CanonicalStore } from "../store/store.ts";
import type { Tool } from "../tools/tool.ts";
import type { Limits } from "./limits.ts";

/** What the boundary is made of. Interfaces only: it knows no driver and no surface. */
export interface BoundaryParts {
  readonly store: CanonicalStore;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly redaction: Redaction;
  readonly limits: Limits;
  readonly progress: ProgressConfig;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called after every answer; starts the audit's drainer off the path of the call. */
  readonly nudge: () => void;
}
