import { describe, expect, it } from "vitest";
import { codeOf } from "../bookshop.ts";
import { corpus } from "./corpus.ts";
import { worldPolicy, worldValidator } from "./world.ts";

const validator = worldValidator(worldPolicy("w"));
const answers = (statements: readonly string[]): readonly string[] =>
  statements.map((sql) => `${codeOf(sql, validator)} ${sql}`);

describe("the validator", () => {
  it("refuses every hostile statement", () => {
    expect(answers(corpus("hostile")).filter((answer) => answer.startsWith("ALLOW"))).toEqual([]);
  });

  it("accepts every honest statement, also where it looks hostile", () => {
    const honest = [...corpus("legit"), ...corpus("near-hostile")];
    expect(answers(honest).filter((answer) => !answer.startsWith("ALLOW"))).toEqual([]);
  });

  it.each([
    ["SQL_CHARACTER", "SELECT id\u00a0FROM services"],
    ["SQL_CHARACTER", "SELECT id\u3000FROM services"],
    ["SQL_CHARACTER", "SELECT\u200b id FROM services"],
    ["SQL_CHARACTER", "\ufeffSELECT 1"],
    ["SQL_CHARACTER", "SELECT 1\u0000"],
    ["SQL_CHARACTER", "SELECT '\u0000'"],
    ["SQL_CHARACTER", "SELECT 1 \u000b FROM services"],
    ["SQL_CHARACTER", "SELECT 1 \u000c FROM services"],
    ["SQL_CHARACTER", "SELECT '\ud83d'"],
    ["SQL_CHARACTER", "SELECT 1 \u2028 FROM services"],
    ["SQL_CHARACTER", "SELECT 1 AS `a\u202eb`"],
    ["SQL_CHARACTER", "SELECT \u201ctoken\u201d"],
    ["SQL_CHARACTER", "SELECT 1 \uff0c 2"],
    ["SQL_CHARACTER", "SELECT 1\uff1b SELECT 2"],
    ["SQL_LEXICAL", "SELECT id FROM services -- x\rUNION SELECT token FROM services"],
    ["SQL_LEXICAL", "SELECT id FROM services # x\rUNION SELECT token FROM services"],
    ["SQL_STATEMENT", "SELECT id FROM services; -- x\nDROP TABLE services"],
    ["SQL_COLUMN", "SELECT id FROM services -- x\nWHERE token = 'a'"],
    ["SQL_COLUMN", "SELECT id FROM services -- x\r\nORDER BY token"],
    ["SQL_COLUMN", "SELECT\tid,\ttoken\nFROM services"],
  ])("answers %s to %j", (code, sql) => {
    expect(codeOf(sql, validator)).toBe(code);
  });

  it("refuses statements that are made to be long or deep, and goes on working", () => {
    const many = (text: string, times: number, between = ""): string => Array(times).fill(text).join(between);
    const bombs = [
      `SELECT ${many("1", 600, "|")}`,
      `SELECT ${many("~", 3_000)}1`,
      `SELECT ${many("!", 3_000)}1`,
      `SELECT ${many("BINARY ", 1_500)}'a'`,
      `SELECT ${many("+", 3_000)}1`,
      `SELECT id FROM services WHERE id IN (${many("(SELECT 1)", 600, ",")})`,
      `SELECT id FROM services WHERE ${many("id IN (1) AND ", 800)}1`,
      `SELECT ${many("CAST(", 900)}1${many(" AS CHAR)", 900)}`,
      `SELECT ${many("(SELECT ", 900)}1${many(")", 900)}`,
      `SELECT ${many("CASE 1 WHEN 1 THEN ", 300)}1${many(" END", 300)}`,
      `SELECT CASE ${many("WHEN 1 THEN 1 ", 400)}END`,
      `SELECT CONCAT(${many("'a'", 700, ",")})`,
      `SELECT ${many("'a' ", 900)}`,
      `SELECT * FROM ${many("services", 17, ", ")}`,
      `SELECT * FROM services s0 ${Array.from({ length: 17 }, (_, i) => `JOIN services s${i + 1} ON 1`).join(" ")}`,
      `WITH ${Array.from({ length: 17 }, (_, i) => `c${i} AS (SELECT 1)`).join(", ")} SELECT 1`,
      `SELECT 1 ${many("UNION SELECT 1 ", 20)}`,
      `SELECT id FROM services ORDER BY ${many("id", 100, ", ")}`,
      `SELECT COUNT(*) FROM services GROUP BY ${many("id", 100, ", ")}`,
      `SELECT id FROM services USE INDEX (${many("a", 100, ", ")})`,
      `SELECT 1${many("0", 100)}`,
      `SELECT 1e400`,
      `SELECT '${many("a", 20_000)}'`,
      `SELECT 1 ${many("/**/", 5_000)}`,
      `${many("(", 2_000)}SELECT 1${many(")", 2_000)}`,
      `SELECT ${many("JSON_EXTRACT(", 500)}'{}'${many(", '$')", 500)}`,
      `SELECT id FROM services WHERE name LIKE ${many("'%a' ", 200)}`,
      `SELECT ${many("a.", 900)}b FROM services`,
      `SELECT id FROM services WHERE ${many("NOT ", 1_500)}id`,
      `SELECT id FROM services WHERE id${many(" BETWEEN 1 AND 2", 40)}`,
      `SELECT id FROM services WHERE id${many(" IS NULL", 40)}`,
      `SELECT since${many(" + INTERVAL 1 DAY", 40)} FROM services`,
    ];
    expect(bombs.filter((sql) => codeOf(sql, validator) === "ALLOW").map((sql) => sql.slice(0, 60))).toEqual([]);
    expect(codeOf("SELECT id FROM services", validator)).toBe("ALLOW");
  });
});
