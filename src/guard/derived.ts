import type { DerivedValue } from "../model/draft.ts";
import { absolute, type Decimal, equals, parseDecimal, ZERO } from "./decimal.ts";
import { compute, declaredUnit, type Input, WHOLE } from "./derivation.ts";
import type { EvidenceNumber } from "./evidence.ts";
import { inBase, isCurrency, sameDimension, type Unit } from "./units.ts";

/** What the declared derivations of a claim amount to: numbers that its text may use, and whether all of them hold. */
export interface Derivations {
  readonly numbers: readonly EvidenceNumber[];
  readonly right: boolean;
}

/** Computes every derivation again, in order; a later one may use an earlier result. */
export function derive(declared: readonly DerivedValue[], evidence: readonly EvidenceNumber[]): Derivations {
  const numbers: EvidenceNumber[] = [];
  let right = true;
  for (const derivation of declared) {
    const value = readNumeral(derivation.value);
    const inputs = findInputs(derivation, [...evidence, ...numbers]);
    const computed = inputs === null ? { right: false, unit: null } : compute(derivation, inputs, value);
    if (!computed.right) right = false;
    const { unit } = computed;
    const money = unit !== null && isCurrency(unit);
    numbers.push({ value, unit: money ? null : unit, currency: money ? unit : null, directed: false, item: null });
  }
  return { numbers, right };
}

function readNumeral(value: number | string): Decimal {
  return parseDecimal(String(value)) ?? ZERO;
}

/** Each input must stand in a cited item or be an earlier result; null when one does not. */
function findInputs(derivation: DerivedValue, known: readonly EvidenceNumber[]): readonly Input[] | null {
  const result = declaredUnit(derivation.unit);
  const isAmount = derivation.op === "product" || derivation.op === "ratio";
  if (!isAmount || result === null || !isCurrency(result)) return findEach(derivation, result, known);
  const inputs = findEach(derivation, null, known);
  return inputs === null ? null : lendCurrency(derivation, inputs, result, known);
}

function findEach(
  { inputs, input_units }: DerivedValue,
  result: Unit | null,
  known: readonly EvidenceNumber[],
): readonly Input[] | null {
  const found: Input[] = [];
  for (const [i, given] of inputs.entries()) {
    const input = findInput(readNumeral(given), declaredUnit(input_units?.[i]), result, known);
    if (input === null) return null;
    found.push(input);
  }
  return found;
}

/** A price is multiplied by a count and a sum divided by one: of such inputs the first is money, unless another shows that it is. */
function lendCurrency(
  { input_units }: DerivedValue,
  inputs: readonly Input[],
  result: Unit,
  known: readonly EvidenceNumber[],
): readonly Input[] | null {
  const [first, ...others] = inputs;
  if (first === undefined || inputs.some(({ unit }) => unit !== null)) return inputs;
  const money = findInput(first.value, declaredUnit(input_units?.[0]), result, known);
  return money === null ? null : [money, ...others];
}

/**
 * Of the numbers of this value the one whose unit was declared, else one that has the dimension of the result, else any. The unit is
 * the one that stands there, whatever was declared: 8 beside no unit is not 8 hours.
 */
function findInput(
  value: Decimal,
  declared: Unit | null,
  result: Unit | null,
  known: readonly EvidenceNumber[],
): Input | null {
  const wanted = declared ?? result;
  const units = known.filter((shown) => equals(shown.value, value)).map((shown) => shownUnit(shown, wanted));
  if (declared === null) {
    const like = units.find((unit) => unit !== null && result !== null && sameDimension(unit, result));
    const [first] = units;
    return first === undefined ? null : { value, unit: like ?? first };
  }
  const same = units.some((unit) => unit !== null && isSame(unit, declared));
  if (same || known.some((shown) => converts(value, declared, shown))) return { value, unit: declared };
  if (!units.includes(null)) return null;
  return { value, unit: declared.dimension === "share" && isShare(declared, value) ? declared : null };
}

/** The unit beside a number; a currency may stand in another cell of its item, be it the one that is wanted or not. */
function shownUnit({ unit, currency, item }: EvidenceNumber, wanted: Unit | null): Unit | null {
  const own = unit ?? currency;
  if (own !== null || wanted === null || !isCurrency(wanted)) return own;
  const shown = item?.currencies ?? [];
  return shown.some((each) => sameDimension(each, wanted)) ? wanted : (shown[0] ?? null);
}

/** Parts of a whole are written without a unit; a whole number above one is a count. */
function isShare(declared: Unit, { digits, scale }: Decimal): boolean {
  return equals(declared.factor, WHOLE.factor) && (scale > 0 || digits === 0n || digits === 1n);
}

function isSame(a: Unit, b: Unit): boolean {
  return sameDimension(a, b) && equals(a.factor, b.factor);
}

/** 30 s is the same input as 30000 ms. */
function converts(value: Decimal, unit: Unit, shown: EvidenceNumber): boolean {
  if (shown.unit === null || !sameDimension(unit, shown.unit)) return false;
  return equals(inBase(value, unit), inBase(shown.value, shown.unit));
}

/** Whether a number of the text is a declared result, whatever became of its computation: it is reported once. */
export function isDeclared(value: Decimal, { numbers }: Derivations): boolean {
  return numbers.some((number) => equals(absolute(number.value), absolute(value)));
}
