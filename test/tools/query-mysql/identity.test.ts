import { describe, expect, it } from "vitest";
import { sqlIdentity } from "../../../src/tools/query-mysql/validator.ts";
import { planOf, validator } from "./bookshop.ts";

const same = (a: string, b: string): boolean => planOf(a).fingerprint === planOf(b).fingerprint;
const covers = (sql: string) => {
  const result = validator.validate(sql);
  return result.kind === "allowed" ? result.covers : null;
};

describe("the fingerprint of a statement", () => {
  it("does not see case, spaces, comments, quotes of names, aliases, or the order of AND, OR and IN", () => {
    const plain = "SELECT id, title FROM books WHERE genre IN ('a', 'b') AND (stock = 1 OR price > 2)";
    for (const other of [
      "select `ID` , Title from `books` where (price > 2 or stock = 1) and genre in ('b','a','a') ;",
      "SELECT x.id AS one, x.title two FROM main_shop.books AS x WHERE x.genre IN ('b', 'a') AND (x.price > 2 OR x.stock = 1)",
      "SELECT id, title /* c */ FROM books # d\nWHERE genre IN (\"a\", 'b') AND (stock = 1 OR price > 2)",
    ]) {
      expect(same(plain, other), other).toBe(true);
    }
  });

  it("sees literals with their case, LIMIT, ORDER BY, columns and their order", () => {
    const plain = "SELECT id, title FROM books WHERE genre = 'a'";
    for (const other of [
      "SELECT id, title FROM books WHERE genre = 'A'",
      "SELECT id, title FROM books WHERE genre = 'a' LIMIT 3",
      "SELECT id, title FROM books WHERE genre = 'a' ORDER BY id",
      "SELECT title, id FROM books WHERE genre = 'a'",
      "SELECT id, title FROM books WHERE NOT genre = 'a'",
      "SELECT DISTINCT id, title FROM books WHERE genre = 'a'",
    ]) {
      expect(same(plain, other), other).toBe(false);
    }
    expect(
      same("SELECT id FROM books WHERE stock BETWEEN 1 AND 2", "SELECT id FROM books WHERE stock BETWEEN 2 AND 1"),
    ).toBe(false);
  });

  it("sees the datasource, and can be had without a policy", () => {
    const one = sqlIdentity("a", "SELECT x, t.Y FROM anything t WHERE z = 1 AND y = 2");
    expect(sqlIdentity("a", "select X , y from anything where y=2 and Z=1").fingerprint).toBe(one.fingerprint);
    expect(sqlIdentity("b", "SELECT x, y FROM anything WHERE z = 1 AND y = 2").fingerprint).not.toBe(one.fingerprint);
    expect(() => sqlIdentity("a", "DROP TABLE anything")).toThrowError(/Only one SELECT/);
  });
});

describe("what a statement speaks for", () => {
  it("has the conditions as filters, also those of inner joins, and the columns", () => {
    const wide = covers("SELECT b.id, s.total FROM books b JOIN sales s ON s.book_id = b.id WHERE b.stock > 1");
    const narrow = covers(
      "SELECT x.id FROM books x JOIN sales y ON y.book_id = x.id WHERE y.state = 'paid' AND x.stock > 1",
    );
    expect(wide?.family).toBe(narrow?.family);
    expect(narrow?.filters).toEqual(expect.arrayContaining([...(wide?.filters ?? ["none"])]));
    expect(wide?.columns).toEqual(expect.arrayContaining([...(narrow?.columns ?? ["none"])]));
    expect(wide?.maxAgeMs).toBe(60_000);
  });

  it("keeps outer joins, tables and datasources apart", () => {
    const families = [
      "SELECT b.id FROM books b",
      "SELECT s.id FROM sales s",
      "SELECT b.id FROM books b JOIN sales s ON s.book_id = b.id",
      "SELECT b.id FROM books b LEFT JOIN sales s ON s.book_id = b.id",
    ].map((sql) => covers(sql)?.family);
    expect(new Set(families).size).toBe(4);
  });

  it("is partial with LIMIT or DISTINCT", () => {
    expect(covers("SELECT id FROM books LIMIT 5")).toMatchObject({ partial: true });
    expect(covers("SELECT DISTINCT genre FROM books")).toMatchObject({ partial: true });
    expect(covers("SELECT id FROM books ORDER BY id")).not.toHaveProperty("partial");
  });

  it.each([
    "SELECT COUNT(*) FROM books",
    "SELECT genre FROM books GROUP BY genre",
    "SELECT ROW_NUMBER() OVER () FROM books",
    "SELECT id FROM books UNION SELECT id FROM sales",
    "SELECT id FROM books WHERE id IN (SELECT book_id FROM sales)",
    "WITH b AS (SELECT id FROM books) SELECT id FROM b",
    "SELECT id FROM sales WHERE sold_at > NOW() - INTERVAL 1 HOUR",
    "SELECT 1",
  ])("is nothing for %s", (sql) => {
    expect(covers(sql)).toBeNull();
  });
});
