import type { DerivedValue } from "../model/draft.ts";
import {
  add,
  type Decimal,
  decimal,
  divide,
  equals,
  exactly,
  multiply,
  negate,
  type Ratio,
  roundings,
} from "./decimal.ts";
import { findUnit, inBase, sameDimension, type Unit } from "./units.ts";

/** An input of a derivation as a cited item shows it: its value, and the unit it has there. */
export interface Input {
  readonly value: Decimal;
  readonly unit: Unit | null;
}

/** A derivation computed again. The unit is the one that its inputs give, in the size that was declared. */
export interface Computed {
  readonly right: boolean;
  readonly unit: Unit | null;
}

const ONE: Decimal = decimal(1n, 0);
const HOUR: Decimal = findUnit("h")?.factor ?? ONE;
const PERCENT: Unit | null = findUnit("%");
/** A number as a part of a whole: 0.37 of it is 37 %. */
export const WHOLE: Unit = { dimension: "share", factor: ONE };
const PER_HOUR: Unit = { dimension: "rate", factor: ONE };
const WHOLE_WORDS = new Set(["", "1", "ratio", "fraction", "share", "比例", "比率"]);
const WRONG: Computed = { right: false, unit: null };

/** The unit that a draft names; null when it names none, or one that is no measure (`orders`, `次`). */
export function declaredUnit(name: string | undefined): Unit | null {
  if (name === undefined) return null;
  const word = name.trim().normalize("NFKC");
  return WHOLE_WORDS.has(word) ? WHOLE : findUnit(word);
}

/**
 * A derivation cannot bring in a unit: the unit of its result comes from its inputs, and a declared one only says in which size of
 * that dimension the result is written. Where the inputs show none, neither does the result.
 */
export function compute(derivation: DerivedValue, inputs: readonly Input[], value: Decimal): Computed {
  const { op } = derivation;
  if (!takes(op, inputs.length)) return WRONG;
  const own = unitOfResult(op, inputs);
  if (own === "unlike") return WRONG;
  const declared = declaredUnit(derivation.unit);
  if (op === "convert" && (own === null || declared === null)) return WRONG;
  if (own !== null && declared !== null && !sameDimension(own, declared)) return WRONG;
  const unit = own === null || op === "percent" ? own : (declared ?? own);
  const { over, under } = quantity(op, inputs, own);
  const result = divide(over, multiply(under, unit?.factor ?? ONE));
  return { right: result !== null && agrees(derivation, result, value), unit };
}

function takes(op: DerivedValue["op"], count: number): boolean {
  if (op === "convert" || op === "round") return count === 1;
  return op === "sum" || op === "product" ? count > 0 : count === 2;
}

function unitOfResult(op: DerivedValue["op"], inputs: readonly Input[]): Unit | null | "unlike" {
  if (op === "percent") return PERCENT;
  if (op === "ratio") return unitOfRatio(inputs);
  const units = inputs.flatMap(({ unit }) => unit ?? []);
  const [first = null] = units;
  if (op === "product") return units.length === 1 ? first : null;
  if (first !== null && units.some((unit) => !sameDimension(unit, first))) return "unlike";
  return units.length === inputs.length ? first : null;
}

/** Like by like is a share, a measure by a count is an average, a count by a time is a rate. */
function unitOfRatio([a, b]: readonly Input[]): Unit | null {
  const [over = null, under = null] = [a?.unit, b?.unit];
  if (under === null) return over;
  if (over === null) return under.dimension === "time" ? PER_HOUR : null;
  return sameDimension(over, under) ? WHOLE : null;
}

/** The result as a quotient, in the smallest unit of its dimension where it has one. */
function quantity(
  op: DerivedValue["op"],
  inputs: readonly Input[],
  own: Unit | null,
): { readonly over: Decimal; readonly under: Decimal } {
  if (op === "ratio" || op === "percent") return quotient(inputs, own);
  const values = inputs.map(({ value, unit }) => (own === null ? value : inBase(value, unit)));
  return { over: values.reduce(OPERATIONS[op]), under: ONE };
}

const OPERATIONS = {
  sum: add,
  difference: (a: Decimal, b: Decimal): Decimal => add(a, negate(b)),
  product: multiply,
  convert: add,
  round: add,
} as const;

function quotient([a, b]: readonly Input[], own: Unit | null): { readonly over: Decimal; readonly under: Decimal } {
  const [over, under] = [a?.value ?? ONE, b?.value ?? ONE];
  const [overUnit, underUnit] = [a?.unit ?? null, b?.unit ?? null];
  if (own === PER_HOUR) return { over: multiply(over, HOUR), under: inBase(under, underUnit) };
  const areAlike = overUnit !== null && underUnit !== null && sameDimension(overUnit, underUnit);
  if (areAlike) return { over: inBase(over, overUnit), under: inBase(under, underUnit) };
  return own === overUnit ? { over: inBase(over, overUnit), under } : { over, under };
}

/** A quotient that does not end is compared at the decimals that the claim writes. */
function agrees({ op, digits, value: written }: DerivedValue, result: Ratio, value: Decimal): boolean {
  if (op === "round") return isRounding(result, digits ?? decimalsOf(written), value);
  const exact = exactly(result);
  if (exact !== null) return equals(exact, value);
  return (op === "ratio" || op === "percent") && isRounding(result, decimalsOf(written), value);
}

function isRounding(ratio: Ratio, places: number, value: Decimal): boolean {
  return roundings(ratio, places).some((rounded) => equals(rounded, value));
}

function decimalsOf(written: number | string): number {
  return Math.min(/\.(\d+)/.exec(String(written))?.[1]?.length ?? 0, 40);
}
