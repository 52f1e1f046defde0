import { describe, expect, it, vi } from "vitest";
import { passagesOf, readDocument } from "../../../../../src/tools/lookup-knowledge/backends/folder/document.ts";

const read = (text: string): ReturnType<typeof readDocument> =>
  readDocument({ text, fallbackTitle: "file-name", format: "markdown" });

describe("readDocument", () => {
  it("reads a card from front matter, single values and lists alike", () => {
    const { card, declaredId, sections } = read(
      "---\nid: rb-1\ntitle: Full disk\naliases: [disk full, 磁盘写满]\nerror_codes: 1205\nservices: order-api\nlanguage: en\n---\n# Any\n\ntext\n",
    );
    expect(declaredId).toBe("rb-1");
    expect(card).toEqual({
      title: "Full disk",
      aliases: ["disk full", "磁盘写满"],
      symptoms: [],
      errorCodes: ["1205"],
      services: ["order-api"],
      language: "en",
    });
    expect(sections).toEqual([{ path: ["Any"], text: "text" }]);
  });

  it("prints nothing of a document, whatever is odd about its front matter", () => {
    const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    try {
      read("---\ntitle: Keys\ntoken: !vault 'Zk8vQ2mXp7LwT4nB'\n---\n\nbody text\n");
      expect(emitWarning).not.toHaveBeenCalled();
    } finally {
      emitWarning.mockRestore();
    }
  });

  it("takes the first heading, else the file's name, for a title", () => {
    expect(read("# Top\n\ntext").card.title).toBe("Top");
    expect(read("text").card.title).toBe("file-name");
  });

  it.each([
    ["no YAML", "---\ntitle: [open\n---\n\nbody text\n"],
    ["no mapping", "---\n- a\n- b\n---\n\nbody text\n"],
    ["a repeated key", "---\ntitle: a\ntitle: b\n---\n\nbody text\n"],
  ])("says so when front matter is %s, and keeps it as text", (_, text) => {
    const document = read(text);
    expect(document.brokenFrontMatter).toBe(true);
    expect(document.sections.map((section) => `${section.path.join(" ")} ${section.text}`).join(" ")).toContain(
      "body text",
    );
  });

  it("does not take a rule at the top for front matter", () => {
    const document = read("---\n\ntext without an end\n");
    expect(document.brokenFrontMatter).toBe(false);
    expect(document.sections[0]?.text).toContain("text without an end");
  });
});

describe("passagesOf", () => {
  it("makes the card's own words a passage, so that they can be found and cited", () => {
    const passages = passagesOf("rb", read("---\nsymptoms: [orders stay pending]\n---\n# Queue\n\ntext\n"));
    expect(passages.map(({ text, fromCard }) => ({ text, fromCard }))).toEqual([
      { text: "Symptoms: orders stay pending", fromCard: true },
      { text: "text", fromCard: false },
    ]);
  });

  it("does not repeat the title in the section", () => {
    expect(passagesOf("rb", read("# Queue\n\n## Remedy\n\ntext\n"))[0]).toMatchObject({
      title: "Queue",
      section: "Remedy",
    });
  });
});
