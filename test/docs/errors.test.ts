import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { BOUNDARY_ERROR_CODES, BOUNDARY_ERRORS } from "../../src/model/errors.ts";
import { GUARD_CODES, GUARD_FINDINGS } from "../../src/model/verdict.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/errors.md"), "utf8");

/** Cells of the rows of one table of the page. */
function rowsOf(name: string): string[][] {
  const block = new RegExp(`<!-- ${name} -->([\\s\\S]*?)<!-- end -->`).exec(page)?.[1] ?? "";
  const lines = block.split("\n").filter((line) => line.startsWith("| `"));
  return lines.map((line) => line.slice(2, -2).split(" | "));
}

describe("docs/errors.md", () => {
  it("names every code of the boundary with its outcome and sentence, and no other", () => {
    const expected = BOUNDARY_ERROR_CODES.map((code) => {
      const { outcome, transient, sentence } = BOUNDARY_ERRORS[code];
      return [`\`${code}\``, outcome, transient ? "yes" : "no", sentence];
    });
    expect(rowsOf("boundary")).toEqual(expected);
  });

  it("names every finding of the guard, and no other", () => {
    const expected = GUARD_CODES.map((code) => {
      const { severity, en, zh } = GUARD_FINDINGS[code];
      return [`\`${code}\``, severity, en, zh];
    });
    expect(rowsOf("guard")).toEqual(expected);
  });
});
