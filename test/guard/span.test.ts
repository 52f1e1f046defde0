import { describe, expect, it } from "vitest";
import { codesOf, logs, type Recorded } from "./evidence-fixture.ts";

const scope = (time_from: string, time_to: string) => ({ keywords: ["Segfault"], time_from, time_to });
const HALF_HOUR = logs([], { scope: scope("2026-03-11T09:00:00Z", "2026-03-11T09:30:00Z") });
const negative = (text: string, record: Recorded = HALF_HOUR) => codesOf(record, { kind: "negative", text });

describe("a length of time in a negative claim", () => {
  it.each([
    "checkout-svc logged no Segfault in the last 31 minutes.",
    "No Segfault in checkout-svc over the past week.",
    "checkout-svc has had no Segfault for months.",
    "For a couple of hours checkout-svc logged no Segfault.",
    "checkout-svc had no Segfault this quarter.",
    "checkout-svc had no Segfault in March.",
    "过去 24 小时 checkout-svc 没有 Segfault。",
    "checkout-svc 连续三天没有 Segfault。",
    "checkout-svc 整晚没有 Segfault。",
    "上个月 checkout-svc 没有 Segfault。",
  ])("is not longer than the window: %s", async (text) => {
    expect(await negative(text)).toEqual(["EG_NEGATIVE_OVERGENERALIZED"]);
  });

  it.each([
    "checkout-svc logged no Segfault in the last 30 minutes.",
    "checkout-svc 最近 30 分钟没有 Segfault。",
    "09:00–09:30 这半小时内，checkout-svc 没有 Segfault。",
    "The daily job left no Segfault in checkout-svc between 09:00 and 09:30.",
    "checkout-svc 日志中，每日任务没有 Segfault。",
  ])("may be as long: %s", async (text) => {
    expect(await negative(text)).toEqual([]);
  });

  it("needs a window of a week for a week", async () => {
    const text = "checkout-svc logged no Segfault this week.";
    const day = logs([], { scope: scope("2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z") });
    const week = logs([], { scope: scope("2026-03-04T00:00:00Z", "2026-03-11T00:00:00Z") });
    expect(await negative(text, day)).toEqual(["EG_NEGATIVE_OVERGENERALIZED"]);
    expect(await negative(text, week)).toEqual([]);
  });
});

describe("a stretch of time that no clock ends", () => {
  it.each([
    "checkout-svc has logged no Segfault since the release.",
    "checkout-svc logged no Segfault since last Monday.",
    "自上线以来 checkout-svc 没有 Segfault。",
    "自发布后 checkout-svc 就没有 Segfault。",
    "checkout-svc 长期没有 Segfault。",
  ])("is more than was searched: %s", async (text) => {
    expect(await negative(text)).toEqual(["EG_NEGATIVE_OVERGENERALIZED"]);
  });

  it.each([
    "After the release at dawn, from 09:00 to 09:30, checkout-svc logged no Segfault.",
    "Since the release, from 09:00 to 09:30, checkout-svc logged no Segfault.",
    "从 wallet 发起的请求在 checkout-svc 没有 Segfault。",
    "从 checkout-svc 日志看，没有 Segfault。",
  ])("does no harm beside a window, and is not read into other words: %s", async (text) => {
    expect(await negative(text)).toEqual([]);
  });
});

describe("a length beside its start", () => {
  it.each([
    "In the half hour from 09:00 checkout-svc logged no Segfault.",
    "In the first 10 minutes after 09:05 UTC checkout-svc logged no Segfault.",
    "09:10 起 20 分钟内，checkout-svc 没有 Segfault。",
  ])("is a range inside the window: %s", async (text) => {
    expect(await negative(text)).toEqual([]);
  });

  it.each([
    "In the 20 minutes from 09:15 checkout-svc logged no Segfault.",
    "In the first 10 minutes after 08:55 checkout-svc logged no Segfault.",
    "09:20 起半小时内，checkout-svc 没有 Segfault。",
  ])("is a range that leaves it: %s", async (text) => {
    expect(await negative(text)).toEqual(["EG_TIME_OUT_OF_SCOPE"]);
  });

  it("passes midnight", async () => {
    const text = "In the half hour from 23:45 checkout-svc logged no Segfault.";
    const night = logs([], { scope: scope("2026-03-10T23:45:00Z", "2026-03-11T00:15:00Z") });
    expect(await negative(text, night)).toEqual([]);
  });
});

describe("an offset in brackets", () => {
  it.each([
    ["From 17:00 to 17:30 (+08:00) checkout-svc logged no Segfault.", []],
    ["From 04:00 to 04:30 (-05:00) checkout-svc logged no Segfault.", []],
    ["From 09:00 to 09:30 (+08:00) checkout-svc logged no Segfault.", ["EG_TIME_OUT_OF_SCOPE"]],
  ])("is a zone: %s", async (text, codes) => {
    expect(await negative(text)).toEqual(codes);
  });
});
