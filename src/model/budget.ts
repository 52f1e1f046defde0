/** The four budgets of a run, or an amount of them. Counts and UTF-8 bytes. */
export interface Amounts {
  readonly calls: number;
  readonly requestBytes: number;
  readonly rawBytes: number;
  readonly projectionBytes: number;
}

export interface Budget {
  readonly limits: Amounts;
  /** Spent and reserved together: what is in here is no longer available. */
  readonly used: Amounts;
}

export const NOTHING: Amounts = { calls: 0, requestBytes: 0, rawBytes: 0, projectionBytes: 0 };

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  return {
    calls: a.calls + b.calls,
    requestBytes: a.requestBytes + b.requestBytes,
    rawBytes: a.rawBytes + b.rawBytes,
    projectionBytes: a.projectionBytes + b.projectionBytes,
  };
}

export function subtractAmounts(a: Amounts, b: Amounts): Amounts {
  return {
    calls: a.calls - b.calls,
    requestBytes: a.requestBytes - b.requestBytes,
    rawBytes: a.rawBytes - b.rawBytes,
    projectionBytes: a.projectionBytes - b.projectionBytes,
  };
}

/**
 * What a call may take: one call, its request bytes in full, and of raw and projection its caps or what is left of them.
 * Null when one of the four has no room.
 */
export function allowanceFor(budget: Budget, wanted: Amounts): Amounts | null {
  const left = subtractAmounts(budget.limits, budget.used);
  const allowance: Amounts = {
    calls: wanted.calls,
    requestBytes: wanted.requestBytes,
    rawBytes: Math.min(wanted.rawBytes, left.rawBytes),
    projectionBytes: Math.min(wanted.projectionBytes, left.projectionBytes),
  };
  const fits =
    left.calls >= wanted.calls &&
    left.requestBytes >= wanted.requestBytes &&
    (wanted.rawBytes === 0 || left.rawBytes > 0) &&
    (wanted.projectionBytes === 0 || left.projectionBytes > 0);
  return fits ? allowance : null;
}
