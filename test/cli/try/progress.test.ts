import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { run } from "../../../src/cli/try/progress.ts";

async function play(
  ...sequences: object[]
): Promise<{ id: string; steps: { decisions: string[]; no_gain: number }[] }[]> {
  const stdout = new PassThrough();
  const stdin = Readable.from([sequences.map((one) => JSON.stringify(one)).join("\n")]);
  await run({}, { stdin, stdout, stderr: new PassThrough() });
  return String(stdout.read())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

let made = 0;
const logs = (req: object, items: string[], at?: string) => ({
  id: `t${++made}`,
  tool: "query_logs",
  req,
  res: { status: "READY", truncated: false, items: items.map((id) => ({ id })) },
  ...(at && { at }),
});
const ask = (query: string, items: string[]) => ({ ...logs({ query }, items), tool: "lookup_knowledge" });
const decisions = async (...calls: object[]) => {
  const [answer] = await play({ id: "s", steps: calls.map((call) => ({ calls: [call] })) });
  return answer?.steps.map((step) => step.decisions[0]);
};

describe("try progress", () => {
  it("answers every sequence on its own line, in order", async () => {
    const step = { calls: [logs({ service: "a", q: "x", from: "09:00", to: "09:30" }, ["e1"])] };
    expect(await play({ id: "one", steps: [step] }, { id: "two", steps: [step, step] })).toMatchObject([
      { id: "one", steps: [{ decisions: ["EXECUTE"], no_gain: 0 }] },
      { id: "two", steps: [{ decisions: ["EXECUTE"] }, { decisions: ["DUPLICATE"], no_gain: 1 }] },
    ]);
  });

  it("makes relative times absolute before it compares", async () => {
    const recent = { service: "a", q: "x", from: "-40m", to: "now-10m" };
    const absolute = { service: "a", q: "x", from: "09:00", to: "09:30" };
    expect(await decisions(logs(recent, ["e1"], "09:40"), logs(absolute, ["e1"], "09:50"))).toEqual([
      "EXECUTE",
      "DUPLICATE",
    ]);
    expect(await decisions(logs(recent, ["e1"], "09:40"), logs(recent, ["e2"], "09:50"))).toEqual([
      "EXECUTE",
      "EXECUTE",
    ]);
  });

  it("lets windows pass midnight", async () => {
    const wide = logs({ service: "a", q: "x", from: "23:50", to: "00:10" }, [], "00:20");
    expect(await decisions(wide, logs({ service: "a", q: "x", from: "23:55", to: "00:05" }, [], "00:30"))).toEqual([
      "EXECUTE",
      "COVERED",
    ]);
  });

  it("keeps signs and small words of log keywords, and drops the case and order", async () => {
    const keyword = (q: string, id: string) => logs({ service: "a", q, from: "09:00", to: "09:30" }, [id]);
    expect(
      await decisions(keyword("-1 to", "a"), keyword("1 to", "b"), keyword("-1 from", "c"), keyword("TO  -1", "a")),
    ).toEqual(["EXECUTE", "EXECUTE", "EXECUTE", "DUPLICATE"]);
  });

  it("drops the words of asking from a knowledge query in either language", async () => {
    expect(
      await decisions(ask("How to drain a broker", ["k1"]), ask("drain broker", ["k1"]), ask("restart broker", ["k2"])),
    ).toEqual(["EXECUTE", "DUPLICATE", "EXECUTE"]);
    expect(
      await decisions(ask("如何清理积压", ["k1"]), ask("积压怎么清理？", ["k1"]), ask("积压原因", ["k2"])),
    ).toEqual(["EXECUTE", "DUPLICATE", "EXECUTE"]);
  });
});
