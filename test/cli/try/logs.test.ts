import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { run } from "../../../src/cli/try/logs.ts";

async function tryLogs(input: string, options: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const stdout = new PassThrough();
  const parts: string[] = [];
  stdout.on("data", (chunk: Buffer) => parts.push(chunk.toString()));
  await run(options, { stdin: Readable.from([Buffer.from(input)]), stdout, stderr: new PassThrough() });
  return parts.join("");
}

describe("dualview try logs", () => {
  it("answers lines with one redacted observation", async () => {
    const output = await tryLogs(
      "2026-07-29T10:00:00Z ERROR login password=hunter2hunter2 from 203.0.113.9\nINFO fine\n",
    );
    const result = JSON.parse(output);
    expect(result).toMatchObject({ matched_events: 2, truncated: false });
    expect(output).not.toContain("hunter2");
    expect(output).not.toContain("203.0.113.9");
  });

  it("gives every line its pattern, in order, empty lines too", async () => {
    const output = await tryLogs("door 7 opened\n\ndoor 8 opened\n", { assign: true, content: true });
    const answers = output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(3);
    expect(answers[0]).toEqual(answers[2]);
    expect(answers[0].template).toBe("door <*> opened");
    expect(answers[1].id).not.toBe(answers[0].id);
  });

  it("leaves headers out of the patterns unless the lines have none", async () => {
    const line = "2026-07-29 10:15:02,481 WARN [exec-3] shop.Door - door 7 jammed\n";
    expect(JSON.parse(await tryLogs(line, { assign: true })).template).toBe("door <*> jammed");
    expect(JSON.parse(await tryLogs(line, { assign: true, content: true })).template).toContain("WARN");
  });

  it("answers no lines with no items", async () => {
    expect(JSON.parse(await tryLogs(""))).toMatchObject({ items: [], matched_events: 0 });
  });
});
