import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evidenceStatusOf } from "../../../src/model/evidence.ts";
import { type JsonObject, type JsonValue, utf8Bytes } from "../../../src/model/json.ts";
import type { Redact } from "../../../src/redact/redact.ts";
import { type ResolvedLookup, ragResultProjector } from "../../../src/tools/lookup-knowledge/projector.ts";
import { type LookupKnowledgeResult, lookupKnowledgeResult } from "../../../src/tools/lookup-knowledge/result.ts";

const lookup: ResolvedLookup = { collection: "runbooks", query: "connection pool 连接池", topK: 5, filters: {} };
const SECRET = "hunter2hunter2";
/** Stands in for the redactor: one secret, one address. */
const redact: Redact = {
  text: (text) => text.replaceAll(SECRET, "[[secret:PASSWORD]]").replaceAll("10.0.0.7", "[[ip:k3f9q2xa]]"),
  field: (_, value) => value,
  tree: (value) => value,
  comparable: (redacted) => redacted,
};

const hit = (text: string, more: JsonObject = {}): JsonObject => ({
  document_id: "rb",
  title: "Pool",
  section: "Remedy",
  section_id: "0123456789ab",
  rev: "ffffffff",
  text,
  relevance_level: "MEDIUM",
  ...more,
});
const answer = (hits: readonly JsonValue[], more = false): JsonObject => ({
  hits,
  l0_match_count: 1,
  l1_match_count: 7,
  more,
});

function project(raw: JsonValue, maxBytes = 16_384, resolved = lookup): LookupKnowledgeResult {
  const result = ragResultProjector.project(raw, resolved, { limits: { maxBytes }, redact });
  expect(utf8Bytes(JSON.stringify(result))).toBeLessThanOrEqual(maxBytes);
  return lookupKnowledgeResult.parse(result);
}

describe("RagResultProjector", () => {
  it("shows the allowed fields and nothing else", () => {
    const result = project(answer([hit("Stop the slow statement.", { score: 12.5, trace: ["bm25"], ordinal: 3 })]));
    expect(result).toEqual({
      items: [
        {
          item_id: expect.stringMatching(/^0123456789ab@[0-9a-f]{8}$/),
          document_id: "rb",
          title: "Pool",
          section: "Remedy",
          text: "Stop the slow statement.",
          relevance_level: "MEDIUM",
        },
      ],
      truncated: false,
      relevance_level: "MEDIUM",
    });
  });

  it("computes the revision itself: a backend cannot give two texts one id", () => {
    const result = project(answer([hit("one text"), hit("another text")]));
    expect(new Set(result.items.map((item) => item.item_id)).size).toBe(2);
  });

  it("makes an id from place and text where the backend has none that is safe", () => {
    const items = project(answer([{ text: "alone" }, { document_id: "d", text: "other", section_id: "17" }])).items;
    expect(items[0]).toMatchObject({ item_id: expect.stringMatching(/^[0-9a-f]{12}@[0-9a-f]{8}$/), section: "" });
    expect(items[0]?.document_id).toMatch(/^doc:/);
    expect(items[1]?.item_id).not.toContain("17");
  });

  it.each([
    [{ relevance_level: "HIGH" }, "HIGH"],
    [{ relevanceLevel: "HIGH" }, "HIGH"],
    [{ relevance_level: "HIGH", relevanceLevel: "MEDIUM" }, "MEDIUM"],
    [{ relevance_level: "REFERENCE", relevanceLevel: "HIGH" }, "REFERENCE"],
    [{ relevance_level: "HIGH", relevanceLevel: "sure" }, "REFERENCE"],
    [{ relevance_level: 0.93 }, "REFERENCE"],
    [{}, "REFERENCE"],
  ])("reads the level of %j as %s and writes one spelling", (levels, expected) => {
    const result = project(answer([{ document_id: "d", text: "text", ...levels }]));
    expect(result.items[0]?.relevance_level).toBe(expected);
    expect(JSON.stringify(result)).not.toContain("relevanceLevel");
  });

  it("gives the best level of its items to the whole", () => {
    const levels = ["REFERENCE", "HIGH", "MEDIUM"];
    const result = project(answer(levels.map((relevance_level, i) => hit(`text ${i}`, { relevance_level }))));
    expect(result.relevance_level).toBe("HIGH");
    expect(result.items.map((item) => item.relevance_level)).toEqual(levels);
  });

  it("is no evidence for an empty array only", () => {
    const empty = project(answer([]));
    expect(empty).toEqual({ items: [], truncated: false });
    expect(
      evidenceStatusOf(ragResultProjector.project(answer([]), lookup, { limits: { maxBytes: 100 }, redact })),
    ).toBe("NO_EVIDENCE");
    for (const raw of [
      null,
      [],
      {},
      { hits: null },
      { hits: {} },
      { records: [] },
      answer(["text"]),
      answer([{ title: "no text" }]),
    ]) {
      expect(() => project(raw)).toThrow(expect.objectContaining({ code: "BACKEND_SCHEMA_ERROR" }));
    }
  });

  it("leaves out a hit without text, but does not take nothing but such hits for an absence", () => {
    expect(project(answer([hit(" \n"), hit("text")])).items.map((item) => item.text)).toEqual(["text"]);
    expect(() => project(answer([hit(""), hit(" ")]))).toThrow(
      expect.objectContaining({ code: "BACKEND_SCHEMA_ERROR" }),
    );
  });

  it("shows one of several hits with the same text, and the larger of two that overlap in one document", () => {
    const inner = "Stop the slow statement.";
    const result = project(
      answer([
        hit(inner, { relevance_level: "HIGH" }),
        hit(`First look. ${inner} Then wait.`, { section_id: "aaaaaaaaaaaa", relevance_level: "REFERENCE" }),
        hit(`  ${inner}\n`, { document_id: "copy" }),
        hit("First  look.", { section_id: "bbbbbbbbbbbb" }),
      ]),
    );
    expect(result.items.map((item) => item.text)).toEqual([`First look. ${inner} Then wait.`, `  ${inner}\n`]);
    expect(result.items[0]?.relevance_level).toBe("HIGH");
    expect(result.truncated).toBe(false);
  });

  it("says that something was left out when the backend, the number, or the room says so", () => {
    expect(project(answer([hit("a")], true)).truncated).toBe(true);
    const many = Array.from({ length: 7 }, (_, i) => hit(`text number ${i}`));
    expect(project(answer(many))).toMatchObject({ truncated: true, items: { length: 5 } });
    expect(project(answer(many), 16_384, { ...lookup, topK: 7 }).truncated).toBe(false);
    const long = hit("The pool is empty. ".repeat(200));
    expect(project(answer([long]), 1000).truncated).toBe(true);
  });

  it("cuts long passages at sentences around the words of the query, and gives them the room that short ones leave", () => {
    const filler = "Unrelated words stand here. ";
    const long = hit(`${filler.repeat(60)}The connection pool is exhausted. ${filler.repeat(60)}`);
    const result = project(answer([hit("Short."), long]), 2000);
    expect(result.items[0]?.text).toBe("Short.");
    expect(result.items[1]?.text).toContain("The connection pool is exhausted.");
    expect(result.items[1]?.text).toMatch(/^Unrelated.*\.$/s);
    expect(utf8Bytes(JSON.stringify(result))).toBeGreaterThan(1700);
  });

  it("shows fewer passages rather than shreds of many", () => {
    const hits = Array.from({ length: 5 }, (_, i) => hit(`${"连接池耗尽时先检查慢查询。".repeat(20)}${i}`));
    const result = project(answer(hits), 1500);
    expect(result.items.length).toBeGreaterThan(0);
    expect(result.items.length).toBeLessThan(5);
    for (const item of result.items) expect(utf8Bytes(item.text)).toBeGreaterThan(150);
    expect(result.truncated).toBe(true);
  });

  it("fails rather than call evidence that has no room an absence", () => {
    expect(() => project(answer([hit("text")]), 120)).toThrow(expect.objectContaining({ code: "NOTHING_FITS" }));
  });

  it("redacts every field in full before it cuts", () => {
    const leaky = `${"x ".repeat(120)}${SECRET} on 10.0.0.7. `.repeat(8);
    for (let maxBytes = 300; maxBytes < 1200; maxBytes += 7) {
      const raw = answer([hit(leaky, { title: leaky, section: leaky, document_id: leaky })]);
      const text = JSON.stringify(
        ragResultProjector.project(raw, lookup, { limits: { maxBytes: maxBytes + 1200 }, redact }),
      );
      expect(text).not.toMatch(/hunter|10\.0\.|\[\[(?!secret:PASSWORD\]\]|ip:k3f9q2xa\]\])/);
    }
  });

  it("lets no exception of the redactor pass as a result", () => {
    const failing: Redact = {
      ...redact,
      text: () => {
        throw new Error("limit");
      },
    };
    expect(() =>
      ragResultProjector.project(answer([hit("a")]), lookup, { limits: { maxBytes: 999 }, redact: failing }),
    ).toThrow();
  });

  it("fits, hides what is planted, and gives the same bytes again, for all inputs", () => {
    const piece = fc.constantFrom(
      "Check the pool. ",
      "连接池耗尽。",
      SECRET,
      "10.0.0.7",
      '"\\\n',
      "👩‍👩‍👧",
      "\u0000",
      "pool-1 ",
    );
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
    const hits = fc.array(
      fc.record({
        text,
        document_id: text,
        title: text,
        section: fc.constant("s"),
        relevance_level: fc.constantFrom("HIGH", "?"),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(hits, fc.integer({ min: 40, max: 4000 }), (list, maxBytes) => {
        const context = { limits: { maxBytes }, redact };
        let first: string;
        try {
          first = JSON.stringify(ragResultProjector.project(answer(list), lookup, context));
        } catch (error) {
          const blank = list.length > 0 && list.every((one) => one.text.trim() === "");
          expect(error).toMatchObject({ code: blank ? "BACKEND_SCHEMA_ERROR" : "NOTHING_FITS" });
          return;
        }
        expect(utf8Bytes(first)).toBeLessThanOrEqual(maxBytes);
        expect(first).not.toContain(SECRET);
        expect(first).not.toContain("10.0.0.7");
        expect(JSON.stringify(ragResultProjector.project(answer(list), lookup, context))).toBe(first);
        const shown = lookupKnowledgeResult.parse(JSON.parse(first));
        expect(shown.items.length > 0).toBe(list.length > 0);
      }),
      { numRuns: 300 },
    );
  });

  it("counts for the audit", () => {
    expect(ragResultProjector.measure?.(answer([hit("a"), hit("b")]), lookup)).toEqual({
      l0MatchCount: 1,
      l1MatchCount: 7,
      returnedCount: 2,
    });
    expect(ragResultProjector.measure?.({ hits: [hit("a")], l1_match_count: -1 }, lookup)).toEqual({
      l0MatchCount: 0,
      l1MatchCount: 1,
      returnedCount: 1,
    });
  });
});
