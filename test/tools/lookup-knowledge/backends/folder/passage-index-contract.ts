import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { documentEntry, readDocument } from "../../../../../src/tools/lookup-knowledge/backends/folder/document.ts";
import type {
  DocumentEntry,
  PassageIndex,
} from "../../../../../src/tools/lookup-knowledge/backends/folder/passage-index.ts";
import { tokenize } from "../../../../../src/tools/lookup-knowledge/text/tokens.ts";

/** A document as an index takes it. */
export function entry(path: string, text: string, stamp = "1"): DocumentEntry {
  const read = readDocument({ text, fallbackTitle: path, format: "markdown" });
  return documentEntry({ path, stamp, documentId: read.declaredId ?? path }, read);
}

const pool = entry(
  "pool.md",
  "---\nid: rb-pool\naliases: [pool exhausted]\nerror_codes: [ORA-00060]\n---\n# Pool\n\n## Signs\n\nThreads wait for a connection of the pool.\n\n## Remedy\n\nFind slow queries.\n",
);
const disk = entry("disk.md", "# Full disk\n\nDelete old logs. The pool of log files grows.\n");
const lock = entry("锁.md", "# 锁等待\n\n事务在等待行锁。\n");

/** What every index must do, whatever it keeps its passages in. */
export function describePassageIndex(name: string, open: () => Promise<PassageIndex>): void {
  describe(`${name} as a passage index`, () => {
    let index: PassageIndex;
    beforeEach(async () => {
      index = await open();
    });
    afterEach(() => {
      index.close();
    });
    const texts = (term: string): string[] =>
      index.match([term], { limit: 10 }).candidates.map(({ passage }) => passage.text);

    it("answers nothing while it is empty", () => {
      expect(index.match(["pool"], { limit: 10 })).toMatchObject({ passageCount: 0, containing: [0], candidates: [] });
      expect(index.match([], { limit: 10 }).candidates).toEqual([]);
      expect(index.documents()).toEqual([]);
      expect(index.firstPassage("none.md")).toBeNull();
    });

    it("gives back what it was given", () => {
      index.apply({ put: [pool, disk, lock], remove: [] });
      const { passages, ...document } = pool;
      expect(index.documents()).toContainEqual(document);
      expect(index.stats()).toEqual({ documents: 3, passages: passages.length + 2 });
      expect(index.match(["slow"], { limit: 10 }).candidates[0]?.passage).toEqual(
        passages.find(({ text }) => text.includes("slow")),
      );
      expect(index.firstPassage("pool.md")).toEqual(passages.find(({ fromCard }) => !fromCard));
    });

    it("counts headings more, and counts passages and lengths", () => {
      index.apply({ put: [pool, disk], remove: [] });
      const matches = index.match(["pool", "unknown"], { limit: 10 });
      expect(matches.passageCount).toBe(4);
      expect(matches.containing).toEqual([4, 0]);
      const frequencies = matches.candidates.map(({ passage, frequencies }) => [
        passage.text.slice(0, 7),
        frequencies[0],
      ]);
      expect(frequencies).toContainEqual(["Threads", 4]);
      expect(frequencies).toContainEqual(["Find sl", 3]);
      expect(frequencies).toContainEqual(["Delete ", 1]);
      expect(matches.averageLength).toBeGreaterThan(4);
    });

    it("finds whole identifiers and Chinese pairs", () => {
      index.apply({ put: [pool, lock], remove: [] });
      expect(texts("ora-00060")).toHaveLength(1);
      expect(texts("行锁")).toEqual(["事务在等待行锁。"]);
    });

    it("replaces a document that is put again, and forgets one that is removed", () => {
      index.apply({ put: [pool, disk], remove: [] });
      index.apply({ put: [entry("disk.md", "# Full disk\n\nGrow the volume.\n", "2")], remove: [] });
      expect(texts("delet")).toEqual([]);
      expect(texts("volum")).toEqual(["Grow the volume."]);
      index.apply({ put: [], remove: ["pool.md", "never-there.md"] });
      expect(texts("connect")).toEqual([]);
      expect(index.cardsByFirstToken(["pool"])).toEqual([]);
      const matches = index.match(["volum"], { limit: 10 });
      expect(matches).toMatchObject({ passageCount: 1, containing: [1] });
      expect(matches.averageLength).toBe(matches.candidates[0]?.length);
    });

    it("counts as if it had been built anew after many changes", async () => {
      for (let round = 0; round < 5; round++) {
        index.apply({
          put: [entry("a.md", `# A\n\nword${round} pool\n`), entry("b.md", "pool pool\n")],
          remove: ["c.md"],
        });
        index.apply({ put: [entry("c.md", `pool round ${round}\n`)], remove: round === 4 ? [] : ["b.md"] });
      }
      const changed = index.match(["pool", "word0", "word4"], { limit: 10 });
      const fresh = index;
      fresh.apply({ put: [], remove: ["a.md", "b.md", "c.md"] });
      fresh.apply({
        put: [entry("a.md", "# A\n\nword4 pool\n"), entry("b.md", "pool pool\n"), entry("c.md", "pool round 4\n")],
        remove: [],
      });
      expect(changed).toEqual(fresh.match(["pool", "word0", "word4"], { limit: 10 }));
    });

    it("searches within the documents it is told to", () => {
      index.apply({ put: [pool, disk], remove: [] });
      const within = index.match(["pool"], { limit: 10, paths: new Set(["disk.md"]) });
      expect(within.candidates.map(({ path }) => path)).toEqual(["disk.md"]);
      expect(index.match(["pool"], { limit: 10, paths: new Set() }).candidates).toEqual([]);
    });

    it("keeps to the limit and gives the best first", () => {
      index.apply({ put: [pool, disk], remove: [] });
      const best = index.match(["pool"], { limit: 1 }).candidates;
      expect(best.map(({ passage }) => passage.text)).toEqual(["Threads wait for a connection of the pool."]);
    });

    it("finds a passage by every one of its tokens, whatever its script", () => {
      const word = fc.constantFrom(
        "Ärger",
        "ORA-00060",
        "a_b.c:d/e",
        "١٢٣",
        "नमस्ते",
        "ﬃ",
        "Ω",
        "İ",
        "ß",
        "訂單",
        "データ",
        "한국어",
        "x\u0301y",
        "₂",
        "K8s",
      );
      fc.assert(
        fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
          const text = words.join(" ");
          index.apply({ put: [entry("any.txt", text)], remove: [] });
          const terms = [...new Set(tokenize(text).all)];
          const frequencies = index.match(terms, { limit: 1 }).candidates[0]?.frequencies ?? [];
          expect(frequencies).toHaveLength(terms.length);
          for (const frequency of frequencies) expect(frequency).toBeGreaterThan(0);
          for (const count of index.match(terms, { limit: 1 }).containing) expect(count).toBe(1);
        }),
        { numRuns: 50 },
      );
    });

    it("finds cards by the first token of their phrases", () => {
      index.apply({ put: [pool, disk], remove: [] });
      expect(index.cardsByFirstToken(["ora", "nothing"])).toEqual([
        { path: "pool.md", key: { kind: "error_code", phrase: "ora 00060" } },
      ]);
    });
  });
}
