import type { DerivedValue } from "../model/draft.ts";
import {
  absolute,
  add,
  type Decimal,
  divide,
  equals,
  exactly,
  multiply,
  negate,
  parseDecimal,
  type Ratio,
  ratioOf,
  roundings,
  ZERO,
} from "./decimal.ts";
import type { EvidenceNumber } from "./evidence.ts";
import { findUnit, inBase, isCurrency, sameDimension, type Unit } from "./units.ts";

/** What the declared derivations of a claim amount to: numbers that its text may use, and whether all of them hold. */
export interface Derivations {
  readonly numbers: readonly EvidenceNumber[];
  readonly right: boolean;
}

/** An input as it was found: its value, and the unit it has there. */
interface Input {
  readonly value: Decimal;
  readonly unit: Unit | null;
}

/** Computes every derivation again, in order; a later one may use an earlier result. */
export function derive(declared: readonly DerivedValue[], evidence: readonly EvidenceNumber[]): Derivations {
  const numbers: EvidenceNumber[] = [];
  let right = true;
  for (const derivation of declared) {
    const value = readNumeral(derivation.value);
    const inputs = findInputs(derivation, [...evidence, ...numbers]);
    if (inputs === null || !holds(derivation, inputs, value)) right = false;
    const unit = resultUnit(derivation, inputs ?? []);
    const money = unit !== null && isCurrency(unit);
    numbers.push({ value, unit: money ? null : unit, currency: money ? unit : null, directed: false, item: null });
  }
  return { numbers, right };
}

function readNumeral(value: number | string): Decimal {
  return parseDecimal(String(value)) ?? ZERO;
}

/** A unit that says of a number that it is a part of one. */
const WHOLE = new Set(["", "1", "ratio", "fraction", "share", "比例", "比率"]);

function declaredUnit(name: string | undefined): Unit | null | undefined {
  if (name === undefined) return undefined;
  if (WHOLE.has(name.trim())) return { dimension: "share", factor: { digits: 1n, scale: 0 } };
  return findUnit(name.trim().normalize("NFKC"));
}

/** Each input must stand in a cited item or be an earlier result; null when one does not. */
function findInputs({ inputs, input_units }: DerivedValue, known: readonly EvidenceNumber[]): readonly Input[] | null {
  const found: Input[] = [];
  for (const [i, given] of inputs.entries()) {
    const value = readNumeral(given);
    const unit = declaredUnit(input_units?.[i]);
    const match =
      known.find((shown) => equals(shown.value, value) && unitFits(unit, shown)) ??
      known.find((shown) => converts(value, unit, shown));
    if (match === undefined) return null;
    found.push({ value, unit: unit ?? match.unit ?? match.currency });
  }
  return found;
}

function unitFits(declared: Unit | null | undefined, { unit, currency }: EvidenceNumber): boolean {
  const shown = unit ?? currency;
  if (declared === undefined || declared === null || shown === null) return true;
  return sameDimension(declared, shown) && equals(declared.factor, shown.factor);
}

/** 30 s is the same input as 30000 ms. */
function converts(value: Decimal, unit: Unit | null | undefined, shown: EvidenceNumber): boolean {
  if (unit === undefined || unit === null || shown.unit === null || !sameDimension(unit, shown.unit)) return false;
  return equals(inBase(value, unit), inBase(shown.value, shown.unit));
}

function holds(derivation: DerivedValue, inputs: readonly Input[], value: Decimal): boolean {
  switch (derivation.op) {
    case "sum":
    case "difference":
      return isTotal(derivation, inputs, value);
    case "product":
      return inputs.length > 0 && equals(inputs.map((input) => input.value).reduce(multiply), value);
    case "ratio":
    case "percent":
      return isQuotient(derivation, inputs, value);
    case "convert":
      return isConversion(derivation, inputs, value);
    case "round":
      return isRounded(derivation, inputs, value);
  }
}

/** Units that differ are brought to one before they are added. */
function isTotal({ op, unit }: DerivedValue, inputs: readonly Input[], value: Decimal): boolean {
  if (inputs.length === 0 || (op === "difference" && inputs.length !== 2)) return false;
  const units = inputs.map((input) => input.unit);
  const result = declaredUnit(unit) ?? units[0] ?? null;
  const shared = result !== null && units.every((own) => own !== null && sameDimension(own, result));
  if (result !== null && !shared && units.some((own) => own !== null && !sameDimension(own, result))) return false;
  const parts = inputs.map((input) => (shared ? inBase(input.value, input.unit) : input.value));
  const total = parts.reduce((sum, part) => add(sum, op === "difference" ? negate(part) : part));
  return equals(total, shared ? inBase(value, result) : value);
}

/** A quotient that does not end is compared at the decimals that the claim writes. */
function isQuotient({ op, value: written }: DerivedValue, inputs: readonly Input[], value: Decimal): boolean {
  const [a, b] = inputs;
  if (a === undefined || b === undefined || inputs.length !== 2) return false;
  const shared = a.unit !== null && b.unit !== null && sameDimension(a.unit, b.unit);
  const [over, under] = shared ? [inBase(a.value, a.unit), inBase(b.value, b.unit)] : [a.value, b.value];
  const quotient = divide(op === "percent" ? multiply(over, { digits: 100n, scale: 0 }) : over, under);
  if (quotient === null) return false;
  const exact = exactly(quotient);
  return exact === null ? isRounding(quotient, decimalsOf(written), value) : equals(exact, value);
}

function isRounding(ratio: Ratio, places: number, value: Decimal): boolean {
  return roundings(ratio, places).some((rounded) => equals(rounded, value));
}

function decimalsOf(written: number | string): number {
  return Math.min(/\.(\d+)/.exec(String(written))?.[1]?.length ?? 0, 40);
}

function isConversion({ unit, input_units }: DerivedValue, inputs: readonly Input[], value: Decimal): boolean {
  const [input] = inputs;
  const [from, to] = [declaredUnit(input_units?.[0]) ?? input?.unit ?? null, declaredUnit(unit) ?? null];
  if (input === undefined || inputs.length !== 1 || from === null || to === null || !sameDimension(from, to))
    return false;
  return equals(inBase(input.value, from), inBase(value, to));
}

function isRounded({ digits, value: written }: DerivedValue, inputs: readonly Input[], value: Decimal): boolean {
  const [input] = inputs;
  if (input === undefined || inputs.length !== 1) return false;
  return isRounding(ratioOf(input.value), digits ?? decimalsOf(written), value);
}

function resultUnit({ op, unit }: DerivedValue, inputs: readonly Input[]): Unit | null {
  const declared = declaredUnit(unit);
  if (declared !== undefined && declared !== null) return declared;
  if (op === "percent") return findUnit("%");
  if (op === "ratio" || op === "product" || op === "convert") return null;
  const [first] = inputs;
  const same = inputs.every(
    (input) => input.unit !== null && first?.unit != null && sameDimension(input.unit, first.unit),
  );
  return same ? (first?.unit ?? null) : null;
}

/** Whether a number of the text is a declared result, whatever became of its computation: it is reported once. */
export function isDeclared(value: Decimal, { numbers }: Derivations): boolean {
  return numbers.some((number) => equals(absolute(number.value), absolute(value)));
}
