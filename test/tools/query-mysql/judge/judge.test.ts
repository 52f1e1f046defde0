import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateStatement } from "./generated-query.ts";
import { Judge } from "./judge.ts";

const SAMPLE = 3_000;
/** A longer search: `SQL_JUDGE_STATEMENTS=50000 npx vitest run test/tools/query-mysql/judge`. */
const COUNT = Number(process.env["SQL_JUDGE_STATEMENTS"] ?? SAMPLE);
const FIRST_SEED = Number(process.env["SQL_JUDGE_SEED"] ?? "1");

let judge: Judge;
beforeAll(async () => {
  judge = await Judge.open();
});
afterAll(() => judge.close());

describe("generated statements", () => {
  it("give the rows that an administrator gets, under the rights of the policy, whatever is held back", async () => {
    const outcomes: Record<string, number> = {};
    const wrong: string[] = [];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + COUNT; seed++) {
      const { sql, reference, ordered } = generateStatement(seed, judge.schema);
      const { outcome, code, detail } = await judge.judge(sql, reference, ordered);
      const key = code === "" ? outcome : `${outcome} ${code}`;
      outcomes[key] = (outcomes[key] ?? 0) + 1;
      if (outcome === "wrong") wrong.push(`seed ${seed}: ${code}: ${detail}\n${sql}`);
    }
    // a long search is run by a person, who wants to know what was searched
    if (COUNT !== SAMPLE) process.stdout.write(`${JSON.stringify(outcomes)}\n`);
    expect(wrong.slice(0, Number(process.env["SQL_JUDGE_SHOW"] ?? "5")), JSON.stringify(outcomes)).toEqual([]);
    expect(outcomes["stricter"] ?? 0).toBeLessThanOrEqual(COUNT / 1_000);
    expect(outcomes["equal"] ?? 0).toBeGreaterThan(COUNT * 0.6);
  }, 3_600_000);
});
