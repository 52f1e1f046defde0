import { describe, expect, it } from "vitest";
import { codeOf, planOf } from "../bookshop.ts";

const RECURSIVE = "WITH RECURSIVE m AS (SELECT 1 AS j UNION ALL SELECT j + 1 FROM m WHERE j < 3) SELECT j FROM m";
const names = (sql: string): readonly string[] => planOf(sql).columns.map(({ name }) => name);

describe("rules of names", () => {
  it.each([
    ["SQL_AMBIGUOUS", "SELECT t.a FROM (SELECT 1 AS a, 2 AS a) t"],
    ["SQL_SYNTAX", "SELECT 1 FROM (SELECT 1 AS a) t (x, y)"],
    ["SQL_COLUMN", "SELECT main_shop.b.id FROM books b"],
    ["SQL_TABLE", "SELECT 1 FROM main_shop.books.id"],
    ["SQL_COLUMN", "SELECT 1 FROM books b WHERE EXISTS (SELECT 1 FROM (SELECT b.id) t)"],
    ["SQL_COLUMN", "SELECT (WITH x AS (SELECT b.id AS i) SELECT i FROM x) FROM books b"],
    ["SQL_AMBIGUOUS", "SELECT 1 FROM books b JOIN sales s ON 1 JOIN customers c USING (id)"],
    ["SQL_COLUMN", "SELECT UPPER(title) FROM books ORDER BY upper"],
    ["SQL_AMBIGUOUS", "WITH a AS (SELECT 1), a AS (SELECT 2) SELECT 1"],
    ["SQL_SYNTAX", "WITH t (a, b) AS (SELECT 1) SELECT 1"],
    ["SQL_CLAUSE", "WITH RECURSIVE n AS (SELECT i FROM n UNION ALL SELECT 1 AS i) SELECT i FROM n"],
    [
      "SQL_TOO_COMPLEX",
      `WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT n.i + 1 FROM n JOIN (${RECURSIVE}) x ON x.j = n.i WHERE n.i < 3) SELECT i FROM n`,
    ],
    ["SQL_FUNCTION", "SELECT REPEAT('a', 1001)"],
    ["SQL_LITERAL", `SELECT id FROM books WHERE title REGEXP '${"a".repeat(201)}'`],
    ["SQL_SYNTAX", `SELECT JSON_EXTRACT(attrs, '$.a' FROM books`],
  ])("answers %s to %s", (code, sql) => {
    expect(codeOf(sql)).toBe(code);
  });

  it("takes the columns of a right join over USING from its right side, and shows that side first", () => {
    expect(planOf("SELECT id FROM books b RIGHT JOIN sales s USING (id)").sql).toContain("SELECT `t2`.`id` AS `c1`");
    const sides = "(SELECT id, title FROM books) b RIGHT JOIN (SELECT id, state FROM sales) s USING (id)";
    expect(names(`SELECT * FROM ${sides}`)).toEqual(["id", "state", "title"]);
    expect(names("SELECT * FROM (SELECT 1 AS a) x NATURAL RIGHT JOIN (SELECT 2 AS b) y")).toEqual(["b", "a"]);
  });

  it("follows values through JSON_TABLE and through all parts of a set operation", () => {
    const json = "SELECT t.tag FROM books b, JSON_TABLE(b.attrs, '$.tags[*]' COLUMNS (tag VARCHAR(20) PATH '$')) t";
    expect(planOf(json).columns[0]?.lineage).toEqual(["main_shop.books.attrs"]);
    const union = "SELECT id FROM books UNION ALL SELECT book_id FROM sales";
    expect(planOf(union).columns[0]?.lineage).toEqual(["main_shop.books.id", "main_shop.sales.book_id"]);
  });
});
