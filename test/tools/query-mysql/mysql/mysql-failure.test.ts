import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BoundaryError } from "../../../../src/model/errors.ts";
import { mysqlFailure } from "../../../../src/tools/query-mysql/mysql/mysql-failure.ts";
import { openTables, type Tables } from "./tables.ts";

const SECRET = "hunter2-of-a-row";
let tables: Tables;

beforeAll(async () => {
  tables = await openTables(
    [
      "create table notes (id int primary key, body varchar(60), doc text, latin varchar(20) character set latin1 collate latin1_bin)",
      `insert into notes values (1, '${SECRET}', '{"a":', 'x'), (2, '${SECRET}', '[1]', 'y')`,
    ],
    { notes: ["id", "body", "doc", "latin"] },
  );
});
afterAll(async () => {
  await tables.close();
});

const failureOf = async (sql: string): Promise<BoundaryError> =>
  await tables.run(sql).then(
    () => {
      throw new Error("it was answered");
    },
    (error: BoundaryError) => error,
  );

describe("errors of a server", () => {
  it.each([
    ["QUERY_VALUE", "SELECT 9223372036854775807 + id FROM notes"],
    ["QUERY_VALUE", "SELECT EXP(10000 + id) FROM notes"],
    ["QUERY_VALUE", "SELECT id FROM notes, JSON_TABLE(doc, '$[*]' COLUMNS (a INT PATH '$')) j WHERE body <> ''"],
    ["QUERY_GROUPING", "SELECT id, COUNT(*) FROM notes GROUP BY body"],
    ["QUERY_GROUPING", "SELECT id, SUM(id) FROM notes"],
    ["QUERY_SUBQUERY", "SELECT (SELECT body FROM notes) FROM notes"],
    ["QUERY_COLLATION", "SELECT id FROM notes WHERE body COLLATE utf8mb4_bin = doc COLLATE utf8mb4_general_ci"],
    [
      "PARTIAL_RESULT",
      "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT COUNT(*) FROM n",
    ],
  ])("become %s: %s", async (code, sql) => {
    const error = await failureOf(sql);
    expect(error.code).toBe(code);
    expect(`${error.message} ${JSON.stringify(error)} ${String(error.cause)}`).not.toMatch(
      /hunter2|notes|Subquery returns/,
    );
  });

  it.each([
    [1142, "SOURCE_UNREADABLE"],
    [1045, "SOURCE_UNREADABLE"],
    [1054, "SCHEMA_CHANGED"],
    [1146, "SCHEMA_CHANGED"],
    [1969, "DEADLINE_EXCEEDED"],
    [3024, "DEADLINE_EXCEEDED"],
    [1317, "DEADLINE_EXCEEDED"],
    [1927, "BACKEND_UNAVAILABLE"],
    [1053, "BACKEND_UNAVAILABLE"],
    [1153, "RAW_TOO_LARGE"],
    [1292, "QUERY_VALUE"],
    [1365, "QUERY_VALUE"],
    [3141, "QUERY_VALUE"],
    [1139, "QUERY_REGEXP"],
    [3691, "QUERY_REGEXP"],
    [1267, "QUERY_COLLATION"],
    [3636, "PARTIAL_RESULT"],
    [1064, "BAD_QUERY"],
    [9999, "BAD_QUERY"],
  ])("have one code by their number: %d is %s", (errno, code) => {
    const error = mysqlFailure(Object.assign(new Error(SECRET), { errno, code: "ER_ANY", sqlMessage: SECRET }));
    expect(error.code).toBe(code);
    expect(`${error.message}${error.stack}`).not.toContain(SECRET);
    expect(error.cause).toBeUndefined();
  });

  it.each([
    ["ECONNREFUSED", "BACKEND_UNAVAILABLE"],
    ["PROTOCOL_CONNECTION_LOST", "BACKEND_UNAVAILABLE"],
    ["HANDSHAKE_NO_SSL_SUPPORT", "BACKEND_UNAVAILABLE"],
    [`it says ${SECRET}`, "BACKEND_ERROR"],
  ])("of the connection have one by their name: %s", (code, expected) => {
    const error = mysqlFailure(Object.assign(new Error(SECRET), { errno: -111, code }));
    expect(error.code).toBe(expected);
    expect(error.message).not.toContain(SECRET);
  });

  it("of anything else are no more than a code", () => {
    for (const thrown of [undefined, null, SECRET, { toString: () => SECRET }, new TypeError(SECRET)]) {
      expect(mysqlFailure(thrown)).toMatchObject({
        code: "BACKEND_ERROR",
        message: expect.not.stringContaining(SECRET),
      });
    }
  });
});
