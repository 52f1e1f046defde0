import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { run } from "../../src/cli/try/guard.ts";
import { type Case, commandLine } from "./case-line.ts";

interface Answer {
  readonly id: string;
  readonly verdict: string;
  readonly codes: readonly string[];
}

/** The answers of `dualview try guard`, by case. */
async function answers(cases: readonly Case[]): Promise<ReadonlyMap<string, Answer>> {
  const stdout = new PassThrough();
  const stdin = Readable.from([cases.map((one) => `${JSON.stringify(commandLine(one))}\n`).join("")]);
  await run({}, { stdin, stdout, stderr: new PassThrough() });
  const lines: Answer[] = String(stdout.read())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return new Map(lines.map((answer) => [answer.id, answer]));
}

const sorted = (codes: readonly string[]): readonly string[] => [...new Set(codes)].sort();

for (const file of ["honest", "forged", "honest-prose", "forged-prose", "honest-incident", "forged-incident"]) {
  const text = readFileSync(join(import.meta.dirname, "cases", `${file}.jsonl`), "utf8");
  const cases: readonly Case[] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const given = answers(cases);

  describe(`${file.replace("-", " ")} drafts`, () => {
    it.each(cases)("$id: $why", async (one) => {
      const answer = (await given).get(one.id);
      expect(`${answer?.verdict} ${answer?.codes}`).toMatch(new RegExp(`^${one.verdict} `));
      expect([one.codes, ...(one.or ?? [])].map(sorted)).toContainEqual(sorted(answer?.codes ?? []));
    });
  });
}
