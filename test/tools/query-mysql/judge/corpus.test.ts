import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Judge } from "./judge.ts";

const FOLDER = resolve(import.meta.dirname, "../../../fixtures/query-mysql/judge");
const linesOf = (name: string): readonly string[] =>
  readFileSync(join(FOLDER, name), "utf8").split("\n").filter(Boolean);

let judge: Judge;
beforeAll(async () => {
  judge = await Judge.open();
});
afterAll(() => judge.close());

/** A star over a table with hidden columns stands for fewer columns here than for an administrator. */
const hasStar = (sql: string): boolean => /(?<!COUNT\()\*(?=\s+FROM|,)|\w\.\*/.test(sql);
const isOrdered = (sql: string): boolean => /ORDER BY (?:(?!\)).)*$/.test(sql);

describe.each(["legit.sql", "near-hostile.sql"])("the statements of %s", (name) => {
  it("are accepted, run with the rights of the policy and give the rows that the text itself gives", async () => {
    const wrong: string[] = [];
    for (const sql of linesOf(name)) {
      const verdict = await (hasStar(sql)
        ? judge.judgeStar(sql, isOrdered(sql))
        : judge.judge(sql, sql, isOrdered(sql)));
      if (verdict.outcome !== "equal") wrong.push(`${verdict.outcome} ${verdict.code}: ${verdict.detail}\n${sql}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("the statements of hostile.sql", () => {
  it("are all refused", () => {
    const accepted = linesOf("hostile.sql").filter((sql) => judge.validator.validate(sql).kind === "allowed");
    expect(accepted).toEqual([]);
  });
});
