import { describe, expect, it } from "vitest";
import type { MysqlQueryPlan } from "../../../../src/tools/query-mysql/plan.ts";
import { planOf } from "../bookshop.ts";
import { quoteText } from "./generated-expression.ts";
import { generateStatement } from "./generated-query.ts";
import { worldPolicy, worldValidator } from "./world.ts";

const SEEDS = 1_500;

/** The printed statement with its parameters written in again. */
function written({ sql, params }: MysqlQueryPlan): string {
  const parts = sql.split("?");
  expect(parts).toHaveLength(params.length + 1);
  return parts.reduce((text, part, i) => text + quoteText(params[i - 1] ?? "") + part);
}

describe("a printed statement", () => {
  it("is read as the tree that it was printed from", () => {
    const validator = worldValidator(worldPolicy("w"));
    let accepted = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { sql } = generateStatement(seed, "w");
      if (validator.validate(sql).kind === "rejected") continue;
      const plan = planOf(sql, validator);
      const again = planOf(written(plan), validator);
      const third = planOf(written(again), validator);
      // a set operation inside of another is printed as a derived table, and is one from then on
      const unwrapped = plan.sql.includes("`s1`") ? again : plan;
      expect([third.sql, third.params], sql).toEqual([unwrapped.sql, unwrapped.params]);
      expect(third.fingerprint, sql).toBe(again.fingerprint);
      expect(
        again.columns.map(({ name: _, ...rest }) => rest),
        sql,
      ).toEqual(plan.columns.map(({ name: _, ...rest }) => rest));
      accepted++;
    }
    expect(accepted).toBeGreaterThan(SEEDS * 0.7);
  });
});
