import { describe, expect, it } from "vitest";
import { codeOf, validator } from "../bookshop.ts";

const HUGE: Readonly<Record<string, string>> = {
  parentheses: `SELECT ${"(".repeat(5_000)}1${")".repeat(5_000)}`,
  negations: `SELECT ${"NOT ".repeat(3_500)}1`,
  minuses: `SELECT ${"- ".repeat(3_500)}1`,
  subqueries: `${"SELECT * FROM (".repeat(900)}SELECT 1 AS a${") t".repeat(900)}`,
  calls: `SELECT ${"ABS(".repeat(1_900)}1${")".repeat(1_900)}`,
  cases: `SELECT ${"CASE WHEN 1 THEN ".repeat(500)}1${" END".repeat(500)}`,
  betweens: `SELECT 1 FROM books WHERE id${" BETWEEN 1 AND id".repeat(800)}`,
  "conditions joined by OR": `SELECT id FROM books WHERE ${Array(501).fill("id = 1").join(" OR ")}`,
  summands: `SELECT ${Array(501).fill("1").join(" + ")}`,
  intervals: `SELECT added_on${" + INTERVAL 1 DAY".repeat(40)} FROM books`,
  comparisons: `SELECT 1${" = 1".repeat(40)}`,
  "items of IN": `SELECT id FROM books WHERE id IN (${Array(501).fill("1").join(",")})`,
  "select items": `SELECT ${Array(201).fill("id").join(",")} FROM books`,
  "output columns": `SELECT ${Array(80).fill("b.*").join(",")} FROM books b`,
  "set operations": Array(9).fill("SELECT 1").join(" UNION "),
  "tables in one FROM": `SELECT 1 FROM ${Array.from({ length: 9 }, (_, i) => `books b${i}`).join(", ")}`,
  "tables in all": `SELECT 1 FROM books${" WHERE id IN (SELECT id FROM books".repeat(17)}${")".repeat(17)}`,
  "tables side by side": `SELECT ${Array(17).fill("(SELECT 1 FROM books)").join(", ")}`,
  "qualified names": `SELECT ${"a.".repeat(3_000)}b`,
  words: `SELECT ${"a ".repeat(4_100)}`,
};

describe("limits of a statement", () => {
  it.each(Object.entries(HUGE))("refuses too many %s as too complex", (_, sql) => {
    expect(codeOf(sql)).toBe("SQL_TOO_COMPLEX");
  });

  it("refuses more bytes than the policy allows, counted as UTF-8", () => {
    expect(codeOf(`SELECT '${"a".repeat(16_400)}'`)).toBe("SQL_TOO_LARGE");
    expect(codeOf(`SELECT '${"字".repeat(6_000)}'`)).toBe("SQL_TOO_LARGE");
    expect(codeOf(`SELECT '${"字".repeat(5_000)}'`)).toBe("ALLOW");
  });

  it("allows what stays within the limits", () => {
    expect(codeOf(`SELECT id FROM books WHERE ${Array(500).fill("id = 1").join(" OR ")}`)).toBe("ALLOW");
    expect(codeOf(`SELECT ${"(".repeat(25)}1${")".repeat(25)}`)).toBe("ALLOW");
    expect(codeOf(`SELECT id FROM books WHERE id IN (${Array(500).fill("1").join(",")})`)).toBe("ALLOW");
  });

  it("goes on working after each of them", () => {
    for (const sql of Object.values(HUGE)) expect(codeOf(sql)).not.toBe("ALLOW");
    expect(validator.validate("SELECT id FROM books").kind).toBe("allowed");
  });
});
