import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";
import type { Cell, RowSet } from "../../../src/tools/query-mysql/executor.ts";
import { MASK, mysqlResultProjector } from "../../../src/tools/query-mysql/projector.ts";
import { type QueryMysqlResult, queryMysqlResult } from "../../../src/tools/query-mysql/result.ts";
import { bookshop, planOf } from "./bookshop.ts";

/** Holds back one word, as a redactor would, wherever it stands. */
const redact = {
  text: (text: string): string => text.replaceAll("hunter2", "[[secret:password]]"),
  field: (name: string, value: JsonValue): JsonValue =>
    name === "nick" && value === "ada" ? "[[user:abcdefgh]]" : typeof value === "string" ? redact.text(value) : value,
  tree: (value: JsonValue): JsonValue => value,
  comparable: (redacted: string): string => redacted,
};
const plan = planOf("SELECT id, title, mail FROM books JOIN (SELECT mail, nick FROM customers) c");

function project(
  rows: readonly (readonly Cell[])[],
  maxBytes = 16_384,
  cutByBytes = false,
  of = plan,
): QueryMysqlResult {
  const raw: RowSet = { rows, cutByBytes };
  const result = mysqlResultProjector({ ...bookshop, maxCellBytes: 256 }).project(raw as unknown as JsonValue, of, {
    limits: { maxBytes },
    redact,
  });
  return result as unknown as QueryMysqlResult;
}

describe("mysqlResultProjector", () => {
  it("keeps the types of values, masks sensitive columns and redacts the others by name and text", () => {
    const renamed = planOf("SELECT c.nick AS who, c.id, c.mail AS contact FROM customers c");
    const result = project(
      [
        ["ada", 1, "ada@mail.test"],
        ["x hunter2", 2.5, null],
        [true, null, ""],
      ],
      9_999,
      false,
      renamed,
    );
    expect(result.items.map(({ cells }) => cells)).toEqual([
      { who: "[[user:abcdefgh]]", id: 1, contact: MASK },
      { who: "x [[secret:password]]", id: 2.5, contact: null },
      { who: true, id: null, contact: MASK },
    ]);
    expect(result).toMatchObject({ truncated: false, columns: ["who", "id", "contact"] });
    expect(queryMysqlResult.parse(result)).toEqual(result);
  });

  it("does not show a secret as bytes", () => {
    const hex = (text: string) => ({ hex: Buffer.from(text).toString("hex") });
    const [item] = project([[1, hex("is hunter2"), null]]).items;
    expect(item?.cells["title"]).toBe("is [[secret:password]]");
    expect(project([[1, { hex: "ff00" }, null]]).items[0]?.cells["title"]).toEqual({ hex: "ff00" });
  });

  it("shows no long bytes of a column that the statement made, and its text without what may be a piece of a secret", () => {
    const made = planOf("SELECT CONCAT(title, 'x') AS made FROM books");
    const shown = (cell: Cell) => project([[cell]], 9_999, false, made).items[0]?.cells["made"];
    expect(shown({ hex: `ff${Buffer.from("hunter2 of all").toString("hex")}` })).toBe("[[secret:generic]]");
    expect(shown({ hex: Buffer.from("2VG3spEV").toString("hex") })).toBe("[[secret:generic]]");
    expect(shown({ hex: "ff00" })).toEqual({ hex: "ff00" });
    expect(shown("2VG3spEV, hunter2")).toBe("[[secret:generic]], [[secret:password]]");
    expect(shown("node-12 at 3.6.1")).toBe("node-12 at 3.6.1");
    expect(project([[1, "2VG3spEV", null]]).items[0]?.cells["title"]).toBe("2VG3spEV");
  });

  it("says truncated exactly when the row beyond the last one is there", () => {
    const rows = Array.from({ length: 21 }, (_, i) => [i, "t", null]);
    expect(project(rows.slice(0, 20))).toMatchObject({ truncated: false });
    expect(project(rows)).toMatchObject({ truncated: true });
    expect(project(rows).items).toHaveLength(20);
    expect(project(rows.slice(0, 3), 16_384, true)).toMatchObject({ truncated: true });
  });

  it("cuts a long text after redaction and names the column", () => {
    const [item] = project([[1, `${"x".repeat(240)} hunter2 hunter2 hunter2`, null]]).items;
    expect(item?.cut).toEqual(["title"]);
    expect(String(item?.cells["title"])).not.toContain("hunter2");
  });

  it("cuts a first row that would not fit, and says so when nothing fits", () => {
    const result = project([[1, "y".repeat(200), null]], 190);
    expect(result).toMatchObject({ truncated: true, items: [{ item_id: "r1", cut: ["title"] }] });
    expect(() => project([[1, "y", null]], 40)).toThrowError(expect.objectContaining({ code: "NOTHING_FITS" }));
    expect(() => project([], 16_384, true)).toThrowError(expect.objectContaining({ code: "NOTHING_FITS" }));
  });

  it("gives columns and no items for no rows", () => {
    expect(project([])).toEqual({ items: [], columns: ["id", "title", "mail"], truncated: false });
  });

  it("refuses a raw answer of another form", () => {
    const bad = [{ rows: [[1]], cutByBytes: false }, { rows: "x" }, null, { rows: [[1, {}, 2]], cutByBytes: false }];
    for (const raw of bad) {
      const run = () =>
        mysqlResultProjector({ ...bookshop, maxCellBytes: 256 }).project(raw as JsonValue, plan, {
          limits: { maxBytes: 999 },
          redact,
        });
      expect(run).toThrowError(expect.objectContaining({ code: "BACKEND_SCHEMA_ERROR" }));
    }
  });

  it("stays within the bytes, shows a prefix of the rows, keeps no planted secret and is the same every time", () => {
    const cell = fc.oneof(
      fc.integer(),
      fc.string({ unit: "grapheme" }),
      fc.constant("a hunter2"),
      fc.constant(null),
      fc.boolean(),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell), { maxLength: 25 }),
        fc.integer({ min: 400, max: 3_000 }),
        (rows, maxBytes) => {
          const result = project(rows, maxBytes);
          const text = JSON.stringify(result);
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
          expect(text).not.toContain("hunter2");
          expect(result.items.map(({ item_id }) => item_id)).toEqual(result.items.map((_, i) => `r${i + 1}`));
          expect(result.truncated || result.items.length === rows.length).toBe(true);
          expect(JSON.stringify(project(rows, maxBytes))).toBe(text);
        },
      ),
    );
  });
});
