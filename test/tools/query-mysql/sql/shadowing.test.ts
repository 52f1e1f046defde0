import { describe, expect, it } from "vitest";
import { freeAliasPrefix } from "../../../../src/tools/query-mysql/sql/readable-schema.ts";
import { codeOf, planOf } from "../bookshop.ts";

describe("names that could mean two things", () => {
  it("groups and filters by the selected column, not by a column of a derived table that is printed under the same alias", () => {
    const { sql } = planOf(
      "SELECT b AS x, COUNT(*) FROM (SELECT genre AS a, title AS b FROM books) t GROUP BY x HAVING x > 'm'",
    );
    expect(sql).toContain("SELECT `t2`.`c2` AS `c_1`, COUNT(*) AS `c_2` FROM (SELECT `t1`.`genre` AS `c1`");
    expect(sql).toMatch(/GROUP BY `c_1` HAVING \(`c_1` > .*\)/);
  });

  it("chooses aliases that a server does not take for a column with accents or another width", () => {
    expect(freeAliasPrefix(["id", "ç1"])).toBe("cc");
    expect(freeAliasPrefix(["Ｃ７"])).toBe("cc");
    expect(freeAliasPrefix(["c_1"])).toBe("cc");
    expect(freeAliasPrefix(["c1", "CC_2"])).toBe("ccc");
    expect(freeAliasPrefix(["code1"])).toBe("c");
  });

  it("asks for another alias where a window would order by the alias and a reader by the column", () => {
    expect(codeOf("SELECT price AS stock, RANK() OVER (ORDER BY stock) FROM books")).toBe("SQL_AMBIGUOUS");
    expect(codeOf("SELECT price * 2 AS p, RANK() OVER (ORDER BY p) FROM books")).toBe("SQL_AMBIGUOUS");
    expect(codeOf("SELECT price AS stock, SUM(id) OVER w FROM books WINDOW w AS (ORDER BY stock)")).toBe(
      "SQL_AMBIGUOUS",
    );
    expect(codeOf("SELECT price * 2 AS p, COUNT(*) OVER (PARTITION BY p) FROM books")).toBe("SQL_AMBIGUOUS");
    expect(codeOf("SELECT stock AS stock, RANK() OVER (ORDER BY stock) FROM books")).toBe("ALLOW");
    expect(codeOf("SELECT b.stock AS stock, RANK() OVER (ORDER BY stock) FROM books b")).toBe("ALLOW");
    expect(codeOf("SELECT price AS stock, COUNT(*) OVER (PARTITION BY stock) FROM books")).toBe("ALLOW");
    expect(codeOf("SELECT price AS stock, RANK() OVER (ORDER BY stock + 0) FROM books")).toBe("ALLOW");
  });

  it("does not look past the alias of a query around a subquery", () => {
    const middle = "(SELECT title AS stock FROM sales s WHERE EXISTS (SELECT 1 FROM customers WHERE city = stock))";
    expect(codeOf(`SELECT id FROM books b WHERE 'x' IN ${middle}`)).toBe("SQL_AMBIGUOUS");
    expect(codeOf("SELECT UPPER(title) AS up, (SELECT COUNT(*) FROM sales WHERE state = up) FROM books")).toBe(
      "SQL_AMBIGUOUS",
    );
    expect(codeOf("SELECT genre AS state, (SELECT COUNT(*) FROM sales WHERE state = 'paid') FROM books")).toBe("ALLOW");
  });

  it("takes the column inside of an expression of GROUP BY and ORDER BY, the alias alone in ORDER BY", () => {
    const text = "SELECT IFNULL(genre, '-') AS genre, COUNT(*) FROM books GROUP BY IFNULL(genre, '-') ORDER BY ";
    expect(planOf(`${text} CHAR_LENGTH(genre)`).sql).toContain("GROUP BY `c1` ORDER BY CHAR_LENGTH(`t1`.`genre`)");
    expect(planOf(`${text} genre`).sql).toContain("GROUP BY `c1` ORDER BY `c1`");
    expect(codeOf("SELECT nick AS pass_hash FROM customers ORDER BY CHAR_LENGTH(pass_hash)")).toBe("SQL_AMBIGUOUS");
  });

  it("does not group by an alias in place of a hidden column, in whatever way it came by its name", () => {
    const derived = "(SELECT id, nick AS pass_hash FROM customers) t";
    expect(codeOf("SELECT nick AS pass_hash FROM customers GROUP BY pass_hash")).toBe("SQL_AMBIGUOUS");
    expect(codeOf(`SELECT t.pass_hash FROM ${derived} JOIN customers c ON c.id = t.id GROUP BY pass_hash`)).toBe(
      "SQL_AMBIGUOUS",
    );
    expect(codeOf(`SELECT t.pass_hash FROM ${derived} GROUP BY pass_hash`)).toBe("ALLOW");
  });

  it("refuses HAVING over a name that is an alias and a column which is grouped by, also by its position", () => {
    expect(codeOf("SELECT UPPER(title) AS genre, genre AS g FROM books GROUP BY 2, title HAVING genre > 'a'")).toBe(
      "SQL_AMBIGUOUS",
    );
    expect(codeOf("SELECT genre AS g, COUNT(*) FROM books GROUP BY 1 HAVING genre > 'a'")).toBe("ALLOW");
  });

  it("prints a part of a set operation in parentheses as the part that it is", () => {
    expect(planOf("(SELECT id FROM books) UNION ALL (SELECT id FROM sales)").sql).not.toContain("FROM (");
    expect(planOf("(SELECT id FROM books LIMIT 1) UNION ALL SELECT id FROM sales").sql).toContain("FROM (");
  });
});
