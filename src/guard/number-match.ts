import { absolute, type Decimal, equals, multiply } from "./decimal.ts";
import type { EvidenceNumber, ItemView } from "./evidence.ts";
import type { NumberToken } from "./number-token.ts";
import { inBase, sameDimension, type Unit } from "./units.ts";

/** How a number of the claim stands to one of the evidence, best first. */
export const NUMBER_MATCHES = ["equal", "unit assumed", "sign", "unit"] as const;
export type NumberMatch = (typeof NUMBER_MATCHES)[number];

/** Whether the claim's words say that a value went up or down; null where they say neither. */
export type Direction = "up" | "down" | null;

const HUNDRED: Decimal = { digits: 100n, scale: 0 };

/** Null when the two are different numbers. */
export function matchNumber(token: NumberToken, direction: Direction, evidence: EvidenceNumber): NumberMatch | null {
  const units = matchUnits(token, evidence);
  if (units === null) return null;
  if (units === "unit") return "unit";
  if (!signAgrees(token, direction, evidence)) return "sign";
  return units === "equal" ? matchCurrency(token, evidence) : units;
}

function matchUnits(token: NumberToken, evidence: EvidenceNumber): "equal" | "unit assumed" | "unit" | null {
  const [claimed, shown] = [token.value, absolute(evidence.value)];
  const same = equals(claimed, shown);
  if (token.unit === null) return same ? "equal" : null;
  if (evidence.unit === null) return same || isShareOf(token, shown) ? "unit assumed" : null;
  if (!sameDimension(token.unit, evidence.unit)) return same ? "unit" : null;
  if (equals(inBase(claimed, token.unit), inBase(shown, evidence.unit))) return "equal";
  return same ? "unit" : null;
}

/** 0.37 may be meant by 37 %, but the evidence does not say so. */
function isShareOf(token: NumberToken, shown: Decimal): boolean {
  return token.unit?.dimension === "share" && equals(token.value, multiply(shown, HUNDRED));
}

function signAgrees(token: NumberToken, direction: Direction, { value, directed }: EvidenceNumber): boolean {
  if (value.digits === 0n) return true;
  const negative = value.digits < 0n;
  if (token.sign === "-" && !negative) return false;
  if (token.sign === "+" && negative) return false;
  if (direction !== null && directed && (direction === "down") !== negative) return false;
  return !negative || token.sign === "-" || direction === "down";
}

/** A currency must be one that the item shows: beside the number, or anywhere in it. */
function matchCurrency(token: NumberToken, evidence: EvidenceNumber): NumberMatch {
  if (token.currency === null) return "equal";
  const own = evidence.currency === null ? (evidence.item?.currencies ?? []) : [evidence.currency];
  if (own.length === 0) return "unit assumed";
  return own.some((unit) => isSameMoney(unit, token.currency)) ? "equal" : "unit";
}

function isSameMoney(a: Unit, b: Unit | null): boolean {
  return b !== null && sameDimension(a, b);
}

export function bestMatch(
  token: NumberToken,
  direction: Direction,
  evidence: readonly EvidenceNumber[],
): { readonly match: NumberMatch; readonly item: ItemView | null } | null {
  let best: { match: NumberMatch; item: ItemView | null } | null = null;
  for (const shown of evidence) {
    const match = matchNumber(token, direction, shown);
    if (match === "equal") return { match, item: shown.item };
    if (match !== null && (best === null || NUMBER_MATCHES.indexOf(match) < NUMBER_MATCHES.indexOf(best.match))) {
      best = { match, item: shown.item };
    }
  }
  return best;
}
