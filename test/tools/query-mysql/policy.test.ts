import { describe, expect, it } from "vitest";
import { BoundaryError } from "../../../src/model/errors.ts";
import { parseSqlPolicy, sqlPolicyDigest } from "../../../src/tools/query-mysql/policy.ts";

const valid = { datasource: "d", defaultSchema: "s", tables: { "s.t": ["a", "b"] } };

function complaint(content: unknown): string {
  try {
    parseSqlPolicy(content);
    return "";
  } catch (error) {
    if (!BoundaryError.is(error)) throw error;
    expect(error.code).toBe("CONFIG_INVALID");
    return error.message;
  }
}

describe("parseSqlPolicy", () => {
  it("fills in the limits that are left out", () => {
    expect(parseSqlPolicy(valid)).toMatchObject({
      maxRows: 200,
      maxSqlBytes: 16_384,
      maxDepth: 32,
      maxCellBytes: 2_048,
    });
  });

  it.each([
    ["tables: ", { ...valid, tables: undefined }],
    ["maxRows: ", { ...valid, maxRows: 0 }],
    ["maxRow: unknown field; did you mean maxRows?", { ...valid, maxRow: 5 }],
    ["sensitiveColumn: unknown field; did you mean sensitiveColumns?", { ...valid, sensitiveColumn: {} }],
    ["tables.t: write schema.table", { ...valid, tables: { t: ["a"] } }],
    ["tables.s.t: at least one column is needed", { ...valid, tables: { "s.t": [] } }],
    ["sensitiveColumns.s.t: aa is no column of it; did you mean a?", { ...valid, sensitiveColumns: { "s.t": ["aa"] } }],
    ["hiddenColumns.s.u: not a table of 'tables'; did you mean s.t?", { ...valid, hiddenColumns: { "s.u": ["x"] } }],
    ["tables.s.t: a is listed twice or hidden as well", { ...valid, hiddenColumns: { "s.t": ["a"] } }],
    ["tables.s.t: A is listed twice or hidden as well", { ...valid, tables: { "s.t": ["a", "A"] } }],
    ["policy: ", "not an object"],
  ])("names the place: %s", (text, content) => {
    expect(complaint(content)).toContain(text);
  });
});

describe("sqlPolicyDigest", () => {
  it("changes with whatever changes what is shown", () => {
    const digest = (more: object): string => sqlPolicyDigest(parseSqlPolicy({ ...valid, ...more }));
    const others = [
      {},
      { maxRows: 5 },
      { maxCellBytes: 100 },
      { sensitiveColumns: { "s.t": ["b"] } },
      { tables: { "s.t": ["a"] } },
    ];
    expect(new Set(others.map(digest)).size).toBe(others.length);
    expect(digest({})).toBe(digest({ notes: "the same" }));
  });
});
