import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHarness } from "../../../src/boundary/harness.ts";
import { MemoryStore } from "../../../src/store/memory/memory-store.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { queryMysqlTool } from "../../../src/tools/query-mysql/query-mysql.ts";
import { SQLITE_DIALECT } from "../../../src/tools/query-mysql/sqlite/sqlite-dialect.ts";
import { SqliteReadOnlyExecutor } from "../../../src/tools/query-mysql/sqlite/sqlite-executor.ts";
import { bookshop, compileChild, createBookshopFile, openDatabase, planOf, removeChild } from "./bookshop.ts";

const SECRET = "Ledger-2VG3spEV";
const file = createBookshopFile();
const childModule = compileChild();
let executor: SqliteReadOnlyExecutor;

beforeAll(() => {
  const database = openDatabase(file.path);
  database.exec(`UPDATE books SET title = 'migrated by hand with password=${SECRET} and closed'`);
  database.close();
  executor = new SqliteReadOnlyExecutor(file.path, { childModule });
});
afterAll(async () => {
  await executor.close();
  removeChild(childModule);
  file.remove();
});

/** What a model sees of a statement. */
async function shown(sql: string): Promise<string> {
  const tools = [defineTool(queryMysqlTool({ policy: bookshop, executor, dialect: SQLITE_DIALECT }))];
  const run = await createHarness({ store: new MemoryStore(), tools }).openRun({ sessionId: "s" });
  return JSON.stringify((await run.call({ toolCallId: "c1", toolName: "query_mysql", request: { sql } })).observation);
}

describe("a secret in a text column", () => {
  it("is held back when the column is selected as it is", async () => {
    expect(await shown("SELECT title FROM books LIMIT 1")).toContain("password=[[secret:pw]]");
  });

  it.each([
    "SELECT REPLACE(title, 'password', 'p') AS t FROM books LIMIT 1",
    "SELECT REPLACE(title, 'a', 'b') AS t FROM books LIMIT 1",
    "SELECT SUBSTR(title, LOCATE('password', title) + 9, 40) AS t FROM books LIMIT 1",
    "SELECT SUBSTR(title, 1, 25) AS a, SUBSTR(title, 26, 60) AS b FROM books LIMIT 1",
    "SELECT CONCAT(SUBSTR(title, 1, 25), ' ', SUBSTR(title, 26, 60)) AS t FROM books LIMIT 1",
    "SELECT INSERT(title, 25, 1, '#') AS t FROM books LIMIT 1",
    "SELECT SUBSTRING_INDEX(title, '=', -1) AS t FROM books LIMIT 1",
    "SELECT CASE WHEN id > 0 THEN RIGHT(title, 26) ELSE '' END AS t FROM books LIMIT 1",
    "SELECT COALESCE(NULLIF(MID(title, 32, 15), ''), '-') AS t FROM books LIMIT 1",
    "SELECT MAX(SUBSTR(title, 32)) AS t FROM books",
    "SELECT GROUP_CONCAT(SUBSTR(title, 32) SEPARATOR '; ') AS t FROM books",
    "SELECT JSON_OBJECT('p', SUBSTR(title, 32, 15)) AS t FROM books LIMIT 1",
    "SELECT CONCAT_WS(',', id, REPLACE(title, 'password=', '')) AS t FROM books LIMIT 1",
    "SELECT LPAD(SUBSTR(title, 32, 15), 20, '0') AS t FROM books LIMIT 1",
    "SELECT t FROM (SELECT SUBSTR(title, 32) AS t FROM books) d LIMIT 1",
    "WITH q AS (SELECT SUBSTR(title, 32) AS t FROM books) SELECT MIN(t) AS t FROM q",
    "SELECT 'a' AS t FROM books UNION SELECT SUBSTR(title, 32) FROM books",
    "SELECT (SELECT SUBSTR(MAX(title), 32) FROM books) AS t",
    "SELECT LAG(SUBSTR(title, 32)) OVER (ORDER BY id) AS t FROM books",
    "WITH RECURSIVE q AS (SELECT 1 AS n, MAX(title) AS t FROM books UNION ALL SELECT n + 1, SUBSTR(t, 2) FROM q WHERE n < 32) SELECT t FROM q WHERE n = 32",
  ])("is held back whatever a statement does to the text before it: %s", async (sql) => {
    const text = await shown(sql);
    expect(text).toContain('"cells"');
    expect(text).not.toContain(SECRET);
  });

  it.each([
    ["turned around", "REVERSE(title)", [...SECRET].reverse().join("")],
    ["in capitals", "UPPER(SUBSTR(title, 32))", SECRET.toUpperCase()],
    ["in hexadecimal", "HEX(title)", Buffer.from(SECRET).toString("hex").toUpperCase()],
    ["as what it was replaced with", "REPLACE(SUBSTR(title, 32), '-', '+')", SECRET.replace("-", "+")],
  ])("is held back %s", async (_way, expression, form) => {
    const text = await shown(`SELECT ${expression} AS t FROM books LIMIT 1`);
    expect(text).toContain("[[secret:");
    expect(text).not.toContain(form);
  });
});

describe("a member of a JSON document", () => {
  const members = (sql: string) => planOf(sql).columns.map((column) => column.members);

  it("tells what its value is, whatever the column is called", async () => {
    const database = openDatabase(file.path);
    database.exec(`UPDATE books SET attrs = '{"pages":310,"login":{"password":"abc-def"}}'`);
    database.close();
    for (const expression of [
      "attrs->>'$.login.password'",
      "JSON_VALUE(attrs, '$.login.password')",
      `JSON_UNQUOTE(JSON_EXTRACT(attrs, '$.login."password"'))`,
    ]) {
      expect(await shown(`SELECT ${expression} AS t FROM books LIMIT 1`)).toContain('"t":"[[secret:pw]]"');
      expect(await shown(`SELECT t FROM (SELECT ${expression} AS t FROM books) d LIMIT 1`)).toContain("[[secret:pw]]");
    }
    expect(await shown("SELECT attrs->>'$.pages' AS t FROM books LIMIT 1")).toMatch(/"t":"?310/);
  });

  it("is known through tables, set operations and JSON_TABLE", () => {
    expect(members("SELECT t FROM (SELECT attrs->>'$.a.b' AS t FROM books) d")).toEqual([["a", "b"]]);
    expect(members("SELECT title FROM books UNION SELECT attrs->>'$.a' FROM books")).toEqual([["a"]]);
    expect(
      members(
        "SELECT j.p, j.q FROM books, JSON_TABLE(attrs, '$.a' COLUMNS (p CHAR(9) PATH '$.b', NESTED PATH '$.c[*]' COLUMNS (q CHAR(9) PATH '$.d'))) j",
      ),
    ).toEqual([
      ["a", "b"],
      ["a", "c", "d"],
    ]);
    expect(members("SELECT COUNT(attrs->>'$.a'), title, CONCAT(title, '$.a') FROM books")).toEqual([[], [], []]);
  });
});

describe("a column made of other values", () => {
  const marked = (sql: string) => planOf(sql).columns.map(({ rewritten }) => rewritten);

  it.each([
    "title",
    "COALESCE(title, 'none')",
    "MAX(title)",
    "TRIM(title)",
    "CAST(title AS CHAR)",
    "title COLLATE utf8mb4_bin",
    "IF(LENGTH(title) > 3, title, '')",
    "CASE WHEN title LIKE 'a%' THEN title END",
    "COUNT(*)",
    "LENGTH(REPLACE(title, 'a', ''))",
    "SUM(price) + 1",
    "CONCAT('a', 'b')",
  ])("is shown as its text is: %s", (expression) => {
    expect(marked(`SELECT ${expression} AS t FROM books`)).toEqual([false]);
  });

  it.each([
    "UPPER(title)",
    "CONCAT(title, '')",
    "CAST(title AS CHAR(9))",
    "TRIM('a' FROM title)",
    "TRIM(LEADING 'password=' FROM title)",
    "UNHEX(HEX(title))",
    "TO_BASE64(title)",
    "IFNULL(LEFT(title, 9), title)",
    "CHAR(ASCII(title), id USING utf8mb4)",
    "DATE_FORMAT(NOW(), title)",
    "GROUP_CONCAT(title)",
    "CONCAT('a', (SELECT MAX(nick) FROM customers))",
  ])("is shown with more care: %s", (expression) => {
    expect(marked(`SELECT ${expression} AS t FROM books`)).toEqual([true]);
  });

  it("carries that through tables, and through a column of a JSON document", () => {
    expect(marked("SELECT b.t, b.id FROM (SELECT *, LEFT(title, 9) AS t FROM books) b")).toEqual([true, false]);
    expect(marked("SELECT * FROM (SELECT LEFT(title, 9) AS t, id FROM books) b")).toEqual([true, false]);
    expect(marked("SELECT title, id FROM books UNION ALL SELECT LEFT(title, 9), id FROM books")).toEqual([true, false]);
    expect(marked("SELECT j.p FROM books, JSON_TABLE(title, '$' COLUMNS (p CHAR(9) PATH '$.p')) j")).toEqual([true]);
  });

  it("stays readable", async () => {
    const sql = "SELECT CONCAT(id, '/', UPPER('Order-Service-V2'), ' of 2026-03-11, 250ms') AS t FROM books LIMIT 1";
    expect(await shown(sql)).toMatch(/\d+\/ORDER-SERVICE-V2 of 2026-03-11, 250ms/);
  });
});
