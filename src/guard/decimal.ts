/** An exact decimal: `digits` × 10^-`scale`, without superfluous zeros, so that equal values have equal parts. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
/** Longer numerals are names, not quantities. */
const MAX_LENGTH = 64;
const MAX_EXPONENT = 64;

export const ZERO: Decimal = { digits: 0n, scale: 0 };

/** Reads a plain decimal or one with an exponent; null for any other text. */
export function parseDecimal(text: string): Decimal | null {
  const match = text.length <= MAX_LENGTH ? DECIMAL.exec(text) : null;
  if (match === null) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > MAX_EXPONENT) return null;
  const digits = BigInt(whole + fraction);
  return decimal(sign === "-" ? -digits : digits, fraction.length - shift);
}

export function decimal(digits: bigint, scale: number): Decimal {
  if (digits === 0n) return ZERO;
  let [value, places] = scale < 0 ? [digits * 10n ** BigInt(-scale), 0] : [digits, scale];
  while (places > 0 && value % 10n === 0n) {
    value /= 10n;
    places--;
  }
  return { digits: value, scale: places };
}

export function equals(a: Decimal, b: Decimal): boolean {
  return a.digits === b.digits && a.scale === b.scale;
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return decimal(a.digits * b.digits, a.scale + b.scale);
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return decimal(unscaled(a, scale) + unscaled(b, scale), scale);
}

export function negate(a: Decimal): Decimal {
  return { digits: -a.digits, scale: a.scale };
}

export function absolute(a: Decimal): Decimal {
  return a.digits < 0n ? negate(a) : a;
}

function unscaled(a: Decimal, scale: number): bigint {
  return a.digits * 10n ** BigInt(scale - a.scale);
}

/** A quotient that may not end. The denominator is positive. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Null when divided by zero. */
export function divide(a: Decimal, b: Decimal): Ratio | null {
  if (b.digits === 0n) return null;
  const scale = Math.max(a.scale, b.scale);
  const [numerator, denominator] = [unscaled(a, scale), unscaled(b, scale)];
  return denominator < 0n ? { numerator: -numerator, denominator: -denominator } : { numerator, denominator };
}

/** The value as a decimal, or null where it does not end. */
export function exactly({ numerator, denominator }: Ratio): Decimal | null {
  const common = greatestDivisor(numerator < 0n ? -numerator : numerator, denominator);
  let rest = denominator / common;
  let places = 0;
  for (const factor of [2n, 5n]) {
    let times = 0;
    for (; rest % factor === 0n; times++) rest /= factor;
    places = Math.max(places, times);
  }
  if (rest !== 1n) return null;
  return decimal((numerator * 10n ** BigInt(places)) / denominator, places);
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}

/** Both usual roundings to `places` decimals: half away from zero, and half to even. They differ only at a tie. */
export function roundings({ numerator, denominator }: Ratio, places: number): readonly [Decimal, Decimal] {
  const negative = numerator < 0n;
  const scaled = (negative ? -numerator : numerator) * 10n ** BigInt(places);
  const floor = scaled / denominator;
  const twice = (scaled % denominator) * 2n;
  const up = floor + 1n;
  const tie = twice === denominator;
  const halfUp = twice >= denominator ? up : floor;
  const halfEven = tie && floor % 2n === 0n ? floor : halfUp;
  const signed = (digits: bigint): Decimal => decimal(negative ? -digits : digits, places);
  return [signed(halfUp), signed(halfEven)];
}
