import type { Amounts } from "../model/budget.ts";
import { BoundaryError } from "../model/errors.ts";

/** What one call may use. Bytes are UTF-8 bytes of JSON text. */
export interface CallLimits {
  readonly requestBytes: number;
  readonly rawBytes: number;
  readonly projectionBytes: number;
  readonly deadlineMs: number;
}

export interface Limits {
  readonly call: CallLimits;
  /** Budgets of a run, unless it is opened with its own. */
  readonly run: Amounts;
  /** How long a run may make calls. */
  readonly runLifetimeMs: number;
  /** How long a record is kept. Set at its creation; nothing extends it. */
  readonly recordTtlMs: number;
  /** Consecutive batches without gain after which a stop is required. */
  readonly noGain: number;
}

export interface LimitOptions {
  readonly call?: Partial<CallLimits>;
  readonly run?: Partial<Amounts>;
  readonly runLifetimeMs?: number;
  readonly recordTtlMs?: number;
  readonly noGain?: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const MINUTE = 60_000;

export const DEFAULT_LIMITS: Limits = {
  call: { requestBytes: 16 * KIB, rawBytes: 8 * MIB, projectionBytes: 16 * KIB, deadlineMs: 30_000 },
  run: { calls: 40, requestBytes: 256 * KIB, rawBytes: 64 * MIB, projectionBytes: 512 * KIB },
  runLifetimeMs: 60 * MINUTE,
  recordTtlMs: 90 * MINUTE,
  noGain: 3,
};

/** Defaults with the host's own values over them; every limit is a positive whole number. */
export function withDefaults(options: LimitOptions = {}): Limits {
  const { call, run, ...times } = options;
  const limits: Limits = {
    ...DEFAULT_LIMITS,
    ...times,
    call: { ...DEFAULT_LIMITS.call, ...call },
    run: { ...DEFAULT_LIMITS.run, ...run },
  };
  checkPositive("limits.call", limits.call);
  checkPositive("limits.run", limits.run);
  const { runLifetimeMs, recordTtlMs, noGain } = limits;
  checkPositive("limits", { runLifetimeMs, recordTtlMs, noGain });
  return limits;
}

/** A run's own budget over the harness's. */
export function budgetOf(limits: Limits, own: Partial<Amounts> = {}): Amounts {
  const budget = { ...limits.run, ...own };
  checkPositive("budget", budget);
  return budget;
}

function checkPositive(path: string, values: object): void {
  for (const [name, value] of Object.entries(values)) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new BoundaryError("CONFIG_INVALID", `${path}.${name}`, `${path}.${name} must be a positive whole number.`);
  }
}
