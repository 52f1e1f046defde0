import { describe, expect, it } from "vitest";
import { codeOf, planOf, validator } from "../bookshop.ts";

describe("looking up names", () => {
  it.each([
    "SELECT pass_hash FROM customers",
    "SELECT c.Pass_Hash AS nick FROM customers AS c",
    "SELECT main_shop.customers.pass_hash FROM customers",
    "SELECT nick FROM customers WHERE pass_hash LIKE 'a%'",
    "SELECT nick FROM customers ORDER BY pass_hash",
    "SELECT COUNT(*) FROM customers GROUP BY pass_hash",
    "SELECT nick FROM customers HAVING pass_hash IS NOT NULL",
    "SELECT ROW_NUMBER() OVER (ORDER BY pass_hash) FROM customers",
    "SELECT 1 FROM customers WINDOW w AS (PARTITION BY pass_hash)",
    "SELECT (SELECT COUNT(*) FROM books WHERE title = pass_hash) FROM customers",
    "SELECT t.x FROM (SELECT nick FROM customers UNION ALL SELECT pass_hash FROM customers) t (x)",
    "SELECT 1 FROM customers c JOIN sales s USING (card_no)",
    "SELECT 1 FROM customers NATURAL JOIN (SELECT 'x' AS pass_hash) g",
    "SELECT 1 FROM sales a NATURAL JOIN sales b",
    "SELECT j.x FROM customers, JSON_TABLE(pass_hash, '$' COLUMNS (x INT PATH '$')) j",
    "WITH RECURSIVE r AS (SELECT id, nick AS t FROM customers UNION ALL SELECT r.id, c.pass_hash FROM r JOIN customers c ON c.id = r.id) SELECT t FROM r",
  ])("refuses the hidden column of %s in the words of a column that does not exist", (sql) => {
    const result = validator.validate(sql);
    const control = validator.validate(sql.replaceAll(/pass_hash|card_no/gi, "no_such"));
    expect(result).toMatchObject({ kind: "rejected", code: "SQL_COLUMN" });
    if (!sql.includes("NATURAL")) expect(control).toMatchObject({ kind: "rejected", code: "SQL_COLUMN" });
  });

  it("never names a hidden column in an answer", () => {
    for (const sql of [
      "SELECT * FROM customers",
      "SELECT pas_hash FROM customers",
      "SELECT 1 FROM customers NATURAL JOIN sales",
    ]) {
      expect(JSON.stringify(validator.validate(sql))).not.toMatch(/pass_hash|card_no/);
    }
  });

  it("suggests the nearest name among those that are available", () => {
    expect(validator.validate("SELECT titel FROM books")).toMatchObject({
      detail: expect.stringContaining("did you mean title?"),
    });
    expect(validator.validate("SELECT 1 FROM boks")).toMatchObject({
      detail: expect.stringContaining("did you mean books?"),
    });
    expect(validator.validate("SELECT c.pass_has FROM customers c")).toMatchObject({
      detail: expect.not.stringContaining("mean"),
    });
  });

  it("expands a star to the columns that may be read, joined columns of USING once", () => {
    expect(planOf("SELECT * FROM customers").columns.map(({ name }) => name)).toEqual([
      ...["id", "nick", "city", "joined_on", "mail"],
    ]);
    const joined = planOf("SELECT * FROM 库存 a JOIN (SELECT id AS 编号, genre FROM books) b USING (编号)");
    expect(joined.columns.map(({ name }) => name)).toEqual(["编号", "书名", "数量", "genre"]);
  });

  it("reads tables of the policy alone, by their exact names", () => {
    for (const sql of [
      "SELECT 1 FROM Books",
      "SELECT 1 FROM other.books",
      "SELECT 1 FROM information_schema.tables",
      "SELECT 1 FROM def.main_shop.books",
      "SELECT 1 FROM `main_shop.books`",
      "WITH ledger AS (SELECT 1) SELECT 1 FROM main_shop.ledger",
      "SELECT customers.* FROM customers c",
    ]) {
      expect(codeOf(sql), sql).toBe("SQL_TABLE");
    }
    expect(codeOf("SELECT 1 FROM main_shop.books, main_shop.`sales`")).toBe("ALLOW");
  });

  it("sees a common table expression before the table it hides, and in itself only when it is recursive", () => {
    expect(planOf("WITH books AS (SELECT nick AS id FROM customers) SELECT id FROM books").tables).toEqual([
      "main_shop.customers",
    ]);
    expect(planOf("WITH books AS (SELECT id FROM books) SELECT id FROM books").tables).toEqual(["main_shop.books"]);
    expect(codeOf("WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a")).toBe("SQL_TABLE");
  });

  it("asks to qualify what could be two columns", () => {
    expect(codeOf("SELECT id FROM books, sales")).toBe("SQL_AMBIGUOUS");
    expect(codeOf("SELECT books.id FROM books, books")).toBe("SQL_AMBIGUOUS");
    expect(codeOf("SELECT a AS x, b AS x FROM (SELECT 1 a, 2 b) t ORDER BY x")).toBe("SQL_AMBIGUOUS");
  });

  it("takes an alias before the column in ORDER BY and HAVING, and refuses the unclear GROUP BY", () => {
    expect(planOf("SELECT UPPER(title) AS title FROM books ORDER BY title").sql).toContain("ORDER BY `c1`");
    expect(planOf("SELECT genre, SUM(price) AS price FROM books GROUP BY genre HAVING price > 9").sql).toContain(
      "HAVING (`c2` > 9)",
    );
    expect(codeOf("SELECT UPPER(genre) AS genre, COUNT(*) FROM books GROUP BY genre")).toBe("SQL_AMBIGUOUS");
    expect(codeOf("SELECT title AS genre, COUNT(*) FROM books GROUP BY title")).toBe("ALLOW");
  });

  it("does not let an alias stand for the hidden column of its name", () => {
    for (const clause of ["ORDER BY pass_hash", "GROUP BY pass_hash", "HAVING pass_hash <> ''"]) {
      expect(codeOf(`SELECT nick AS pass_hash FROM customers ${clause}`), clause).toBe("SQL_AMBIGUOUS");
    }
    expect(codeOf("SELECT nick AS pass_hash FROM customers")).toBe("ALLOW");
    expect(codeOf("SELECT q.pass_hash FROM (SELECT nick AS pass_hash FROM customers) q ORDER BY pass_hash")).toBe(
      "ALLOW",
    );
  });

  it("lets HAVING use what is selected, grouped by or aggregated, nothing else", () => {
    expect(codeOf("SELECT genre FROM books GROUP BY genre HAVING SUM(stock) > 1 AND genre <> 'x'")).toBe("ALLOW");
    expect(codeOf("SELECT genre FROM books GROUP BY genre HAVING stock > 1")).toBe("SQL_COLUMN");
  });

  it("follows columns to where they come from", () => {
    const { columns } = planOf(
      "WITH q (a, b) AS (SELECT title, price * stock FROM books) SELECT UPPER(a), b + 1, (SELECT MAX(total) FROM sales) FROM q",
    );
    expect(columns.map(({ lineage }) => lineage)).toEqual([
      ["main_shop.books.title"],
      ["main_shop.books.price", "main_shop.books.stock"],
      ["main_shop.sales.total"],
    ]);
  });

  it("chooses aliases that no real column has", async () => {
    const { MysqlSqlValidator } = await import("../../../../src/tools/query-mysql/validator.ts");
    const { parseSqlPolicy } = await import("../../../../src/tools/query-mysql/policy.ts");
    const { policyCatalog } = await import("../../../../src/tools/query-mysql/catalog.ts");
    const policy = parseSqlPolicy({ datasource: "d", defaultSchema: "s", tables: { "s.t": ["c1", "C_2"] } });
    const plan = planOf("SELECT c1 FROM t", new MysqlSqlValidator(policy, policyCatalog(policy)));
    expect(plan.sql).toBe("SELECT `t1`.`c1` AS `cc1` FROM `s`.`t` AS `t1` LIMIT 201");
  });
});

describe("sensitive columns", () => {
  it.each([
    "SELECT mail FROM customers",
    "SELECT mail AS contact, nick FROM customers WHERE mail IS NOT NULL",
    "SELECT * FROM (SELECT * FROM customers) t",
    "SELECT nick, mail IS NULL FROM customers ORDER BY mail IS NULL",
    "SELECT mail FROM customers UNION ALL SELECT nick FROM customers",
    "SELECT COUNT(*) FROM customers WHERE EXISTS (SELECT mail FROM customers)",
  ])("allows %s", (sql) => {
    expect(codeOf(sql)).toBe("ALLOW");
  });

  it.each([
    "SELECT nick FROM customers WHERE mail = 'ada@mail.test'",
    "SELECT nick FROM customers WHERE mail LIKE 'a%'",
    "SELECT UPPER(mail) FROM customers",
    "SELECT mail FROM customers ORDER BY mail",
    "SELECT mail FROM customers ORDER BY 1",
    "SELECT COUNT(mail) FROM customers",
    "SELECT COUNT(*) FROM customers GROUP BY mail",
    "SELECT DISTINCT mail FROM customers",
    "SELECT mail FROM customers UNION SELECT 'ada@mail.test'",
    "SELECT 'x' INTERSECT SELECT mail FROM customers",
    "SELECT (SELECT mail FROM customers LIMIT 1)",
    "SELECT 1 WHERE 'a' IN (SELECT mail FROM customers)",
    "SELECT a.nick FROM customers a JOIN customers b USING (mail)",
    "SELECT x FROM (SELECT mail AS x FROM customers) t WHERE x = 'a'",
    "SELECT t.x FROM (SELECT nick AS x FROM customers UNION ALL SELECT mail FROM customers) t WHERE t.x > 'm'",
    "SELECT nick FROM customers WHERE (mail, nick) = ('a', 'b')",
    "WITH RECURSIVE r AS (SELECT id, nick AS a, nick AS b FROM customers UNION ALL SELECT c.id, r.b, c.mail FROM r JOIN customers c ON c.id = r.id) SELECT id FROM r WHERE a > 'm'",
    "SELECT mail AS m FROM customers HAVING m > 'a'",
  ])("refuses %s", (sql) => {
    expect(codeOf(sql)).toBe("SENSITIVE_COLUMN");
  });

  it("marks them in the plan through aliases, derived tables and unions", () => {
    const plan = planOf(
      "SELECT t.x, t.y FROM (SELECT mail AS x, nick AS y FROM customers UNION ALL SELECT nick, nick FROM customers) t",
    );
    expect(plan.columns.map(({ sensitive }) => sensitive)).toEqual([true, false]);
  });
});

describe("identifier aliases", () => {
  const alias = (text: string): string => (text === "[[user:abcdefgh]]" ? "ada" : text);
  const paramsOf = (sql: string): readonly string[] | string => {
    const result = validator.validate(sql, alias);
    return result.kind === "allowed" ? result.plan.params : result.code;
  };

  it("puts the value back where a base column is compared with it as a whole", () => {
    expect(paramsOf("SELECT id FROM customers WHERE nick = '[[user:abcdefgh]]'")).toEqual(["ada"]);
    expect(paramsOf("SELECT id FROM customers c WHERE '[[user:abcdefgh]]' <> c.nick")).toEqual(["ada"]);
    expect(
      paramsOf("SELECT x.n FROM (SELECT nick AS n FROM customers) x WHERE x.n IN ('bo', '[[user:abcdefgh]]')"),
    ).toEqual(["bo", "ada"]);
  });

  it.each([
    "SELECT id FROM customers WHERE nick LIKE '[[user:abcdefgh]]'",
    "SELECT id FROM customers WHERE nick > '[[user:abcdefgh]]'",
    "SELECT id FROM customers WHERE UPPER(nick) = '[[user:abcdefgh]]'",
    "SELECT id FROM customers WHERE nick = CONCAT('[[user:abcdefgh]]', '')",
    "SELECT id FROM customers WHERE nick = 'x [[user:abcdefgh]]'",
    "SELECT '[[user:abcdefgh]]'",
    "SELECT 1 FROM (SELECT 'ada' AS guess) g WHERE guess = '[[user:abcdefgh]]'",
    "SELECT 1 FROM (SELECT nick AS n FROM customers UNION ALL SELECT 'ada') g WHERE n = '[[user:abcdefgh]]'",
    "SELECT 'ada' = '[[user:abcdefgh]]'",
    "SELECT CASE nick WHEN '[[user:abcdefgh]]' THEN 1 END FROM customers",
  ])("refuses it in %s", (sql) => {
    expect(paramsOf(sql)).toBe("ALIAS_POSITION");
  });

  it("refuses the placeholder of a secret anywhere", () => {
    expect(paramsOf("SELECT id FROM customers WHERE nick = '[[secret:password]]'")).toBe("PLACEHOLDER_IN_REQUEST");
  });
});
