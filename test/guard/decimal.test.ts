import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  add,
  decimal,
  divide,
  equals,
  exactly,
  multiply,
  negate,
  parseDecimal,
  roundings,
} from "../../src/guard/decimal.ts";

const anyDecimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, scale]) => decimal(digits, scale));

describe("decimals", () => {
  it.each([
    ["0.1", "0.10"],
    ["1e3", "1000"],
    ["-0", "0"],
    ["2.50e-1", "0.25"],
    ["900719925474099300", "9007199254740993e2"],
  ])("read %s and %s as one value", (a, b) => {
    expect(parseDecimal(a)).toEqual(parseDecimal(b));
  });

  it.each(["", ".", "1.", ".5", "1,000", "0x10", "NaN", "1e999", "1 2", "9".repeat(65)])("do not read %j", (text) => {
    expect(parseDecimal(text)).toBeNull();
  });

  it("add and take away without a rest", () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        expect(equals(add(add(a, b), negate(b)), a)).toBe(true);
      }),
    );
  });

  it("multiply and divide without a rest", () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        fc.pre(b.digits !== 0n);
        const quotient = divide(multiply(a, b), b);
        expect(quotient !== null && exactly(quotient)).toEqual(a);
      }),
    );
  });

  it("know a quotient that does not end", () => {
    const [one, three] = [decimal(1n, 0), decimal(3n, 0)];
    expect(exactly(divide(one, three) ?? { numerator: 1n, denominator: 1n })).toBeNull();
    expect(divide(one, decimal(0n, 0))).toBeNull();
  });

  it("round a tie both ways, and nothing else", () => {
    expect(roundings({ numerator: 25n, denominator: 10n }, 0)).toEqual([decimal(3n, 0), decimal(2n, 0)]);
    expect(roundings({ numerator: -25n, denominator: 10n }, 0)).toEqual([decimal(-3n, 0), decimal(-2n, 0)]);
    expect(roundings({ numerator: 26n, denominator: 10n }, 0)).toEqual([decimal(3n, 0), decimal(3n, 0)]);
  });
});
