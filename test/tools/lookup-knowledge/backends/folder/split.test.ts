import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitMarkdown, splitPlainText } from "../../../../../src/tools/lookup-knowledge/backends/folder/split.ts";

const rows = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `| metric_${i} | value of number ${i} |`);

describe("splitMarkdown", () => {
  it("never crosses a heading and keeps the headings as a path", () => {
    const sections = splitMarkdown("# Pool\n\nIntro.\n\n## Signs\n\nSlow.\n\nErrors.\n\n## Remedy\n\nWait.\n");
    expect(sections).toEqual([
      { path: ["Pool"], text: "Intro." },
      { path: ["Pool", "Signs"], text: "Slow.\n\nErrors." },
      { path: ["Pool", "Remedy"], text: "Wait." },
    ]);
  });

  it("does not take a comment in a code block for a heading", () => {
    const text = "# Pool\n\n```sh\n# restart nothing\nls\n```\n";
    expect(splitMarkdown(text)).toEqual([{ path: ["Pool"], text: "```sh\n# restart nothing\nls\n```" }]);
  });

  it("repeats the header of a table that is too large", () => {
    const table = ["| metric | meaning |", "|---|---|", ...rows(60)].join("\n");
    const sections = splitMarkdown(`# M\n\n${table}\n`, 400);
    expect(sections.length).toBeGreaterThan(3);
    for (const { text } of sections) expect(text.startsWith("| metric | meaning |\n|---|---|\n| metric_")).toBe(true);
    expect(sections.flatMap(({ text }) => text.split("\n").slice(2))).toEqual(rows(60));
  });

  it("repeats the fence of a code block that is too large", () => {
    const lines = Array.from({ length: 60 }, (_, i) => `  step ${i}: run`);
    const sections = splitMarkdown(`\`\`\`yaml\n${lines.join("\n")}\n\`\`\`\n`, 300);
    expect(sections.length).toBeGreaterThan(2);
    for (const { text } of sections) expect(text).toMatch(/^```yaml\n {2}step[\s\S]*\n```$/);
    expect(sections.flatMap(({ text }) => text.split("\n").slice(1, -1))).toEqual(lines);
  });

  it("keeps what follows a fence that is never closed", () => {
    expect(
      splitMarkdown("Before.\n\n```\ncode\nmore\n")
        .map(({ text }) => text)
        .join("\n"),
    ).toContain("more");
  });

  it("cuts a list by its items and a large item by its blocks", () => {
    const code = "  ```sh\n  kubectl get pods\n  ```";
    const list = Array.from({ length: 12 }, (_, i) => `- step ${i}: look at the pods of the shop\n\n${code}`).join(
      "\n",
    );
    const sections = splitMarkdown(list, 250);
    expect(sections.length).toBeGreaterThan(3);
    for (const { text } of sections) expect(text.split("```").length % 2).toBe(1);
  });

  it("keeps a list that is cut as tight as it was", () => {
    const items = Array.from({ length: 20 }, (_, i) => `- step number ${i}`);
    const sections = splitMarkdown(items.join("\n"), 100);
    expect(sections.map(({ text }) => text).join("\n")).toBe(items.join("\n"));
  });

  it("cuts long prose between sentences, Chinese ones too", () => {
    const sections = splitMarkdown("连接池耗尽时先检查慢查询。".repeat(30), 100);
    for (const { text } of sections) expect(text.endsWith("。")).toBe(true);
  });

  it("makes a passage of a heading with nothing under it", () => {
    expect(splitMarkdown("# A\n\n## Never restart the database\n\n## B\n\ntext\n")).toEqual([
      { path: ["A", "Never restart the database"], text: "Never restart the database" },
      { path: ["A", "B"], text: "text" },
    ]);
  });

  it("survives nesting deeper than the parser", () => {
    const sections = splitMarkdown(`${">".repeat(20_000)} deep`);
    expect(sections.map(({ text }) => text).join("")).toContain("deep");
  });

  it("loses no word, crosses no limit, and leaves no fence open", () => {
    const blocks = fc.constantFrom(
      "# Heading w",
      "## Sub w",
      "Plain w sentence. Another w one!",
      "中文段落说明，需要检查。第二句。",
      "```js\nconst w = 1;\n```",
      "- item w\n- item w\n  - inner w",
      "1. first w\n2. second w",
      "> quoted w",
      "| a | b |\n|---|---|\n| w | w |",
      "<div>w</div>",
      `${"w ".repeat(90)}`,
    );
    fc.assert(
      fc.property(fc.array(blocks, { maxLength: 12 }), (list) => {
        let count = 0;
        const markdown = list.join("\n\n").replace(/\bw\b/g, () => `w${count++}x`);
        const sections = splitMarkdown(markdown, 160);
        const all = sections.map(({ path, text }) => `${path.join(" ")} ${text}`).join("\n");
        for (let i = 0; i < count; i++) expect(all).toContain(`w${i}x`);
        for (const { text } of sections) {
          expect(text.trim()).not.toBe("");
          expect(text.length).toBeLessThanOrEqual(160);
          expect(text.split("```").length % 2).toBe(1);
        }
      }),
    );
  });
});

describe("splitPlainText", () => {
  it("joins short paragraphs and knows no headings", () => {
    expect(splitPlainText("# not a heading\n\nsecond\n\n\nthird")).toEqual([
      { path: [], text: "# not a heading\n\nsecond\n\nthird" },
    ]);
  });
});
