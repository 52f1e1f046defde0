import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { check, newRedactor, redactText } from "./redactor.ts";

const folder = join(import.meta.dirname, "cases");

/** The cases of a file; its first lines say how they are written. */
function casesOf(file: string): readonly string[] {
  const lines = readFileSync(join(folder, file), "utf8").split("\n");
  return lines
    .filter((line) => line.trim() !== "" && !line.startsWith("# "))
    .map((line) => line.replaceAll("·", "").replaceAll("\\n", "\n").replaceAll("\\t", "\t").replaceAll("␤", "\\n"));
}

for (const file of readdirSync(folder)) {
  describe(file.replace(/-|\.txt$/g, " ").trim(), () => {
    it.each(casesOf(file))("%j", (marked) => {
      const { output, expected } = check(marked);
      expect(output).toMatch(expected);
      expect(redactText(output)).toBe(output);
      expect(newRedactor().leaks(output)).toBe(false);
    });
  });
}
