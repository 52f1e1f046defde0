export interface ProgressConfig {
  /** Consecutive NO_GAIN batches that stop a run. */
  readonly noGainLimit: number;
  /** Consecutive ERROR batches that stop a run. */
  readonly errorLimit: number;
  /** How long after its end a log window may still gain lines, in milliseconds: until then it counts as open. */
  readonly ingestionLagMs: number;
}

export const DEFAULT_PROGRESS_CONFIG: ProgressConfig = { noGainLimit: 3, errorLimit: 3, ingestionLagMs: 120_000 };

/** How long past its deadline a call may still be settled; after that its process is taken for dead. */
export const ABANDON_GRACE_MS = 10_000;
