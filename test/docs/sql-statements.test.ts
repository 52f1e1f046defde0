import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { BOUNDARY_ERROR_CODES } from "../../src/model/errors.ts";
import { policyCatalog } from "../../src/tools/query-mysql/catalog.ts";
import { parseSqlPolicy } from "../../src/tools/query-mysql/policy.ts";
import { FUNCTIONS } from "../../src/tools/query-mysql/sql/functions.ts";
import { MysqlSqlValidator } from "../../src/tools/query-mysql/validator.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(resolve(root, path), "utf8");
const page = read("docs/sql.md");
const policy = parseSqlPolicy(parse(read("examples/incident/policy.yaml")));
const validator = new MysqlSqlValidator(policy, policyCatalog(policy));

const accepted = [...page.matchAll(/^\| [^|]+ \| `([^`]+)` \|$/gm)].map(([, sql = ""]) => sql);
const refused = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)].map(
  ([, code = "", statement = "", instead = ""]) => ({ code, statement, instead }),
);
const statements = refused.filter(({ statement }) => statement.startsWith("`SEL") || statement.startsWith("`UPD"));

describe("docs/sql.md", () => {
  it("has its tables", () => {
    expect(accepted.length).toBeGreaterThan(12);
    expect(statements.length).toBeGreaterThan(10);
  });

  it.each(accepted)("is right that %s is accepted", (sql) => {
    expect(validator.validate(sql)).toMatchObject({ kind: "allowed" });
  });

  it.each(statements)("is right that $statement is $code, and about what to write instead", (row) => {
    expect(validator.validate(row.statement.replaceAll("`", ""))).toMatchObject({ kind: "rejected", code: row.code });
    expect(validator.validate(row.instead.replaceAll("`", ""))).toMatchObject({ kind: "allowed" });
  });

  it("has every code with which a statement is refused", () => {
    const codes = BOUNDARY_ERROR_CODES.filter((code) =>
      /^(SQL_.*|SENSITIVE_COLUMN|ALIAS_POSITION|PLACEHOLDER_IN_REQUEST)$/.test(code),
    );
    expect(refused.map(({ code }) => code).sort()).toEqual([...codes].sort());
  });

  it("lists every function there is, and no other", () => {
    const [, list = ""] = /^## Functions\n([\s\S]*?)^## /m.exec(page) ?? [];
    const names = [...list.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name);
    expect(names.sort()).toEqual([...FUNCTIONS.keys()].sort());
  });
});
