import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  levelOfCoverage,
  lifted,
  lowerLevel,
  parseLevel,
  rankOfLevel,
} from "../../../src/tools/lookup-knowledge/relevance.ts";

describe("levelOfCoverage", () => {
  it("has a scale for each kind of script", () => {
    expect([0.3, 0.4, 0.5, 0.6].map((coverage) => levelOfCoverage(coverage, 0))).toEqual([
      null,
      "REFERENCE",
      "MEDIUM",
      "HIGH",
    ]);
    expect([0.2, 0.3, 0.4, 0.5].map((coverage) => levelOfCoverage(coverage, 1))).toEqual([
      null,
      "REFERENCE",
      "MEDIUM",
      "HIGH",
    ]);
  });

  it("never falls when more of the question is held, nor when more of it is unspaced", () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(unit, unit, unit, (a, b, share) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        expect(rankOfLevel(levelOfCoverage(more, share))).toBeGreaterThanOrEqual(
          rankOfLevel(levelOfCoverage(less, share)),
        );
        expect(rankOfLevel(levelOfCoverage(share, more))).toBeGreaterThanOrEqual(
          rankOfLevel(levelOfCoverage(share, less)),
        );
      }),
    );
  });
});

describe("levels", () => {
  it("are lifted one step", () => {
    expect([null, "REFERENCE", "MEDIUM", "HIGH"].map((level) => lifted(level as "HIGH" | null))).toEqual([
      "REFERENCE",
      "MEDIUM",
      "HIGH",
      "HIGH",
    ]);
  });

  it("are no more than a reference when unknown", () => {
    expect([undefined, null, 3, "", "CERTAIN", "low"].map(parseLevel)).toEqual(Array(6).fill("REFERENCE"));
    expect(parseLevel(" high ")).toBe("HIGH");
    expect(lowerLevel("HIGH", "MEDIUM")).toBe("MEDIUM");
  });
});
