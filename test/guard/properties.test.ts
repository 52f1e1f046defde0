import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { logs, rows, sourceOf, verify } from "./evidence-fixture.ts";

const RANK = { PASS: 0, WARN: 1, REJECT: 2 } as const;

const word = fc.stringMatching(/^[a-z]{4,9}$/);
const number = fc.integer({ min: 10, max: 9_999_999 }).map(String);
const line = fc
  .tuple(word, word, number, fc.array(fc.oneof(word, number), { minLength: 2, maxLength: 8 }))
  .map(([first, second, third, others]) => [first, second, third, ...others].join(" "));
const lines = fc.uniqueArray(line, { minLength: 1, maxLength: 5 });

/** A claim that says nothing but what a line says. */
const verbatim = (text: string, i: number): JsonObject => ({
  kind: "observation",
  text: `The line reads "${text}".`,
  citations: [{ tool_call_id: "logs", item_id: `e${i + 1}`, quote: text }],
});
const verdictOf = async (texts: readonly string[], claims: readonly JsonObject[]) =>
  verify({ claims }, sourceOf([logs(texts), rows([{ amount: 41 }], { id: "rows" })]));

/** The text with the digit at a place, counted over all of its digits, made another. */
function withOtherDigit(text: string, place: number, step: number): string {
  const at = [...text.matchAll(/\d/g)].map(({ index }) => index);
  const chosen = at[place % at.length] ?? 0;
  return text.slice(0, chosen) + String((Number(text[chosen]) + step) % 10) + text.slice(chosen + 1);
}

describe("any draft", () => {
  it("that quotes items word for word passes", async () => {
    await fc.assert(
      fc.asyncProperty(lines, async (texts) => {
        expect((await verdictOf(texts, texts.map(verbatim))).verdict).toBe("PASS");
      }),
      { numRuns: 60 },
    );
  });

  it("is rejected when one digit of one quote is another", async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 9 }), async (texts, i, place, step) => {
        const chosen = i % texts.length;
        const forged = texts.map((text, at) => (at === chosen ? withOtherDigit(text, place, step) : text));
        const { verdict, claims } = await verdictOf(texts, forged.map(verbatim));
        expect(verdict).toBe("REJECT");
        expect(claims.map((claim) => claim.verdict === "REJECT")).toEqual(texts.map((_, at) => at === chosen));
      }),
      { numRuns: 60 },
    );
  });

  it("is rejected when the text alone changes a digit of what it cites", async () => {
    await fc.assert(
      fc.asyncProperty(word, number, fc.nat(), fc.integer({ min: 1, max: 9 }), async (name, value, place, step) => {
        const other = withOtherDigit(value, place, step);
        fc.pre(Number(other) !== Number(value));
        const claim = (text: string) => ({
          kind: "observation",
          text,
          citations: [{ tool_call_id: "r", item_id: "r1" }],
        });
        const source = sourceOf([rows([{ [`${name}_seen`]: Number(value) }], { id: "r" })]);
        expect((await verify({ claims: [claim(`It was seen ${value} times.`)] }, source)).verdict).toBe("PASS");
        expect((await verify({ claims: [claim(`It was seen ${other} times.`)] }, source)).verdict).toBe("REJECT");
      }),
      { numRuns: 100 },
    );
  });

  it("is rejected when one id is another", async () => {
    const field = fc.constantFrom("tool_call_id", "item_id");
    const changes: readonly ((id: string) => string)[] = [
      (id) => id.toUpperCase(),
      (id) => `${id} `,
      (id) => ` ${id}`,
      (id) => `${id}0`,
      (id) => id.slice(1),
      (id) => `${id}\u200b`,
      (id) => id.replace("e", "\u0435").replace("o", "\u043e"),
    ];
    await fc.assert(
      fc.asyncProperty(lines, fc.nat(), field, fc.constantFrom(...changes), async (texts, i, name, change) => {
        const claims = texts.map(verbatim);
        const chosen = claims[i % claims.length] as JsonObject;
        const [citation] = chosen["citations"] as readonly JsonObject[];
        const forged = { ...chosen, citations: [{ ...citation, [name]: change(String(citation?.[name])) }] };
        const draft = claims.map((claim) => (claim === chosen ? forged : claim));
        expect((await verdictOf(texts, draft)).verdict).toBe("REJECT");
      }),
      { numRuns: 80 },
    );
  });
});

describe("any claim", () => {
  const text = fc.oneof(
    fc.constantFrom(
      "All were slow.",
      "It never failed.",
      "It took 41 ms.",
      "41 were seen.",
      "全部失败。",
      "02:05 超时。",
    ),
    line.map((said) => `It says "${said}".`),
  );
  const citation = fc.record(
    {
      tool_call_id: fc.constantFrom("logs", "rows", "absent"),
      item_id: fc.constantFrom("e1", "e2", "r1"),
      quote: fc.oneof(word, line),
    },
    { requiredKeys: ["tool_call_id"] },
  );
  const claim = fc.record({
    kind: fc.constantFrom("observation", "negative", "root_cause", "hypothesis", "recommendation"),
    text,
    citations: fc.array(citation, { maxLength: 3 }),
  });

  it("is judged the same wherever it stands in the draft", async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.array(claim, { minLength: 2, maxLength: 5 }), fc.nat(), async (texts, claims, by) => {
        const at = by % claims.length;
        const turned = [...claims.slice(at), ...claims.slice(0, at)].reverse();
        const [a, b] = [await verdictOf(texts, claims), await verdictOf(texts, turned)];
        expect(b.verdict).toBe(a.verdict);
        const judged = (verdict: typeof a, order: readonly object[]) =>
          verdict.claims.map(({ verdict: own, findings }, i) => JSON.stringify([order[i], own, findings])).sort();
        expect(judged(b, turned)).toEqual(judged(a, claims));
      }),
      { numRuns: 80 },
    );
  });

  it("gains nothing from a citation of what is not there", async () => {
    const bad = fc.constantFrom<JsonObject>(
      { tool_call_id: "absent", item_id: "e1" },
      { tool_call_id: "logs", item_id: "e99" },
      { tool_call_id: "logs", item_id: "e1", quote: "no line reads like this one" },
      { tool_call_id: "lo gs" },
    );
    await fc.assert(
      fc.asyncProperty(lines, claim, bad, fc.boolean(), async (texts, one, added, first) => {
        const citations = first ? [added, ...one.citations] : [...one.citations, added];
        const before = await verdictOf(texts, [one]);
        const after = await verdictOf(texts, [{ ...one, citations }]);
        expect(RANK[after.verdict]).toBeGreaterThanOrEqual(RANK[before.verdict]);
        expect(after.verdict).toBe("REJECT");
      }),
      { numRuns: 100 },
    );
  });
});
