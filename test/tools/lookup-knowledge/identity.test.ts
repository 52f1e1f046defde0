import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passagesOf, readDocument } from "../../../src/tools/lookup-knowledge/backends/folder/document.ts";
import { foldText, itemIdOf, revOf, sectionIdOf } from "../../../src/tools/lookup-knowledge/identity.ts";

/** What each id of a document names: where it stands and what it says. */
function named(text: string, documentId = "doc"): ReadonlyMap<string, string> {
  const read = readDocument({ text, fallbackTitle: "t", format: "markdown" });
  const passages = passagesOf(documentId, read);
  const entries = passages.map(({ sectionId, rev, ordinal, text: said }): [string, string] => {
    const path = read.sections[ordinal]?.path.map((heading) => heading.toLowerCase()).join("/");
    return [itemIdOf(sectionId, rev), `${documentId}\n${path}\n${foldText(said)}`];
  });
  expect(new Set(entries.map(([id]) => id)).size).toBe(passages.length);
  return new Map(entries);
}

function share(before: string, after: string): { readonly kept: number; readonly other: number } {
  const [old, now] = [named(before), named(after)];
  const texts = new Set(now.values());
  const unchanged = [...old].filter(([, text]) => texts.has(text));
  return {
    kept: unchanged.filter(([id, text]) => now.get(id) === text).length / unchanged.length,
    other: [...old].filter(([id, text]) => now.has(id) && now.get(id) !== text).length,
  };
}

const guide = [
  "# Pool\n\nThe pool hands out connections.\n",
  "## Signs\n\nThreads wait.\n\nRequests time out.\n",
  "## Example\n\nFirst words.\n",
  "## Remedy\n\nLook for slow queries.\n",
  "## Example\n\nSame words.\n",
  "## Example\n\nOther words.\n",
];
const document = guide.join("\n");

describe("the identity of a passage", () => {
  it.each([
    ["a paragraph is added on top", `A note before everything.\n\n${document}`],
    ["a section is inserted in the middle", [...guide.slice(0, 3), "## New\n\nFresh.\n", ...guide.slice(3)].join("\n")],
    ["a section is removed", [...guide.slice(0, 1), ...guide.slice(2)].join("\n")],
    ["one of several sections of one name is removed", [...guide.slice(0, 2), ...guide.slice(3)].join("\n")],
    ["a word is changed", document.replace("slow", "long")],
    ["sections change places", [guide[0], guide[3], guide[1], guide[2], guide[4], guide[5]].join("\n")],
  ])("stays with every unchanged passage and names no other when %s", (_, after) => {
    expect(share(document, after)).toEqual({ kept: 1, other: 0 });
  });

  it("keeps the place and changes the revision when a text is edited", () => {
    const before = [...named("# A\n\nold words").keys()][0]?.split("@");
    const after = [...named("# A\n\nnew words").keys()][0]?.split("@");
    expect(after?.[0]).toBe(before?.[0]);
    expect(after?.[1]).not.toBe(before?.[1]);
  });

  it("differs between documents and between headings that only join to the same", () => {
    expect(sectionIdOf("a", ["x"], 0)).not.toBe(sectionIdOf("b", ["x"], 0));
    expect(sectionIdOf("a", ["x", "y"], 0)).not.toBe(sectionIdOf("a", ["x y"], 0));
    expect(revOf("two  words\n")).toBe(revOf("two words"));
    expect(itemIdOf(sectionIdOf("a", [], 0), revOf("t"))).toMatch(/^[0-9a-f]{12}@[0-9a-f]{8}$/);
  });

  it("never names other text, whatever is edited", () => {
    const block = fc.constantFrom("# A", "# B", "## A", "## C", "one", "two", "three", "```\ncode\n```", "- item");
    const text = fc.array(block, { maxLength: 10 }).map((blocks) => blocks.join("\n\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [old, now] = [named(before), named(after)];
        for (const [id, content] of old) if (now.has(id)) expect(now.get(id)).toBe(content);
      }),
      { numRuns: 300 },
    );
  });
});
