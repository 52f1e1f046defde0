import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const FOLDER = resolve(import.meta.dirname, "../../../fixtures/query-mysql/judge");

/** Statements over the judge's tables, one a line: honest ones, honest ones that look hostile, hostile ones. */
export function corpus(name: "legit" | "near-hostile" | "hostile"): readonly string[] {
  return readFileSync(join(FOLDER, `${name}.sql`), "utf8")
    .split("\n")
    .filter(Boolean);
}
