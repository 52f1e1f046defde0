import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cite, codesOf, logs, passages, rows } from "./evidence-fixture.ts";

const inLog = (line: string, text: string) => codesOf(logs([line]), { text });
const inRow = (cells: Record<string, string | number | boolean | null>, text: string) =>
  codesOf(rows([cells]), { text });

describe("numbers", () => {
  it.each([
    ["queue holds 18,250 jobs", "18250 jobs are queued."],
    ["pause of 1250 ms", "It paused for 1.25 s."],
    ["pause of 1250 ms", "停顿 1.25 秒。"],
    ["lease 1m30s", "租约为 90 秒。"],
    ["heap 1.5GiB", "The heap holds 1536 MiB."],
    ["limit 256Mi", "The limit is 256 MiB."],
    ["took 80–95 ms", "took 80 到 95 毫秒"],
    ["took 80-95ms", "It took between 0.08 and 0.095 s."],
    ["disk ８８％", "The disk is at 88%."],
    ["磁盘 88%", "磁盘使用达到百分之88。"],
    ['{"pause_ms":1250}', "It paused for 1.25 s."],
    ["node gw-12 of release 4.8.1 left", "gw-12 (release 4.8.1) left."],
    ["p99 of 40 ms", "The p99 is 40 ms."],
    ["retry 4 of 9", "The 4th retry of 9."],
    ["GET /cart 502", "There were 5xx errors."],
  ])("of %j support %j", async (line, text) => {
    expect(await inLog(line, text)).toEqual([]);
  });

  it.each([
    ["queue holds 1825 jobs", "18250 jobs are queued."],
    ["shards 4,7 are red", "47 shards are red."],
    ["node gw-12 left", "12 nodes left."],
    ["release 4.8.1 started", "Release 4.8 started."],
    ["code ERR211", "The code is ERR212."],
    ["peer 10.4.0.9:9092 reset", "9 peers reset."],
    ["at 09:14 the peer reset", "14 peers reset."],
    ["null", "0 jobs."],
    ["p99 of 40 ms", "The p95 is 40 ms."],
    ["retry 4 of 9", "The 5th retry of 9."],
    ["GET /cart 502", "There were 4xx errors."],
    ["37 jobs", "٣٨ jobs."],
    ["disk 88%", "磁盘使用达到百分之89。"],
  ])("of %j do not support %j", async (line, text) => {
    expect(await inLog(line, text)).toEqual(["EG_NUMBER_NOT_IN_EVIDENCE"]);
  });

  it("keep every digit, however many there are", async () => {
    expect(await inRow({ id: "9223372036854775807" }, "Row 9223372036854775807.")).toEqual([]);
    expect(await inRow({ id: "9223372036854775807" }, "Row 9223372036854775806.")).toEqual([
      "EG_NUMBER_NOT_IN_EVIDENCE",
    ]);
  });

  it("only warn where the source is prose", async () => {
    const guide = passages(["Keep at most 40 partitions on a broker, and wait 20 s."]);
    expect(await codesOf(guide, { kind: "recommendation", text: "Keep 40 partitions, wait 20000 ms." })).toEqual([]);
    expect(await codesOf(guide, { kind: "recommendation", text: "Keep 60 partitions." })).toEqual([
      "EG_NUMBER_NOT_IN_PROSE",
    ]);
    expect(await codesOf(guide, { kind: "recommendation", text: "1. Stop writers. 2. Wait 20 s." })).toEqual([]);
    expect(await codesOf(guide, { kind: "recommendation", text: "Keep partitions: 2. Then wait." })).toEqual([
      "EG_NUMBER_NOT_IN_PROSE",
    ]);
  });
});

describe("units and currencies", () => {
  it.each([
    ["EG_UNIT_MISMATCH", { pause_ms: 1250 }, "It paused for 1250 s."],
    ["EG_UNIT_MISMATCH", { pause: 1250, unit: "ms" }, "It paused for 1250 minutes."],
    ["EG_UNIT_MISMATCH", { pause_ms: 1250, waiters: 1250 }, "It paused for 1250 s."],
    ["EG_UNIT_ASSUMED", { pause: 1250 }, "It paused for 1250 ms."],
    ["EG_UNIT_ASSUMED", { hit_ratio: 0.42 }, "The hit ratio is 42%."],
    ["EG_UNIT_ASSUMED", { price: 30 }, "价格为 30 元。"],
    ["EG_UNIT_MISMATCH", { price: 30, currency: "CNY" }, "The price is $30."],
    ["EG_NUMBER_NOT_IN_EVIDENCE", { size_bytes: 1_048_576 }, "The file has 1 MB."],
  ])("give %s for %j", async (code, cells, text) => {
    expect(await inRow(cells, text)).toEqual([code]);
  });

  it.each([
    [{ price: 30, currency: "CNY" }, "价格为 30 元。"],
    [{ price_usd: 30 }, "The price is USD 30."],
    [{ note: "refunded ¥30" }, "退款 30 元。"],
    [{ size_bytes: 1_048_576 }, "The file has 1 MiB."],
    [{ rows: 23_000 }, "共计 2.3 万行。"],
    [{ mark: 5 }, "评分 5 分。"],
  ])("agree with %j", async (cells, text) => {
    expect(await inRow(cells, text)).toEqual([]);
  });
});

describe("signs and directions", () => {
  it.each([
    [{ stock_change: -40 }, "Stock fell by 40.", []],
    [{ stock_change: -40 }, "库存减少 40。", []],
    [{ stock_change: -40 }, "The change is -40.", []],
    [{ stock_change: -40 }, "The change is 40.", ["EG_SIGN_MISMATCH"]],
    [{ stock_change: -40 }, "Stock rose by 40.", ["EG_SIGN_MISMATCH"]],
    [{ stock_change: 40 }, "库存下降 40。", ["EG_SIGN_MISMATCH"]],
    [{ packets: 40 }, "It dropped 40 packets.", []],
    [{ packets: 40 }, "-40 packets.", ["EG_SIGN_MISMATCH"]],
    [{ stock_change: -40, load_change: 15 }, "Stock fell by 40, load rose by 15.", []],
    [{ stock_change: -40, load_change: 15 }, "Stock rose by 40, load fell by 15.", ["EG_SIGN_MISMATCH"]],
  ])("of %j against %j: %j", async (cells, text, codes) => {
    expect(await inRow(cells as never, text)).toEqual(codes);
  });
});

describe("derived numbers", () => {
  const record = rows([
    { failed: 24, wait_ms: 1500 },
    { failed: 1_176, wait_ms: 250 },
  ]);
  const derived = (text: string, ...list: object[]) =>
    codesOf(record, { text, citations: cite(record, "r1", "r2"), derived: list as never });

  it.each([
    ["sum", { op: "sum", value: 1200, inputs: [24, 1176] }, "1200 in all"],
    ["difference", { op: "difference", value: "1152", inputs: ["1176", "24"] }, "1152 apart"],
    ["product", { op: "product", value: 28_224, inputs: [24, 1176] }, "28224"],
    ["percent that does not end", { op: "percent", value: 2.04, inputs: [24, 1176] }, "2.04%"],
    [
      "sum with units",
      { op: "sum", value: 1.75, unit: "s", inputs: [1500, 250], input_units: ["ms", "ms"] },
      "1.75 s in all",
    ],
    ["conversion", { op: "convert", value: 0.025, unit: "min", inputs: [1500], input_units: ["ms"] }, "0.025 minutes"],
    ["rounding", { op: "round", value: 1180, inputs: [1176], digits: 0 }, ""],
  ])("are computed again: %s", async (name, one, text) => {
    expect(await derived(text || "about 1180", one)).toEqual(name === "rounding" ? ["EG_DERIVED_WRONG"] : []);
  });

  it("may use results before them, and nothing that is not cited", async () => {
    const sum = { op: "sum", value: 1200, inputs: [24, 1176] };
    expect(await derived("2% of 1200 failed.", sum, { op: "percent", value: 2, inputs: [24, 1200] })).toEqual([]);
    expect(await derived("2% failed.", { op: "percent", value: 2, inputs: [24, 1200] })).toEqual(["EG_DERIVED_WRONG"]);
  });

  it("are wrong when they do not compute, are cut short, or divide by nothing", async () => {
    expect(await derived("1201 in all", { op: "sum", value: 1201, inputs: [24, 1176] })).toEqual(["EG_DERIVED_WRONG"]);
    expect(await derived("a ratio of 0.7", { op: "ratio", value: 0.7, inputs: [24, 1176] })).toContain(
      "EG_DERIVED_WRONG",
    );
    expect(await derived("a ratio of 6", { op: "ratio", value: "6.1", inputs: ["1500", "250"] })).toContain(
      "EG_DERIVED_WRONG",
    );
    expect(
      await codesOf(rows([{ a: 1, b: 0 }]), { text: "Nothing.", derived: [{ op: "ratio", value: 0, inputs: [1, 0] }] }),
    ).toEqual(["EG_DERIVED_WRONG"]);
  });

  it("add decimals as decimals", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -9_999, max: 9_999 }),
        fc.integer({ min: -9_999, max: 9_999 }),
        async (a, b) => {
          const [x, y] = [(a / 100).toFixed(2), (b / 100).toFixed(2)];
          const sum = ((a + b) / 100).toFixed(2);
          const claim = (value: string) =>
            codesOf(rows([{ x, y }]), { text: "Summed.", derived: [{ op: "sum", value, inputs: [x, y] }] });
          expect(await claim(sum)).toEqual([]);
          expect(await claim(((a + b + 1) / 100).toFixed(2))).toEqual(["EG_DERIVED_WRONG"]);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("counts", () => {
  const cut = logs(["09:01:00 ERROR a", "09:02:00 ERROR b"], { truncated: true });
  const count = (record: ReturnType<typeof logs>, op: string, value: number, text = "Errors were logged.") =>
    codesOf(record, { text, count: { op, value }, citations: cite(record, "e1", "e2") });

  it.each([
    [">=", 2, []],
    [">", 1, []],
    [">=", 3, ["EG_COUNT_MISMATCH"]],
    ["=", 2, ["EG_TRUNCATED_AS_COMPLETE"]],
    ["<=", 9, ["EG_TRUNCATED_AS_COMPLETE"]],
    ["<", 9, ["EG_TRUNCATED_AS_COMPLETE"]],
  ])("of a cut result: %s %i gives %j", async (op, value, codes) => {
    expect(await count(cut, op, value)).toEqual(codes);
  });

  it("of a complete result are compared, and excuse only their own number", async () => {
    const whole = rows([{ id: 71 }, { id: 72 }, { id: 73 }]);
    const call = { citations: [{ tool_call_id: "rows" }] };
    expect(await codesOf(whole, { ...call, text: "3 rows.", count: { op: "=", value: 3 } })).toEqual([]);
    expect(await codesOf(whole, { ...call, text: "4 rows.", count: { op: "=", value: 4 } })).toEqual([
      "EG_COUNT_MISMATCH",
    ]);
    expect(await codesOf(whole, { ...call, text: "3 rows, 8 late.", count: { op: "=", value: 3 } })).toEqual([
      "EG_NUMBER_NOT_IN_EVIDENCE",
    ]);
    expect(await codesOf(rows([]), { ...call, text: "0 rows.", count: { op: "=", value: 0 } })).toEqual([]);
  });

  it("of a pattern are its own, as long as the backend was read to its end", async () => {
    const pattern = (flags: object) => ({
      ...cut,
      result: { truncated: true, ...flags, items: [{ item_id: "e1", text: "late <*>", count: 57 }] },
    });
    const claim = { text: "57 times.", count: { op: "=", value: 57 } };
    expect(await codesOf(pattern({ backend_truncated: false, partial: false }), claim)).toEqual([]);
    expect(await codesOf(pattern({ backend_truncated: true }), claim)).toEqual(["EG_TRUNCATED_AS_COMPLETE"]);
  });

  it("of a whole answer may be its own total", async () => {
    const answer = (flags: object) => ({ ...cut, result: { ...cut.result, matched_events: 57, ...flags } });
    const claim = { text: "57 events.", count: { op: "=", value: 57 }, citations: [{ tool_call_id: "logs" }] };
    expect(await codesOf(answer({ backend_truncated: false, partial: false }), claim)).toEqual([]);
    expect(await codesOf(answer({ backend_truncated: true }), claim)).toEqual(["EG_TRUNCATED_AS_COMPLETE"]);
  });

  it.each([
    "All errors are late.",
    "Only a is late.",
    "所有错误都是超时。",
    "只有 a 超时。",
    "总共 2 条错误。",
    "Exactly 2 errors.",
  ])("that a text only suggests do not rest on a cut result: %s", async (text) => {
    expect(await codesOf(cut, { text, citations: cite(cut, "e1", "e2") })).toEqual(["EG_TRUNCATED_AS_COMPLETE"]);
  });

  it("leave words alone that only look like totals, or stand in a quoted line", async () => {
    const lines = logs(["09:01:00 ERROR all replicas are read-only"], { truncated: true });
    for (const text of [
      "Overall it is slow.",
      "It is read-only.",
      "不仅如此。",
      'It says "all replicas are read-only".',
    ]) {
      expect(await codesOf(lines, { text })).toEqual([]);
    }
  });
});
