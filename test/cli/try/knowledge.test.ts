import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../../../src/cli/io.ts";
import { run } from "../../../src/cli/try/knowledge.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "try-knowledge-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return path;
}

async function answers(docs: string, queries: string, top = "10"): Promise<unknown[]> {
  const stdout = new PassThrough();
  const io = { stdin: Readable.from([]), stdout, stderr: new PassThrough() };
  expect(await run({ docs, queries, top }, io)).toBe(0);
  stdout.end();
  return (await Readable.from(stdout).toArray())
    .join("")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const documents = [
  { _id: "d1", title: "Pool", text: "The connection pool is exhausted." },
  { _id: 2, text: `# Disk\n\n${"The disk is full of log files. ".repeat(120)}` },
  { _id: "d3", title: "Only a title about certificates", text: "" },
];

describe("try knowledge", () => {
  it("ranks documents, one hit each, and marks those below the floor", async () => {
    const docs = file("docs.jsonl", documents);
    const queries = file("queries.jsonl", [
      { _id: "q1", text: "connection pool exhausted" },
      { _id: 7, text: "how large may log files on a disk become before somebody asks questions about volumes" },
      { _id: "q3", text: "certificates" },
      { _id: "q4", text: "nothing alike" },
    ]);
    expect(await answers(docs, queries)).toEqual([
      { query_id: "q1", hits: [{ doc_id: "d1", rank: 1, relevance_level: "HIGH" }] },
      { query_id: "7", hits: [{ doc_id: "2", rank: 1, relevance_level: "BELOW_FLOOR" }] },
      { query_id: "q3", hits: [{ doc_id: "d3", rank: 1, relevance_level: "HIGH" }] },
      { query_id: "q4", hits: [] },
    ]);
  });

  it("keeps to the number of hits that is asked for", async () => {
    const docs = file(
      "many.jsonl",
      Array.from({ length: 30 }, (_, i) => ({ _id: `d${i}`, title: "", text: `pool number ${i}` })),
    );
    const [answer] = await answers(docs, file("one.jsonl", [{ _id: "q", text: "pool" }]), "12");
    expect((answer as { hits: unknown[] }).hits).toHaveLength(12);
  });

  it("names the file, line and field of what it cannot read", async () => {
    const docs = file("good.jsonl", documents);
    const bad = file("bad.jsonl", [{ _id: "q", text: "a" }, { _id: "q" }]);
    await expect(answers(docs, bad)).rejects.toThrow(/bad\.jsonl:2: text/);
    await expect(answers(file("junk.jsonl", ["{"]), bad)).rejects.toThrow(/junk\.jsonl:1: not JSON/);
    await expect(answers(join(folder, "missing.jsonl"), bad)).rejects.toThrow(UsageError);
    await expect(answers(docs, bad, "none")).rejects.toThrow(/--top/);
  });
});
