import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutEnd, excerptAround, jsonBytes } from "../../../../src/tools/lookup-knowledge/text/cut.ts";

const parts = fc.constantFrom(
  "Check the pool. ",
  "超时后不要重启。",
  "[[ip:k3f9q2xa]]",
  "[[secret:PASSWORD]]",
  " waited 30000ms ",
  "👩‍👩‍👧",
  "é",
  '"quoted"\n',
  "连接池",
  "-1,234.56 ",
);
const texts = fc.array(parts, { maxLength: 30 }).map((list) => list.join(""));
const whole = /\[\[[a-z]+:[A-Za-z0-9]+\]\]|👩‍👩‍👧|é|30000ms|-?1,234\.56/gu;

/** Whatever stands whole in the excerpt stands whole in the text: what is left of them after their removal is not a piece of one. */
function holdsNoPiece(excerpt: string): void {
  const rest = excerpt.replace(whole, "");
  expect(rest).not.toMatch(/\[\[|\]\]|[0-9]|\p{M}|\u200d|👩|👧/u);
  expect(rest).not.toMatch(/\p{Surrogate}/u);
}

describe("excerptAround", () => {
  it("gives the whole text when it fits", () => {
    expect(excerptAround("Short text.", new Set(), 100)).toBe("Short text.");
  });

  it("keeps whole sentences around the words", () => {
    const text = "Alpha one. Beta two. Gamma pool three. Delta four. Epsilon five.";
    expect(excerptAround(text, new Set(["pool"]), 30)).toBe("Gamma pool three. Delta four.");
    expect(excerptAround("甲乙丙。连接池耗尽。丁戊己。", new Set(["接池"]), 24)).toBe("连接池耗尽。");
  });

  it("cuts a sentence that is too long around the words", () => {
    const text = `${"filler word ".repeat(50)}pool exhausted ${"more text ".repeat(50)}`;
    const excerpt = excerptAround(text, new Set(["pool"]), 120);
    expect(excerpt).toContain("pool");
    expect(jsonBytes(excerpt)).toBeLessThanOrEqual(120);
  });

  it("fits, is part of the text, and never cuts a placeholder, a number or a visible character", () => {
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 0, max: 200 }),
        fc.constantFrom("pool", "接池", "wait"),
        (text, room, word) => {
          const excerpt = excerptAround(text, new Set([word]), room);
          expect(jsonBytes(excerpt)).toBeLessThanOrEqual(room);
          expect(text).toContain(excerpt);
          holdsNoPiece(excerpt);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("cutEnd", () => {
  it("keeps the beginning within the size, whole in its parts", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 120 }), (text, room) => {
        const cut = cutEnd(text, room);
        expect(jsonBytes(cut)).toBeLessThanOrEqual(room);
        expect(text.startsWith(cut)).toBe(true);
        holdsNoPiece(cut);
      }),
      { numRuns: 500 },
    );
  });
});
