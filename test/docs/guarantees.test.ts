import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(resolve(root, path), "utf8");
const page = read("docs/guarantees.md");
const rows = [...page.matchAll(/^\| (.+?) \| (.+?) \| `(.+?)` \| (.+?) \|$/gm)].map(
  ([, promise = "", fault = "", file = "", title = ""]) => ({ promise, fault, file, title }),
);

describe("docs/guarantees.md", () => {
  it("has no row of another form", () => {
    const written = page.split("\n").filter((line) => line.startsWith("| ") && !/^\| (?:promise|---)/.test(line));
    expect(written.length).toBeGreaterThan(25);
    expect(rows).toHaveLength(written.length);
  });

  it.each(rows)("$promise, when $fault", ({ file, title }) => {
    // a whole title: what stands where a test or a group of tests begins
    const quoted = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    expect(read(file)).toMatch(new RegExp(`(?:\\bit(?:\\.each)?|\\))\\(\\s*"${quoted}",`));
  });

  it("names every file of fault tests", () => {
    const files = readdirSync(resolve(root, "test/faults")).filter((name) => name.endsWith(".test.ts"));
    expect(files.length).toBeGreaterThan(3);
    const named = new Set(rows.map(({ file }) => file));
    expect(files.filter((name) => !named.has(`test/faults/${name}`))).toEqual([]);
  });
});
