import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { registerFunctions } from "../../../../src/tools/query-mysql/sqlite/functions.ts";
import { readRows } from "../../../../src/tools/query-mysql/sqlite/read-rows.ts";
import { SQLITE_DIALECT } from "../../../../src/tools/query-mysql/sqlite/sqlite-dialect.ts";
import { codeOf, createBookshopFile, openDatabase, planOf, validatorFor } from "../bookshop.ts";
import { statements } from "../sql/statements.ts";

const file = createBookshopFile();
const database = openDatabase(file.path);
registerFunctions(database);
const sqlite = validatorFor(SQLITE_DIALECT);

function rowsOf(sql: string): unknown {
  const { sql: printed, params } = planOf(sql, sqlite);
  const reply = readRows(database, { sql: printed, params, maxBytes: 1_000_000 });
  return reply.kind === "rows" ? reply.rows : reply.kind;
}

afterAll(() => {
  database.close();
  file.remove();
});

describe("plans for SQLite", () => {
  it("give the rows that the statement itself gives, where SQLite reads it as MySQL does", () => {
    fc.assert(
      fc.property(statements, (sql) => {
        // SQLite has no XOR, writes <=> as IS, and compares numbers with texts otherwise than MySQL and the plan do
        fc.pre(/ORDER BY/.test(sql) && !/XOR|<=>|LIKE|'|b\.title|b\.genre|s\.state|s\.id[^ ,]/.test(sql));
        const reference = database.prepare(/ LIMIT /.test(sql) ? sql : `${sql} LIMIT 21`);
        reference.setReadBigInts(true);
        const expected = readRows({ ...database, prepare: () => reference } as never, {
          sql,
          params: [],
          maxBytes: 1e6,
        });
        expect({ kind: "rows", rows: rowsOf(sql), cutByBytes: false }).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it("run without an error, whatever the statement", () => {
    fc.assert(
      fc.property(statements, (sql) => {
        fc.pre(codeOf(sql, sqlite) === "ALLOW");
        expect(Array.isArray(rowsOf(sql))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, unknown]>([
    ["SELECT 7 / 2, 7 DIV 2, -7 DIV 2, 7 % 3, 7.5 MOD 2, 1 / 0", [[3.5, 3, -3, 1, 1.5, null]]],
    ["SELECT 1 XOR 1, 1 XOR 0, NULL <=> NULL, 1 <=> NULL", [[0, 1, 1, 0]]],
    ["SELECT title FROM books WHERE title LIKE '%\\%%'", [["50% of Everything"]]],
    ["SELECT title FROM books WHERE title LIKE '50|%%' ESCAPE '|'", [["50% of Everything"]]],
    ["SELECT title FROM books WHERE title REGEXP '^(back|it).*' ORDER BY id", [["It's a Trap"], ["Back\\slash & Co"]]],
    [
      "SELECT CONCAT('a', NULL), CONCAT_WS('-', 'a', NULL, 'b'), LEFT('héllo', 2), RIGHT('abc', 2)",
      [[null, "a-b", "hé", "bc"]],
    ],
    [
      "SELECT SUBSTRING('abcdef', -3, 2), SUBSTRING('abc', 0), LPAD('7', 3, '0'), RPAD('ab', 1, 'x'), LOCATE('c', 'abc')",
      [["de", "", "007", "a", 3]],
    ],
    [
      "SELECT CHAR_LENGTH('海边'), LENGTH('海边'), UPPER('é'), REVERSE('ab'), HEX(255), HEX('A')",
      [[2, 6, "É", "ba", "FF", "41"]],
    ],
    [
      "SELECT CAST(2.5 AS SIGNED), CAST('12abc' AS SIGNED), CAST(9007199254740993 AS SIGNED), ROUND(2.345, 2)",
      [[3, 12, "9007199254740993", 2.35]],
    ],
    [
      "SELECT FIELD('b', 'a', 'b'), FIND_IN_SET('b', 'a,b'), ELT(2, 'x', 'y'), SUBSTRING_INDEX('a.b.c', '.', 2), SUBSTRING_INDEX('a.b.c', '.', -1)",
      [[2, 2, "y", "a.b", "c"]],
    ],
    [
      "SELECT DATE_FORMAT('2024-03-05 07:08:09', '%Y/%c/%e %H:%i:%s %p %W %j %%')",
      [["2024/3/5 07:08:09 AM Tuesday 065 %"]],
    ],
    [
      "SELECT '2024-01-31' + INTERVAL 1 MONTH, DATE_SUB('2024-03-01', INTERVAL 1 DAY), '2024-01-01' + INTERVAL 90 MINUTE",
      [["2024-02-29", "2024-02-29", "2024-01-01 01:30:00"]],
    ],
    [
      "SELECT TIMESTAMPDIFF(MONTH, '2024-01-31', '2024-03-30'), TIMESTAMPDIFF(HOUR, '2024-01-02', '2024-01-01'), DATEDIFF('2024-03-01', '2024-02-28')",
      [[1, -24, 2]],
    ],
    [
      "SELECT YEAR('2024-02-29'), DAYOFWEEK('2024-03-03'), WEEKDAY('2024-03-03'), QUARTER('2024-05-01'), LAST_DAY('2024-02-01'), UNIX_TIMESTAMP('1970-01-02'), YEAR('no date')",
      [[2024, 1, 6, 2, "2024-02-29", 86_400, null]],
    ],
    ["SELECT COUNT(*) FROM sales WHERE YEAR(sold_at) = '2024' AND MONTH(sold_at) IN ('3')", [[5]]],
    ["SELECT COUNT(*) FROM sales HAVING COUNT(*) > '10'", []],
    ["SELECT COUNT(*) FROM books WHERE (genre, stock) IN (('novel', 4), ('essay', 0))", [[2]]],
    [
      "SELECT genre, GROUP_CONCAT(title ORDER BY id SEPARATOR ' | ') FROM books WHERE id IN (1, 3) GROUP BY genre",
      [["novel", "The Quiet Harbour | It's a Trap"]],
    ],
    [
      "SELECT JSON_UNQUOTE(JSON_EXTRACT(attrs, '$.pages')), JSON_LENGTH(attrs, '$.tags'), attrs->>'$.tags[0]' FROM books WHERE id = 1",
      [[310, 2, "sea"]],
    ],
    ["SELECT id FROM books WHERE price = ANY (SELECT total FROM sales) ORDER BY id", [[1], [3], [4], [5]]],
    [
      "WITH RECURSIVE d (day) AS (SELECT DATE '2024-03-01' UNION ALL SELECT day + INTERVAL 1 DAY FROM d WHERE day < '2024-03-03') SELECT d.day, COUNT(s.id) FROM d LEFT JOIN sales s ON DATE(s.sold_at) = d.day GROUP BY d.day ORDER BY d.day",
      [
        ["2024-03-01", 1],
        ["2024-03-02", 2],
        ["2024-03-03", 0],
      ],
    ],
    ["SELECT id, RANK() OVER (ORDER BY total DESC) FROM sales ORDER BY 2 LIMIT 1", [[5, 1]]],
    ["SELECT id FROM books EXCEPT SELECT book_id FROM sales", [[2]]],
    ["SELECT 编号, 书名 FROM 库存 ORDER BY 数量 DESC LIMIT 1", [[2, "It's a Trap"]]],
  ])("answer as MySQL does: %s", (sql, rows) => {
    expect(rowsOf(sql)).toEqual(rows);
  });

  it.each([
    ["SQL_FUNCTION", "SELECT STDDEV(price) FROM books"],
    ["SQL_FUNCTION", "SELECT EXTRACT(YEAR_MONTH FROM sold_at) FROM sales"],
    ["SQL_FUNCTION", "SELECT TIMESTAMPDIFF(DAY_HOUR, sold_at, NOW()) FROM sales"],
    ["SQL_FUNCTION", "SELECT DATE_FORMAT(sold_at, '%x-%v') FROM sales"],
    ["SQL_FUNCTION", "SELECT FROM_UNIXTIME(1, '%Y')"],
    ["SQL_FUNCTION", "SELECT JSON_ARRAY(TRUE)"],
    ["SQL_FUNCTION", "SELECT COUNT(DISTINCT genre, stock) FROM books"],
    ["SQL_FUNCTION", "SELECT TRIM(BOTH 'xy' FROM title) FROM books"],
    ["SQL_FUNCTION", "SELECT sold_at + INTERVAL '1:1' HOUR_MINUTE FROM sales"],
    ["SQL_CLAUSE", "SELECT genre, COUNT(*) FROM books GROUP BY genre WITH ROLLUP"],
    ["SQL_CLAUSE", "SELECT id FROM books WHERE price > ALL (SELECT 1)"],
    ["SQL_CLAUSE", "SELECT t.x FROM books, JSON_TABLE(attrs, '$' COLUMNS (x INT PATH '$.pages')) t"],
    ["SQL_CLAUSE", "SELECT CAST(title AS JSON) FROM books"],
    ["SQL_CLAUSE", "SELECT id FROM books HAVING id > 1"],
    ["SQL_CLAUSE", "SELECT 5 ^ 3"],
    ["SQL_LITERAL", "SELECT X'41'"],
  ])("refuse with %s what SQLite would not do as MySQL does: %s", (code, sql) => {
    expect(codeOf(sql)).toBe("ALLOW");
    expect(codeOf(sql, sqlite)).toBe(code);
  });
});
