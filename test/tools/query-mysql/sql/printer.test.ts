import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MysqlQueryPlan } from "../../../../src/tools/query-mysql/plan.ts";
import { planOf } from "../bookshop.ts";
import { quoteString, statements } from "./statements.ts";

/** The printed statement with its parameters written in again. */
function written({ sql, params }: MysqlQueryPlan): string {
  const parts = sql.split("?");
  expect(parts).toHaveLength(params.length + 1);
  return parts.reduce((text, part, i) => text + quoteString(params[i - 1] ?? "") + part);
}

describe("printStatement", () => {
  it("prints what, read again, prints the same", () => {
    fc.assert(
      fc.property(statements, (sql) => {
        const plan = planOf(sql);
        const again = planOf(written(plan));
        expect([again.sql, again.params]).toEqual([plan.sql, plan.params]);
      }),
    );
  });

  it.each([
    "WITH a AS (SELECT 'x' AS k, title FROM books WHERE genre = 'y') SELECT k, 'z' FROM a WHERE title = 'w' UNION ALL SELECT 'p', 'q' ORDER BY k LIMIT 3",
    "SELECT IF(genre = 'a', 'b', 'c') AS g, COUNT(*) FROM books WHERE title <> 'd' GROUP BY g HAVING g > 'e' ORDER BY g = 'f'",
    "SELECT TRIM(BOTH 'x' FROM CONCAT(title, 'y')) FROM books b LEFT JOIN sales s ON s.state = 'z' WHERE 'w' IN (SELECT 'v')",
    "SELECT LAG(title, 1, 'none') OVER (PARTITION BY CONCAT(genre, 'p') ORDER BY IFNULL(title, 'o')) FROM books ORDER BY 'x', id",
  ])("takes parameters in the order of the text: %s", (sql) => {
    const plan = planOf(sql);
    expect(planOf(written(plan)).sql).toBe(plan.sql);
    expect(planOf(written(plan)).params).toEqual(plan.params);
  });

  it("lets no character of a string, name or alias into the text as it is", () => {
    const nasty = fc.array(fc.constantFrom(..."'\"`\\-/*;#?()"), { minLength: 1, maxLength: 8 }).map((c) => c.join(""));
    fc.assert(
      fc.property(nasty, nasty, (text, alias) => {
        const name = `\`${alias.replaceAll("`", "``")}\``;
        const { sql, params, columns } = planOf(
          `SELECT ${quoteString(text)} AS ${name} FROM books WHERE title = ${quoteString(text)} ORDER BY ${name}`,
        );
        const hex = Buffer.from(text).toString("hex");
        const from = "FROM `main_shop`.`books` AS `t1` WHERE (`t1`.`title` = ?)";
        expect(sql).toBe(`SELECT _utf8mb4 X'${hex}' AS \`c1\` ${from} ORDER BY \`c1\` LIMIT 21`);
        expect(params).toEqual([text]);
        expect(columns[0]?.name).toBe(alias);
      }),
    );
  });

  it("makes a parameter of a string that is compared, unless a server has to see that two of them are equal", () => {
    const { sql, params } = planOf("SELECT genre = '-' FROM books WHERE title = 'x' GROUP BY genre");
    expect(sql).toContain("(`t1`.`genre` = _utf8mb4 X'2d')");
    expect(params).toEqual(["x"]);
  });

  it("writes a string into the text where a server would give a parameter another type", () => {
    expect(planOf("SELECT id FROM sales WHERE state = 'a' AND LOWER(state) IN ('b', 'c')").params).toEqual([
      "a",
      "b",
      "c",
    ]);
    for (const sql of [
      "SELECT DATE_FORMAT(sold_at, '%Y') FROM sales",
      "SELECT 'a' IN ('b', 3)",
      "SELECT id FROM sales WHERE total IN ('1', 2)",
    ]) {
      expect(planOf(sql).params, sql).toEqual([]);
    }
  });

  it("prints a repeated expression of GROUP BY and ORDER BY as the column that it is", () => {
    const { sql } = planOf(
      "SELECT DATE_FORMAT(sold_at, '%Y') AS y, COUNT(*) FROM sales GROUP BY DATE_FORMAT(sold_at, '%Y') ORDER BY DATE_FORMAT(sold_at, '%Y')",
    );
    expect(sql).toContain("GROUP BY `c1` ORDER BY `c1`");
  });

  it("asks for one row more than may be shown, and for no more than the statement wants", () => {
    expect(planOf("SELECT id FROM books").sql).toMatch(/ LIMIT 21$/);
    expect(planOf("SELECT id FROM books LIMIT 18446744073709551615").sql).toMatch(/ LIMIT 21$/);
    expect(planOf("SELECT id FROM books LIMIT 2, 5").sql).toMatch(/ LIMIT 5 OFFSET 2$/);
    expect(planOf("(SELECT id FROM books LIMIT 99) ORDER BY id").sql).toMatch(/ LIMIT 21$/);
  });

  it("keeps two signs apart", () => {
    expect(planOf("SELECT - -2, 5--3").sql).toBe("SELECT (- (- 2)) AS `c1`, (5 - (- 3)) AS `c2` LIMIT 21");
  });

  it("drops hints and comments", () => {
    expect(planOf("SELECT id /* a */ FROM books FORCE INDEX (x) -- b").sql).toBe(
      "SELECT `t1`.`id` AS `c1` FROM `main_shop`.`books` AS `t1` LIMIT 21",
    );
  });
});
