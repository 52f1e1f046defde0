import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { codesOf, logs, rows } from "./evidence-fixture.ts";

const codes = (line: string, text: string, more: JsonObject = {}) => codesOf(logs([line]), { text, ...more });
const inRow = (cells: JsonObject, text: string, derived: JsonObject) =>
  codesOf(rows([cells]), { text, derived: [derived] });

describe("a unit that no item shows", () => {
  it.each<[string, JsonObject]>([
    ["8 hours", { value: 8, unit: "h", op: "convert", inputs: [8], input_units: ["h"] }],
    ["480 minutes", { value: 480, unit: "min", op: "convert", inputs: [8], input_units: ["h"] }],
    ["480 minutes", { value: 480, unit: "min", op: "convert", inputs: [8] }],
    ["800%", { value: 800, unit: "%", op: "convert", inputs: [8], input_units: ["ratio"] }],
    ["8 hours", { value: 8, unit: "h", op: "round", inputs: [8], digits: 0 }],
    ["8 hours", { value: 8, unit: "h", op: "sum", inputs: [8], input_units: ["h"] }],
    ["64 MB", { value: 64, unit: "MB", op: "product", inputs: [8, 8] }],
    ["1 s", { value: 1, unit: "s", op: "ratio", inputs: [8, 8] }],
    ["$8", { value: 8, unit: "USD", op: "round", inputs: [8], digits: 0 }],
    ["8 小时", { value: 8, unit: "小时", op: "convert", inputs: [8], input_units: ["小时"] }],
    ["480 分钟", { value: 480, unit: "分钟", op: "convert", inputs: [8], input_units: ["小时"] }],
  ])("is not taken from a derivation's own word: %s", async (text, derived) => {
    expect(await codes("checkout pool active=8", `It held on for ${text}.`, { derived: [derived] })).not.toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ["500 s", { value: 500, unit: "s", op: "round", inputs: [500], digits: 0 }],
    ["500 s", { value: 500, unit: "s", op: "round", inputs: [500], input_units: ["s"], digits: 0 }],
    ["500 s", { value: 500, unit: "s", op: "sum", inputs: [500] }],
    ["1000 s", { value: 1000, unit: "s", op: "sum", inputs: [500, 500] }],
    ["500 MB", { value: 500, unit: "MB", op: "round", inputs: [500], digits: 0 }],
    ["500 小时", { value: 500, unit: "小时", op: "convert", inputs: [500], input_units: ["小时"] }],
    ["1500 s", { value: 1500, unit: "s", op: "product", inputs: [500, 3] }],
  ])("does not take the place of the one that it shows: %s", async (text, derived) => {
    const found = await codes("p99 rose to 500 ms after 3 tries", `p99 rose to ${text}.`, { derived: [derived] });
    expect(found).toContain("EG_DERIVED_WRONG");
  });

  it("does not come from another number of the item", async () => {
    const derived = { value: 480, unit: "min", op: "convert", inputs: [8], input_units: ["h"] };
    expect(await codes("active=8 for 9 h", "It held on for 480 minutes.", { derived: [derived] })).not.toEqual([]);
    expect(await codes("active=8 for 8 h", "It held on for 480 minutes.", { derived: [derived] })).toEqual([]);
  });
});

describe("a unit that an item shows", () => {
  it.each<[JsonObject, string, JsonObject]>([
    [{ up_hours: 8 }, "480 minutes.", { value: 480, unit: "min", op: "convert", inputs: [8], input_units: ["h"] }],
    [{ up_hours: 8 }, "480 分钟。", { value: 480, unit: "分钟", op: "convert", inputs: [8] }],
    [{ note: "耗时 1234 毫秒" }, "约 1.2 秒。", { value: 1.2, unit: "秒", op: "round", inputs: [1234], digits: 1 }],
    [{ wait_ms: 1234.6 }, "About 1235 ms.", { value: 1235, op: "round", inputs: ["1234.6"], digits: 0 }],
    [{ a_ms: 1500, b_ms: 250 }, "1.75 s.", { value: 1.75, unit: "s", op: "sum", inputs: [1500, 250] }],
    [{ a_s: 2, b_ms: 250 }, "1750 ms.", { value: 1750, unit: "ms", op: "difference", inputs: [2, 250] }],
    [{ a_s: 2, b_ms: 250 }, "The ratio is 8.", { value: 8, op: "ratio", inputs: [2, 250] }],
    [{ wait_ms: 1500, n: 24 }, "62.5 ms each.", { value: 62.5, unit: "ms", op: "ratio", inputs: [1500, 24] }],
    [{ wait_ms: 1500, n: 4 }, "6 s in all.", { value: 6, unit: "s", op: "product", inputs: [1500, 4] }],
    [{ calls: 120, took_s: 60 }, "2 rps.", { value: 2, unit: "rps", op: "ratio", inputs: [120, 60] }],
    [{ hit_ratio: 0.42 }, "42%.", { value: 42, unit: "%", op: "convert", inputs: [0.42], input_units: ["ratio"] }],
    [{ a: 30, b: 40, currency: "CNY" }, "共 70 元。", { value: 70, unit: "CNY", op: "sum", inputs: [30, 40] }],
    [{ failed: 24, total: 1176 }, "2.04%.", { value: 2.04, unit: "%", op: "percent", inputs: [24, 1176] }],
    [{ failed: 24, late: 6 }, "30 orders.", { value: 30, unit: "orders", op: "sum", inputs: [24, 6] }],
  ])("is kept and converted: %j supports %s", async (cells, text, derived) => {
    expect(await inRow(cells, text, derived)).toEqual([]);
  });
});

describe("a currency in a cell of its own", () => {
  const money = (cells: readonly JsonObject[], text: string, derived: JsonObject) =>
    codesOf(
      cells.map((cell, i) => rows([cell], { id: `row${i}` })),
      { text, derived: [{ unit: "USD", ...derived }] },
    );
  const cart = { price: "19.90", quantity: 3, currency: "USD" };
  const [dollars, yuan] = [
    { amount: "120", currency: "USD" },
    { amount: "88", currency: "CNY" },
  ];

  it("belongs to the price or the sum, not to the count beside it", async () => {
    const product = { value: "59.7", op: "product" };
    expect(await money([cart], "$59.70 in all.", { ...product, inputs: ["19.90", 3] })).toEqual([]);
    expect(await money([cart], "$59.70 in all.", { ...product, inputs: [3, "19.90"] })).toEqual([]);
    const mean = { value: 40, op: "ratio", inputs: ["120", 3] };
    expect(await money([{ ...dollars, orders: 3 }], "$40 an order.", mean)).toEqual([]);
  });

  it("is not added to another", async () => {
    const sum = { value: 208, op: "sum", inputs: ["120", "88"] };
    expect(await money([dollars, yuan], "$208 in all.", sum)).toContain("EG_DERIVED_WRONG");
    expect(await money([dollars, { ...yuan, currency: "USD" }], "$208 in all.", sum)).toEqual([]);
    const gap = { value: 32, op: "difference", inputs: ["120", "88"] };
    expect(await money([dollars, yuan], "$32 more.", gap)).toContain("EG_DERIVED_WRONG");
  });
});

describe("a version", () => {
  it.each([
    ["deploy v4.18.0 done", "Version 4.18.0 was deployed."],
    ["deploy 4.18.0 done", "v4.18.0 was deployed."],
    ["image checkout:V4.18.0-rc1 pulled", "4.18.0-rc1 was pulled."],
    ["deploy v4.18 done", "Version 4.18 was deployed."],
    ["upgraded to version 4.18", "v4.18 is in use."],
    ["发布 v4.18.0 完成", "4.18.0 版本已发布。"],
    ["发布 v4.18 完成", "已发布 4.18 版本。"],
    ["已升级到版本 18", "v18 已上线。"],
  ])("is the same with its v and without: %s → %s", async (line, text) => {
    expect(await codes(line, text)).toEqual([]);
  });

  it.each([
    ["deploy v4.18.0 done", "Version 4.18.1 was deployed."],
    ["deploy v4.18.0 done", "Version 4.18 was deployed."],
    ["deploy v4.18.0 done", "Version 18.0 was deployed."],
    ["deploy v14.18.0 done", "Version 4.18.0 was deployed."],
    ["deploy v4.18.0-rc1 done", "Version 4.18.0 was deployed."],
    ["deploy v18 done", "18 pods were deployed."],
    ["deploy v4.18 done", "It took 4.18 s."],
    ["it took 4.18 s", "v4.18 was deployed."],
    ["18 个实例重启", "v18 已上线。"],
    ["发布 v4.18.0 完成", "4.19.0 版本已发布。"],
  ])("does not support another number: %s ↛ %s", async (line, text) => {
    expect(await codes(line, text)).not.toEqual([]);
  });
});
