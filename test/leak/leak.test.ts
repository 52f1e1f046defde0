import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const CANARIES = Array.from(
  { length: 44 },
  (_, i) => `Kq7${i.toString(36)}ZxWv9mPd${(i * 7919 + 1234567).toString(36)}TbLn`,
);
/** The carriers whose canary ends up in a raw answer: proof that the canonical store really held them. */
const IN_RAW = [0, 1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14];

let folder: string;
let output: { stdout: string; stderr: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dualview-leak-"));
  const script = resolve(import.meta.dirname, "plant.mjs");
  output = await promisify(execFile)(process.execPath, [script, folder, ...CANARIES], { timeout: 60_000 });
}, 60_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A canary as it is, and in the forms that a carrier or a sink may give it. */
function formsOf(canary: string): string[] {
  const bytes = Buffer.from(canary);
  return [canary, bytes.toString("base64").replace(/=+$/, ""), bytes.toString("hex"), encodeURIComponent(canary)];
}
const found = (text: string): string[] =>
  CANARIES.filter((canary) => formsOf(canary).some((form) => text.includes(form)));

describe("forty-four canaries, planted through every carrier", () => {
  it("were really planted: the canonical store holds those of raw answers", async () => {
    const store = await readFile(join(folder, "store.json"), "utf8");
    const held = found(store);
    for (const index of IN_RAW) expect(held).toContain(CANARIES[index]);
  });

  it("reach no model: no tool list, no content, no structured content, no error, no recalled or submitted text", async () => {
    const seen = await readFile(join(folder, "seen.json"), "utf8");
    expect(JSON.parse(seen).length).toBeGreaterThan(40);
    expect(found(seen)).toEqual([]);
  });

  it("reach neither stdout nor stderr", () => {
    expect(found(output.stdout)).toEqual([]);
    expect(found(output.stderr)).toEqual([]);
    // the failing sink did speak, in a code
    expect(output.stderr).toContain("AUDIT_FAILED");
  });

  it("reach no byte of the audit's files", async () => {
    const files = (await readdir(folder)).filter((name) => name.startsWith("audit.db"));
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) expect(found(await readFile(join(folder, name), "latin1")), name).toEqual([]);
    const rows = await readFile(join(folder, "audit.db"), "latin1");
    expect(rows).toContain("tool_0");
  });
});
