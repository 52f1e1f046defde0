import { describe, expect, it } from "vitest";
import { sqlScope } from "../../../src/cli/try/sql-scope.ts";

const identity = (sql: string, datasource = "shop") => sqlScope(datasource, sql, 0).identity;
const coverage = (sql: string) => sqlScope("shop", sql, 0).covers;

describe("the identity of a statement", () => {
  it.each([
    ["case, gaps and a last semicolon", "SELECT id FROM refunds WHERE a=1", "select  ID from Refunds where A = 1 ;"],
    ["comments and quoted names", "SELECT id FROM refunds -- why", "SELECT /* all */ `id` FROM `refunds`"],
    ["aliases", "SELECT r.id AS x FROM refunds r WHERE r.a=1", "SELECT id FROM refunds WHERE a=1"],
    [
      "the order of AND, OR and IN",
      "SELECT id FROM t WHERE (a=1 OR b=2) AND c IN (1,2)",
      "SELECT id FROM t WHERE c IN (2,1) AND (b=2 OR a=1)",
    ],
    ["the kind of quotes", "SELECT id FROM t WHERE a='It''s, it'", 'SELECT id FROM t WHERE a="It\'s, it"'],
    ["<> and !=", "SELECT id FROM t WHERE a<>1", "SELECT id FROM t WHERE a != 1"],
    [
      "the aliases of a join",
      "SELECT x.id FROM a x JOIN b y ON x.id=y.id",
      "SELECT p.id FROM a AS p INNER JOIN b AS q ON p.id=q.id",
    ],
  ])("does not depend on %s", (_, one, other) => {
    expect(identity(one)).toBe(identity(other));
  });

  it.each([
    ["case within a literal", "SELECT id FROM t WHERE a='X'", "SELECT id FROM t WHERE a='x'"],
    ["the ends of BETWEEN", "SELECT id FROM t WHERE a BETWEEN 1 AND 2", "SELECT id FROM t WHERE a BETWEEN 2 AND 1"],
    ["LIMIT", "SELECT id FROM t LIMIT 5", "SELECT id FROM t LIMIT 6"],
    ["ORDER BY", "SELECT id FROM t ORDER BY id", "SELECT id FROM t ORDER BY id DESC"],
    ["NOT", "SELECT id FROM t WHERE a IN (1)", "SELECT id FROM t WHERE a NOT IN (1)"],
    ["what OR joins", "SELECT id FROM t WHERE a=1 OR b=2 AND c=3", "SELECT id FROM t WHERE (a=1 OR b=2) AND c=3"],
    ["a table that is named like a key word", "SELECT id FROM `order`", "SELECT id FROM `group`"],
  ])("depends on %s", (_, one, other) => {
    expect(identity(one)).not.toBe(identity(other));
  });

  it("depends on the datasource, and on the time where the statement asks for it", () => {
    expect(identity("SELECT id FROM t")).not.toBe(identity("SELECT id FROM t", "billing"));
    const now = "SELECT id FROM t WHERE at > NOW() - INTERVAL 5 MINUTE";
    expect(sqlScope("shop", now, 1).identity).not.toBe(sqlScope("shop", now, 2).identity);
  });
});

describe("the coverage of a statement", () => {
  it("takes the conditions that all must hold apart, and no others", () => {
    const covers = coverage("SELECT id, a FROM t x WHERE (x.d BETWEEN 1 AND 5) AND a='u AND v' AND (b=1 OR c=2)");
    expect(covers).toMatchObject({ columns: ["id", "a"] });
    expect(covers?.filters).toHaveLength(3);
  });

  it.each([
    "SELECT count(*) FROM t",
    "SELECT a FROM t GROUP BY a",
    "SELECT id FROM t UNION SELECT id FROM u",
    "SELECT id FROM t WHERE a IN (SELECT b FROM u)",
  ])("is none for %s", (sql) => {
    expect(coverage(sql)).toBeNull();
  });

  it.each(["SELECT id FROM t LIMIT 5", "SELECT DISTINCT a FROM t"])("is partial for %s", (sql) => {
    expect(coverage(sql)?.partial).toBe(true);
  });
});
