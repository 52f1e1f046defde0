import { absolute, type Decimal, equals, multiply } from "./decimal.ts";
import type { EvidenceNumber } from "./evidence.ts";
import type { NumberToken } from "./number-token.ts";
import { inBase, sameDimension, type Unit } from "./units.ts";

/** How a number of the claim stands to one of the evidence, best first. */
export const NUMBER_MATCHES = ["equal", "sign", "unit", "unit assumed"] as const;
export type NumberMatch = (typeof NUMBER_MATCHES)[number];

/** Whether the claim's words say that a value went up or down; null where they say neither. */
export type Direction = "up" | "down" | null;

const HUNDRED: Decimal = { digits: 100n, scale: 0 };
const HUNDREDTH: Decimal = { digits: 1n, scale: 2 };

/** Null when the two are different numbers. */
function matchNumber(token: NumberToken, direction: Direction, evidence: EvidenceNumber): NumberMatch | null {
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

/** Evidence by value, so that a long text is matched against long evidence in linear time. */
export class NumberIndex {
  readonly #byValue = new Map<string, EvidenceNumber[]>();
  readonly #byAmount = new Map<string, EvidenceNumber[]>();
  /** Whether any of the numbers minds a direction. */
  readonly directed: boolean;

  constructor(numbers: readonly EvidenceNumber[]) {
    this.directed = numbers.some(({ directed, value }) => directed || value.digits < 0n);
    for (const number of numbers) {
      put(this.#byValue, keyOf(number.value), number);
      if (number.unit !== null) put(this.#byAmount, amountKey(number.value, number.unit), number);
    }
  }

  /** The best that the evidence has to say of a number of the claim; null when it is not there at all. */
  best(token: NumberToken, direction: Direction): NumberMatch | null {
    const candidates = [
      ...(this.#byValue.get(keyOf(token.value)) ?? []),
      ...(token.unit === null ? [] : (this.#byAmount.get(amountKey(token.value, token.unit)) ?? [])),
      ...(token.unit?.dimension === "share" ? (this.#byValue.get(keyOf(multiply(token.value, HUNDREDTH))) ?? []) : []),
    ];
    const matches = new Set(candidates.map((shown) => matchNumber(token, direction, shown)));
    return NUMBER_MATCHES.find((match) => matches.has(match)) ?? null;
  }
}

function put(index: Map<string, EvidenceNumber[]>, key: string, number: EvidenceNumber): void {
  const known = index.get(key);
  // equal numbers beyond a handful say nothing new
  if (known === undefined) index.set(key, [number]);
  else if (known.length < 64) known.push(number);
}

function keyOf(value: Decimal): string {
  return `${absolute(value).digits}e${value.scale}`;
}

function amountKey(value: Decimal, unit: Unit): string {
  return `${unit.dimension} ${keyOf(inBase(value, unit))}`;
}
