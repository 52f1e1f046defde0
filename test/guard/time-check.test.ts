import { describe, expect, it } from "vitest";
import { cite, codesOf, logs, rows } from "./evidence-fixture.ts";

const record = logs(["09:12:04 ERROR broker silent", "09:13:10.250 INFO broker back"]);
const first = (text: string, source = record) => codesOf(source, { text });
const OUT = ["EG_TIME_OUT_OF_SCOPE"];

describe("times of a claim", () => {
  it.each([
    "At 09:12 the broker was silent.",
    "At 09:12:04 the broker was silent.",
    "At 9:12 AM the broker was silent.",
    "9点12分经纪节点无响应。",
    "2026年3月11日09时12分04秒无响应。",
    "On 11 March 2026 at 09:12 the broker was silent.",
    "2026/3/11 经纪节点无响应。",
    "北京时间 17:12 无响应。",
    "At 17:12 (UTC+8) the broker was silent.",
    "At 2026-03-11T17:12:04+08:00 the broker was silent.",
    "Between 09:10 and 09:15 the broker was silent.",
    "09:00–09:30 期间无响应。",
    "After 09:12 the broker was silent.",
    "今天 09:12 无响应。",
  ])("are those of the cited item: %s", async (text) => {
    expect(await first(text)).toEqual([]);
  });

  it.each([
    "At 09:12:05 the broker was silent.",
    "At 09:20 the broker was silent.",
    "At 9:12 PM the broker was silent.",
    "At 17:12 the broker was silent.",
    "At 09:12 (UTC+8) the broker was silent.",
    "On 10 March 2026 at 09:12 the broker was silent.",
    "3月10日经纪节点无响应。",
    "Between 2026-03-10 09:00 and 09:30 the broker was silent.",
    "Between 08:00 and 10:00 the broker was silent.",
    "Between 09:15 and 09:20 the broker was silent.",
    "Before 09:12 the broker was silent.",
    "Yesterday at 09:12 the broker was silent.",
    "上周经纪节点无响应。",
  ])("are not made up: %s", async (text) => {
    expect(await first(text)).toEqual(OUT);
  });

  it("may be as fine as the item's, and no finer", async () => {
    const second = (text: string) => codesOf(record, { text, citations: cite(record, "e2") });
    expect(await second("Back at 09:13:10.")).toEqual([]);
    expect(await second("Back at 09:13:10.250.")).toEqual([]);
    expect(await second("Back at 09:13:10.251.")).toEqual(OUT);
    expect(await first("Silent at 09:12:04.000.")).toEqual(OUT);
  });

  it("follow the scope's zone and pass midnight", async () => {
    const night = logs(["23:58:00 ERROR a", "00:04:00 ERROR b"], {
      scope: { time_from: "2026-03-11T23:50:00+08:00", time_to: "2026-03-12T00:10:00+08:00" },
    });
    const second = (text: string) => codesOf(night, { text, citations: cite(night, "e2") });
    expect(await second("Between 23:50 and 00:10 b failed.")).toEqual([]);
    expect(await second("On 12 March at 00:04 b failed.")).toEqual([]);
    expect(await second("At 16:04 UTC b failed.")).toEqual([]);
    expect(await second("On 11 March at 00:04 b failed.")).toEqual(OUT);
  });

  it("are read from cells where there is no window", async () => {
    const row = rows([{ refunded_at: "2026-03-11 08:05:33" }]);
    expect(await first("Refunded at 08:05 on 2026-03-11.", row)).toEqual([]);
    expect(await first("Refunded at 08:05:34.", row)).toEqual(OUT);
    expect(await first("Refunded on 2026-03-12.", row)).toEqual(OUT);
    expect(await first("Refunded in March 2026.", row)).toEqual([]);
    expect(await first("2026年4月退款。", row)).toEqual(OUT);
  });

  it("are not mistaken in versions, addresses, ratios and counts", async () => {
    const odd = logs(["09:12:04 ERROR release 4.8.1 at 10.4.0.9:9092, 3 点建议, mac 00:1a:2b:3c:4d:5e"]);
    expect(await first("Release 4.8.1 at 10.4.0.9:9092 failed.", odd)).toEqual([]);
  });
});
