import { describe, expect, it } from "vitest";
import { codeOf, planOf } from "../bookshop.ts";

const text = (sql: string): string => planOf(sql).sql.replace(/ LIMIT \d+$/, "");

describe("the grammar", () => {
  it.each([
    "SELECT b.*, UPPER(b.title) u FROM books b WHERE b.genre IN ('novel') AND price BETWEEN 1 AND 20",
    "SELECT genre g, COUNT(*) n FROM books GROUP BY genre WITH ROLLUP",
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n",
    "SELECT id FROM books WHERE price >= ALL (SELECT price FROM books) OR price = ANY (SELECT total FROM sales)",
    "SELECT t.tag FROM books b, JSON_TABLE(b.attrs, '$.tags[*]' COLUMNS (tag VARCHAR(20) PATH '$')) t",
    "SELECT SUM(total) OVER w FROM sales WINDOW w AS (PARTITION BY state ORDER BY sold_at ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
    "(SELECT id FROM books LIMIT 1) UNION ALL (SELECT id FROM sales ORDER BY id LIMIT 2) ORDER BY id",
    "SELECT sold_at - INTERVAL '1:30' HOUR_MINUTE, DATE_ADD(sold_at, INTERVAL 2 WEEK) FROM sales",
    "SELECT GROUP_CONCAT(DISTINCT title ORDER BY id DESC SEPARATOR '; ') FROM books",
    "SELECT CASE genre WHEN 'novel' THEN 1 ELSE 0 END, CAST(price AS DECIMAL(8, 1)), TRIM(BOTH 'x' FROM title) FROM books",
    "SELECT attrs->>'$.pages', JSON_VALUE(attrs, '$.pages') FROM books WHERE 'sea' MEMBER OF (attrs->'$.tags')",
    "SELECT `编号` FROM `库存` WHERE 书名 LIKE '%书%' ESCAPE '|'",
    "SELECT b.title FROM books b USE INDEX (x) FORCE INDEX FOR JOIN (PRIMARY) STRAIGHT_JOIN sales s ON s.book_id = b.id",
    "SELECT {ts '2024-01-01 00:00:00'}, DATE '2024-01-01', X'41', 0b1, _utf8mb4'a', 1e3, .5",
    "SELECT id FROM books WHERE (genre, stock) IN (('novel', 4), ('essay', 0)) AND NOT title REGEXP '^T'",
    "SELECT 1 FROM DUAL",
    "SELECT CHAR(77, 121 USING utf8mb4), TIMESTAMPDIFF(SQL_TSI_DAY, '2024-01-01', added_on) FROM books WHERE title SOUNDS LIKE 'x'",
    "SELECT b.id FROM books b LEFT JOIN sales s JOIN customers c ON c.id = s.customer_id ON s.book_id = b.id",
    "SELECT id FROM sales WHERE (book_id, state) = (SELECT id, genre FROM books LIMIT 1)",
    "SELECT (WITH x AS (SELECT COUNT(*) c FROM books) SELECT c FROM x) AS n",
    "SELECT id FROM books ;",
  ])("allows %s", (sql) => {
    expect(codeOf(sql)).toBe("ALLOW");
  });

  it.each([
    ["SQL_STATEMENT", "DELETE FROM books"],
    ["SQL_STATEMENT", ""],
    ["SQL_STATEMENT", "SELECT 1; SELECT 2"],
    ["SQL_STATEMENT", "WITH x AS (SELECT 1) DELETE FROM books"],
    ["SQL_STATEMENT", "EXPLAIN SELECT 1"],
    ["SQL_CLAUSE", "SELECT id FROM books FOR UPDATE"],
    ["SQL_CLAUSE", "SELECT id FROM books LOCK IN SHARE MODE"],
    ["SQL_CLAUSE", "SELECT id INTO OUTFILE '/tmp/x' FROM books"],
    ["SQL_CLAUSE", "SELECT id FROM books PROCEDURE ANALYSE()"],
    ["SQL_CLAUSE", "SELECT HIGH_PRIORITY id FROM books"],
    ["SQL_CLAUSE", "SELECT id FROM books PARTITION (p0)"],
    ["SQL_CLAUSE", "SELECT * FROM (VALUES ROW(1)) v"],
    ["SQL_CLAUSE", "SELECT title COLLATE latin1_bin FROM books"],
    ["SQL_CLAUSE", "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT * FROM n"],
    ["SQL_CLAUSE", "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE 1 = 1) SELECT * FROM n"],
    ["SQL_FUNCTION", "SELECT SLEEP(1)"],
    ["SQL_FUNCTION", "SELECT `ABS`(1)"],
    ["SQL_FUNCTION", "SELECT main_shop.ABS(1)"],
    ["SQL_FUNCTION", "SELECT CURRENT_USER"],
    ["SQL_FUNCTION", "SELECT REPEAT(title, stock) FROM books"],
    ["SQL_FUNCTION", "SELECT REPEAT(REPEAT('a', 1000), 1000)"],
    ["SQL_FUNCTION", "SELECT title FROM books WHERE title REGEXP genre"],
    ["SQL_FUNCTION", "SELECT id FROM books WHERE COUNT(*) > 1"],
    ["SQL_FUNCTION", "SELECT SUM(COUNT(*)) FROM books"],
    ["SQL_LITERAL", "SELECT id FROM books LIMIT -1"],
    ["SQL_LITERAL", "SELECT id FROM books LIMIT 1 OFFSET 10001"],
    ["SQL_LITERAL", "SELECT title FROM books WHERE title REGEXP '(a+)+'"],
    ["SQL_LITERAL", "SELECT JSON_VALUE(attrs, '$.a'' b') FROM books"],
    ["SQL_SYNTAX", "SELECT id, * FROM books"],
    ["SQL_SYNTAX", "SELECT 1 FROM books JOIN sales USING"],
    ["SQL_SYNTAX", "SELECT 1 FROM books JOIN sales USING JOIN customers"],
    ["SQL_SYNTAX", "SELECT 'a' N'b'"],
    ["SQL_SYNTAX", "SELECT N'a' 'b' _utf8mb4'c'"],
    ["SQL_SYNTAX", "SELECT (1, 2)"],
    ["SQL_SYNTAX", "SELECT id FROM books WHERE (id, stock) = 1"],
    ["SQL_SYNTAX", "SELECT 1 UNION SELECT 1, 2"],
    ["SQL_SYNTAX", "SELECT ROW_NUMBER() OVER nothing FROM books"],
  ])("answers %s to %s", (code, sql) => {
    expect(codeOf(sql)).toBe(code);
  });

  it("reads operators with MySQL's precedence", () => {
    expect(text("SELECT 1 + 2 * 3 - 4")).toBe("SELECT (1 + (2 * 3) - 4) AS `c1`");
    expect(text("SELECT NOT 1 = 2 AND 3 OR 4 XOR 5")).toBe("SELECT (((NOT (1 = 2)) AND 3) OR (4 XOR 5)) AS `c1`");
    expect(text("SELECT ! 1 = 2, - 2 ^ 3")).toBe("SELECT ((NOT 1) = 2) AS `c1`, ((- 2) ^ 3) AS `c2`");
    expect(text("SELECT 1 | 2 & 3 << 4")).toBe("SELECT (1 | (2 & (3 << 4))) AS `c1`");
    expect(text("SELECT 1 = 2 IS TRUE, 5 DIV 2 MOD 2")).toBe("SELECT ((1 = 2) IS TRUE) AS `c1`, (5 DIV 2 % 2) AS `c2`");
    expect(text("SELECT NOT 2 BETWEEN 1 AND 3")).toBe("SELECT (NOT (2 BETWEEN 1 AND 3)) AS `c1`");
  });

  it("binds INTERSECT tighter than UNION", () => {
    expect(text("SELECT 1 UNION SELECT 2 INTERSECT SELECT 3")).toBe(
      "SELECT 1 AS `c1` UNION SELECT `s1`.`c1` AS `c1` FROM (SELECT 2 AS `c1` INTERSECT SELECT 3 AS `c1`) AS `s1`",
    );
  });

  it("tells a subquery from a parenthesis by what follows it", () => {
    expect(codeOf("SELECT ((SELECT 1) + 2)")).toBe("ALLOW");
    expect(codeOf("SELECT * FROM ((SELECT id FROM books) UNION (SELECT id FROM sales)) u")).toBe("ALLOW");
    expect(codeOf("SELECT 1 FROM ((SELECT id FROM books) b JOIN sales s ON s.book_id = b.id)")).toBe("ALLOW");
  });
});
