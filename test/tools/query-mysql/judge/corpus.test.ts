import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { corpus } from "./corpus.ts";
import { Judge } from "./judge.ts";

let judge: Judge;
beforeAll(async () => {
  judge = await Judge.open();
});
afterAll(() => judge.close());

/** A star over a table with hidden columns stands for fewer columns here than for an administrator. */
const hasStar = (sql: string): boolean => /(?<!COUNT\()\*(?=\s+FROM|,)|\w\.\*/.test(sql);
const isOrdered = (sql: string): boolean => /ORDER BY (?:(?!\)).)*$/.test(sql);

describe.each(["legit", "near-hostile"] as const)("the statements of %s.sql", (name) => {
  it("are accepted, run with the rights of the policy and give the rows that the text itself gives", async () => {
    const wrong: string[] = [];
    for (const sql of corpus(name)) {
      const verdict = await (hasStar(sql)
        ? judge.judgeStar(sql, isOrdered(sql))
        : judge.judge(sql, sql, isOrdered(sql)));
      if (verdict.outcome !== "equal") wrong.push(`${verdict.outcome} ${verdict.code}: ${verdict.detail}\n${sql}`);
    }
    expect(wrong).toEqual([]);
  });
});
