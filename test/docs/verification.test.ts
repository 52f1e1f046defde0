import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(resolve(root, path), "utf8");
const rows = [...read("docs/verification.md").matchAll(/^\| (.+?) \| `(.+?)` \| (.+?) \|$/gm)];

describe("docs/verification.md", () => {
  it("has its rows", () => {
    expect(rows.length).toBeGreaterThan(50);
  });

  it.each(rows.map(([, what, file, title]) => [what ?? "", file ?? "", title ?? ""]))("%s", (_, file, title) => {
    // escapes and line breaks of a source file do not belong to the title
    expect(read(file).replaceAll("\\", "")).toContain(title);
  });

  it("names a test group for each invariant", () => {
    const groups = read("test/invariants/invariants.test.ts").match(/^describe\("invariant \d+:/gm) ?? [];
    expect(groups).toEqual(Array.from({ length: 14 }, (_, i) => `describe("invariant ${i + 1}:`));
  });
});
