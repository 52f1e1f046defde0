import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cell } from "../../../../src/tools/query-mysql/executor.ts";
import { ByteMeter } from "../../../../src/tools/query-mysql/mysql/byte-meter.ts";
import { prepareField } from "../../../../src/tools/query-mysql/mysql/cells.ts";
import { openTables, type Tables } from "./tables.ts";

const DIGITS = "9".repeat(65);

/** Column type, the value as it is written, the cell. */
const VALUES: readonly (readonly [string, string, Cell])[] = [
  ["tinyint", "-128", -128],
  ["tinyint(1)", "1", 1],
  ["boolean", "true", 1],
  ["tinyint unsigned", "255", 255],
  ["smallint", "-32768", -32_768],
  ["mediumint unsigned", "16777215", 16_777_215],
  ["int", "-2147483648", -2_147_483_648],
  ["int unsigned", "4294967295", 4_294_967_295],
  ["bigint", "9007199254740991", 9_007_199_254_740_991],
  ["bigint", "9007199254740992", "9007199254740992"],
  ["bigint", "-9223372036854775808", "-9223372036854775808"],
  ["bigint unsigned", "18446744073709551615", "18446744073709551615"],
  ["decimal(65,0)", DIGITS, DIGITS],
  ["decimal(60,30)", "0.123456789012345678901234567891", "0.123456789012345678901234567891"],
  ["decimal(10,2)", "1.5", "1.50"],
  ["float", "1.1", 1.1],
  ["float", "16777216", 16_777_216],
  ["double", "1.7976931348623157e308", 1.7976931348623157e308],
  ["year", "2024", 2024],
  ["bit(10)", "b'1000000001'", { hex: "0201" }],
  ["date", "'2024-02-29'", "2024-02-29"],
  ["date", "'0000-00-00'", "0000-00-00"],
  ["date", "'2024-00-00'", "2024-00-00"],
  ["datetime", "'0000-00-00 00:00:00'", "0000-00-00 00:00:00"],
  ["datetime", "'9999-12-31 23:59:59'", "9999-12-31 23:59:59"],
  ["datetime(3)", "'2024-01-01 10:00:00'", "2024-01-01 10:00:00.000"],
  ["datetime(3)", "'2024-01-01 10:00:00.12'", "2024-01-01 10:00:00.120"],
  ["timestamp(6)", "'2024-01-01 00:00:00.000001'", "2024-01-01 00:00:00.000001"],
  ["time", "'-838:59:59'", "-838:59:59"],
  ["time(2)", "'25:00:00.5'", "25:00:00.50"],
  ["time(6)", "'00:00:00'", "00:00:00.000000"],
  ["char(5)", "'ab'", "ab"],
  ["varchar(20)", "'it''s 海🔥'", "it's 海🔥"],
  ["varchar(20)", "'\ufffd'", "\ufffd"],
  ["varchar(20) character set latin1", "'é'", "é"],
  ["text", "''", ""],
  ["enum('small','大')", "'大'", "大"],
  ["set('x','y')", "'x,y'", "x,y"],
  ["json", `'{"a": [1, 2.5, "ü"]}'`, '{"a": [1, 2.5, "ü"]}'],
  ["binary(4)", "X'00ff'", { hex: "00ff0000" }],
  ["varbinary(9)", "'text'", { hex: "74657874" }],
  ["blob", "X'ff00fe'", { hex: "ff00fe" }],
  ["point", "point(1, 2)", { hex: "000000000101000000000000000000f03f0000000000000040" }],
  ["varchar(9)", "null", null],
  ["datetime(6)", "null", null],
];
const names = VALUES.map((_, i) => `v${i}`);
let tables: Tables;

beforeAll(async () => {
  tables = await openTables(
    [
      "set sql_mode = ''",
      "set time_zone = '+00:00'",
      `create table kinds (${VALUES.map(([type], i) => `v${i} ${type} null`).join(", ")}) character set utf8mb4`,
      `insert into kinds values (${VALUES.map(([, written]) => written).join(", ")})`,
    ],
    { kinds: names },
  );
});
afterAll(async () => {
  await tables.close();
});

describe("cells of a server's types", () => {
  it("are exact, each by its type", async () => {
    const { rows } = await tables.run("SELECT * FROM kinds");
    expect(rows[0]?.map((cell, i) => [VALUES[i]?.[0], cell])).toEqual(VALUES.map(([type, , cell]) => [type, cell]));
  });

  it("of calculated values have the type of the calculation", async () => {
    const sql =
      "SELECT 1 = 1, 1.10 * 3, 1e3, 0x41, CAST(1.1 AS FLOAT), SUM(v8), AVG(v6), COUNT(*), MAX(v26), NULL, CONCAT(v6, 'x'), " +
      "JSON_EXTRACT(v38, '$.a[2]'), TIMEDIFF('10:00:00', '12:30:00'), v12 + 1 FROM kinds GROUP BY v12, v6, v38";
    expect((await tables.run(sql.replace("v12 + 1", "v14 + 1").replace("BY v12", "BY v14"))).rows).toEqual([
      [
        ...[1, "3.30", 1_000, { hex: "41" }, 1.1, "9007199254740991", "-2147483648.0000", 1, "2024-01-01 10:00:00.120"],
        ...[null, "-2147483648x", '"ü"', "-02:30:00", "2.50"],
      ],
    ]);
  });

  it("are bytes where what was said to be text is none", () => {
    const read = prepareField({ columnType: 253, characterSet: 45, decimals: 0 });
    const bytes = (text: string) => read(Buffer.from(text).toString("latin1"));
    expect(read("a\u00ff")).toEqual({ hex: "61ff" });
    expect(bytes("\ufffd ok")).toBe("\ufffd ok");
    expect(bytes("\ufeffmark")).toBe("\ufeffmark");
  });
});

describe("ByteMeter", () => {
  it("lets through exactly the rows that fit as JSON", () => {
    const cell = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constant('\u0001\n"\\'),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
      fc.uint8Array({ maxLength: 9 }).map((bytes) => ({ hex: Buffer.from(bytes).toString("hex") })),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
        fc.nat(600),
        (rows, most) => {
          const meter = new ByteMeter(most);
          const kept: (readonly Cell[])[] = [];
          for (const row of rows) {
            if (!meter.fits(row, kept)) break;
            kept.push(row);
          }
          const bytes = (some: readonly unknown[]): number =>
            Buffer.byteLength(JSON.stringify({ rows: some, cutByBytes: false }));
          if (kept.length > 0) expect(bytes(kept)).toBeLessThanOrEqual(most);
          if (kept.length < rows.length) expect(bytes(rows.slice(0, kept.length + 1))).toBeGreaterThan(most - 4);
        },
      ),
    );
  });
});
