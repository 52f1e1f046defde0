import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../../src/cli/io.ts";
import { run } from "../../../src/cli/try/redact.ts";

async function tried(options: Readonly<Record<string, unknown>>, input: string): Promise<string> {
  const stdout = new PassThrough();
  const io = { stdin: Readable.from([Buffer.from(input)]), stdout, stderr: new PassThrough() };
  expect(await run(options, io)).toBe(EXIT.ok);
  stdout.end();
  let output = "";
  for await (const chunk of stdout) output += String(chunk);
  return output;
}

describe("dualview try redact", () => {
  it("answers each line with its text and what was held back, each line a run of its own", async () => {
    const lines = [
      { id: "a", text: "password=Vv81-mm2x from 10.1.2.3" },
      { id: "b", text: "cache key Vv81-mm2x, again from 10.1.2.3" },
      { id: "c" },
    ];
    const [first, second, third, ...rest] = (
      await tried({ ndjson: true }, lines.map((line) => JSON.stringify(line)).join("\n"))
    )
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({
      id: "a",
      findings: [
        { kind: "pw", count: 1 },
        { kind: "ip", count: 1 },
      ],
    });
    expect(first.text).toMatch(/^password=\[\[secret:pw\]\] from \[\[ip:\w+\]\]$/);
    expect(second.text).toContain("cache key Vv81-mm2x");
    expect(second.text.slice(-16)).toBe(first.text.slice(-16));
    expect(third).toEqual({ id: "c", error: "TEXT_MISSING" });
    expect(rest).toEqual([]);
  });

  it("reads text whole, so that a key over several lines is held back", async () => {
    const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7Vq81kqLm99aX";
    const text = `before\n-----BEGIN PRIVATE KEY-----\n${body}\n${body}\n-----END PRIVATE KEY-----\nafter\n`;
    const output = await tried({}, text);
    expect(output.split("\n")).toHaveLength(text.split("\n").length);
    expect(output).not.toContain(body.slice(10, 30));
    expect(output).toMatch(/^before\n[\s\S]*\nafter\n$/);
  });
});
