import { describe, expect, it } from "vitest";
import { defineTool } from "../../../src/tools/define-tool.ts";
import type { MysqlReadOnlyExecutor } from "../../../src/tools/query-mysql/executor.ts";
import type { MysqlQueryPlan } from "../../../src/tools/query-mysql/plan.ts";
import { queryMysqlTool } from "../../../src/tools/query-mysql/query-mysql.ts";
import { bookshop } from "./bookshop.ts";

class RecordingExecutor implements MysqlReadOnlyExecutor {
  readonly calls: { readonly plan: MysqlQueryPlan; readonly maxRawBytes: number }[] = [];

  execute(plan: MysqlQueryPlan, { maxRawBytes }: { maxRawBytes: number }) {
    this.calls.push({ plan, maxRawBytes });
    return Promise.resolve({ rows: [[1]], cutByBytes: false });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const executor = new RecordingExecutor();
const tool = defineTool(queryMysqlTool({ policy: bookshop, executor }));
const context = { now: 1_000, alias: (text: string): string => (text === "[[user:abcdefgh]]" ? "ada" : text) };
const prepare = (request: { datasource?: string; sql: string }) => tool.prepare(tool.parse(request), context);

describe("queryMysqlTool", () => {
  it("tells the model which tables and columns it may use, and nothing of the hidden ones", () => {
    expect(tool.description).toContain("books(id, title, genre, price, stock, attrs, added_on)");
    expect(tool.description).toContain("mail*");
    expect(tool.description).not.toMatch(/pass_hash|card_no/);
  });

  it("hands the executor a plan, under the smaller of the two byte caps", async () => {
    await prepare({ sql: "SELECT id FROM books WHERE title = 'x'" }).execute({
      signal: new AbortController().signal,
      maxRawBytes: 500,
    });
    expect(executor.calls.at(-1)).toMatchObject({ maxRawBytes: 500, plan: { params: ["x"], dialect: "mysql" } });
  });

  it("shows datasource and tables as its scope, never a value of the statement", () => {
    const { scope } = prepare({
      datasource: "bookshop",
      sql: "SELECT id FROM customers WHERE nick = '[[user:abcdefgh]]'",
    });
    expect(scope).toEqual({ datasource: "bookshop", tables: ["main_shop.customers"] });
  });

  it("has one identity for one question, and another one each moment where the clock is asked", () => {
    const identity = (sql: string, now = 1_000): string => tool.prepare({ sql }, { ...context, now }).identity;
    expect(identity("SELECT id FROM books", 1)).toBe(identity("select ID from `books`;", 2));
    expect(identity("SELECT NOW()", 1)).not.toBe(identity("SELECT NOW()", 2));
  });

  it("refuses with a code and the field", () => {
    const refusal = (code: string, field: string) => expect.objectContaining({ code, field });
    expect(() => prepare({ sql: "SELECT pass_hash FROM customers" })).toThrowError(refusal("SQL_COLUMN", "sql"));
    expect(() => prepare({ datasource: "other", sql: "SELECT 1" })).toThrowError(
      refusal("SOURCE_NOT_FOUND", "datasource"),
    );
    expect(() => tool.parse({ sql: "SELECT 1", limit: 5 })).toThrowError(
      expect.objectContaining({ code: "REQUEST_INVALID" }),
    );
  });
});
