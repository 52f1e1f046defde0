import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/boundary/limits.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/scaling.md"), "utf8");
const number = (text: string): number => Number(text.replaceAll(",", "").replace(/[^\d.].*$/, ""));
const measured = (what: string): number => {
  const [, value = ""] = new RegExp(`^\\| ${what}[^|]*\\| ([^|]+) \\|`, "m").exec(page) ?? [];
  expect(value, what).not.toBe("");
  return number(value);
};
const needs = [...page.matchAll(/^\| (1,000|10,000|100,000) \| (.+) \|$/gm)].map(([, calls = "", rest = ""]) => ({
  calls: number(calls),
  cells: rest.split(" | ").map(number),
}));

const SERVER_GB = 64;
const DAY = 86_400;

describe("docs/scaling.md", () => {
  it("has a row for each load", () => {
    expect(needs.map(({ calls }) => calls)).toEqual([1_000, 10_000, 100_000]);
  });

  it.each(needs)("calculates what $calls calls a second need from what was measured", ({ calls, cells }) => {
    const keptSeconds = DEFAULT_LIMITS.recordTtlMs / 1_000;
    const memory = (calls * keptSeconds * measured("kept in Redis")) / 1e6;
    const rows = calls * DAY;
    expect(cells).toEqual([
      Math.ceil((calls * measured("CPU of the calling process")) / 1e6 / 0.5),
      Math.ceil((calls * measured("CPU of Redis")) / 1e6 / 0.5),
      Math.round(memory),
      Math.ceil(memory / SERVER_GB),
      Math.round(rows / 1e6),
      Math.round((rows * measured("a row of the audit")) / 1e9),
      Math.ceil(calls / measured("rows of the audit that one drainer")),
    ]);
  });
});
