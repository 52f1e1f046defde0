import { describe, expect, it } from "vitest";
import { codesOf, logs, passages, rows } from "./evidence-fixture.ts";

const none = logs([], { scope: { keywords: ["Segfault"] } });
const negative = (text: string, record = none) => codesOf(record, { kind: "negative", text });

describe("a negative claim", () => {
  it.each([
    "checkout-svc logged no Segfault.",
    "No Segfault was logged by service checkout-svc.",
    "The checkout-svc service produced no Segfault in 2026-03-11T09:00:00Z/2026-03-11T09:30:00Z.",
    "checkout-svc logged nothing with Segfault between 09:00 and 09:30 UTC.",
    "在 09:00–09:30 的 checkout-svc 日志中没有匹配 Segfault 的记录。",
    "北京时间 17:05–17:20，checkout-svc 未出现 Segfault。",
    "On 2026-03-11 between 09:00 and 09:30 checkout-svc logged no Segfault.",
  ])("holds within its scope: %s", async (text) => {
    expect(await negative(text)).toEqual([]);
  });

  it.each([
    "No matching line was found.",
    "checkout-svc was quiet.",
    "No Segfault between 09:00 and 09:30.",
    "未查到相关日志。",
  ])("is told to show its scope: %s", async (text) => {
    expect(await negative(text)).toEqual(["EG_NEGATIVE_SCOPE_MISSING"]);
  });

  it.each([
    "checkout-svc never logged Segfault.",
    "checkout-svc 从未出现 Segfault。",
    "checkout-svc logged no Segfault today.",
    "No service logged Segfault, checkout-svc included.",
    "所有服务都没有 Segfault，包括 checkout-svc。",
    "Segfault is ruled out for checkout-svc.",
    "checkout-svc 可以排除 Segfault。",
    "checkout-svc logged no errors between 09:00 and 09:30.",
    "cart-svc logged no Segfault between 09:00 and 09:30.",
    "checkout-svc logged no OutOfMemoryError between 09:00 and 09:30.",
    "checkout-svc 在 09:00–09:30 没有“磁盘已满”。",
  ])("does not go beyond its scope: %s", async (text) => {
    expect(await negative(text)).toEqual(["EG_NEGATIVE_OVERGENERALIZED"]);
  });

  it.each([
    "checkout-svc logged no Segfault between 08:00 and 10:00.",
    "checkout-svc logged no Segfault on 10 March 2026.",
    "checkout-svc logged no Segfault on 2026-03-11.",
    "Since 09:00 checkout-svc has logged no Segfault.",
  ])("does not leave its window: %s", async (text) => {
    expect(await negative(text)).toEqual(["EG_TIME_OUT_OF_SCOPE"]);
  });

  it("speaks only of the level that was asked for", async () => {
    const errors = logs([], { scope: { level: "ERROR" } });
    expect(await negative("checkout-svc logged no errors between 09:00 and 09:30.", errors)).toEqual([]);
    expect(await negative("checkout-svc logged no warnings between 09:00 and 09:30.", errors)).toEqual([
      "EG_NEGATIVE_OVERGENERALIZED",
    ]);
  });

  it("does not rest on lines that are there, or on a scan that was cut", async () => {
    const text = "checkout-svc logged no Segfault between 09:00 and 09:30.";
    expect(await negative(text, logs(["09:01:00 Segfault"]))).toEqual(["EG_NEGATIVE_CONTRADICTED"]);
    expect(await negative(text, logs([], { truncated: true }))).toEqual(["EG_TRUNCATED_AS_COMPLETE"]);
  });

  it("covers windows that join, and no gap between them", async () => {
    const part = (from: string, to: string, id: string) =>
      logs([], {
        id,
        scope: { keywords: ["Segfault"], time_from: `2026-03-11T${from}:00Z`, time_to: `2026-03-11T${to}:00Z` },
      });
    const claim = { kind: "negative", text: "checkout-svc logged no Segfault between 09:00 and 09:30." };
    expect(await codesOf([part("09:00", "09:15", "a"), part("09:15", "09:30", "b")], claim)).toEqual([]);
    expect(await codesOf([part("09:00", "09:10", "a"), part("09:15", "09:30", "b")], claim)).toEqual([
      "EG_TIME_OUT_OF_SCOPE",
    ]);
  });

  it("names the table or datasource of a query", async () => {
    expect(await negative("No matching rows in refunds.", rows([]))).toEqual([]);
    expect(await negative("shop 库没有这样的记录。", rows([]))).toEqual([]);
    expect(await negative("No rows in refunds with a refund_state of OPEN.", rows([]))).toEqual([]);
    expect(await negative("No rows in gift_cards.", rows([]))).toEqual(["EG_NEGATIVE_OVERGENERALIZED"]);
    expect(await negative("No such rows.", rows([]))).toEqual(["EG_NEGATIVE_SCOPE_MISSING"]);
    expect(await negative("billing 库没有这样的记录。", rows([]))).toEqual(["EG_NEGATIVE_OVERGENERALIZED"]);
  });

  it("says of knowledge that it was not found, not that there is none", async () => {
    expect(await negative("A search for broker backlog returned nothing.", passages([]))).toEqual([]);
    expect(await negative("There is no runbook for a broker backlog.", passages([]))).toEqual([
      "EG_NEGATIVE_OVERGENERALIZED",
    ]);
    expect(await negative("公司没有 broker backlog 的手册。", passages([]))).toEqual(["EG_NEGATIVE_OVERGENERALIZED"]);
  });
});
