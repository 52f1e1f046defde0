import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { EvidenceSource } from "../../src/guard/guard.ts";
import { codesOf, logs, NOW, passages, readable, rows, sourceOf, verify } from "./evidence-fixture.ts";

const timeout = logs(["09:12:04 ERROR broker did not answer within 1500 ms", "09:13:10 INFO broker is back"]);
const claim = (citation: object, more: object = {}) => ({
  claims: [{ kind: "observation", text: "The broker did not answer.", citations: [citation], ...more }],
});
const codes = async (draft: unknown, source: EvidenceSource = sourceOf([timeout])) =>
  (await verify(draft, source)).claims.flatMap(({ findings }) => findings.map(({ code }) => code));
const single = (answer: object): EvidenceSource => ({ read: async (_, ids) => ids.map(() => answer as never) });

describe("following a citation", () => {
  it("passes what stands in a finished record of the run", async () => {
    expect(await verify(claim({ tool_call_id: "logs", item_id: "e1" }), sourceOf([timeout]))).toMatchObject({
      verdict: "PASS",
      claims: [{ claim_id: "c1", findings: [] }],
      checked_at: "2026-03-11T10:00:00.000Z",
    });
  });

  it("answers the same for a forged id and for one of another run", async () => {
    expect(await codes(claim({ tool_call_id: "made-up", item_id: "e1" }))).toEqual(["EG_INVOCATION_NOT_FOUND"]);
    expect(await codes(claim({ tool_call_id: "Logs", item_id: "e1" }))).toEqual(["EG_INVOCATION_NOT_FOUND"]);
  });

  it.each(["", "logs ", "ｌogs", "logs\u0000", "lo\u202egs", "logs; DROP", "x".repeat(8_193)])(
    "does not look up %j",
    async (id) => {
      const read = vi.fn();
      expect(await codes(claim({ tool_call_id: id, item_id: "e1" }), { read })).toEqual(["EG_ID_MALFORMED"]);
      expect(read).not.toHaveBeenCalled();
    },
  );

  it.each([
    ["EG_INVOCATION_EXPIRED", { kind: "expired" }],
    ["EG_INVOCATION_EXPIRED", { kind: "found", record: { ...readable(timeout), expiresAt: NOW } }],
    ["EG_NOT_READY", { kind: "found", record: { ...readable(timeout), status: "PROJECTING" } }],
    ["EG_INVOCATION_ERROR", { kind: "found", record: { ...readable(timeout), status: "ERROR" } }],
  ])("gives %s for a record that cannot carry a claim", async (code, answer) => {
    expect(await codes(claim({ tool_call_id: "logs", item_id: "e1" }), single(answer))).toEqual([code]);
  });

  it("wants the item of a positive claim, of the tool it names", async () => {
    expect(await codes(claim({ tool_call_id: "logs" }))).toEqual(["EG_ITEM_REQUIRED"]);
    expect(await codes(claim({ tool_call_id: "logs", item_id: "e7" }))).toEqual(["EG_ITEM_NOT_FOUND"]);
    expect(await codes(claim({ tool_call_id: "logs", item_id: "e1", tool_name: "query_mysql" }))).toEqual([
      "EG_TOOL_MISMATCH",
    ]);
  });

  it("lets a good citation not make up for a bad one", async () => {
    const draft = {
      claims: [
        {
          kind: "observation",
          text: "It failed.",
          citations: [{ tool_call_id: "logs", item_id: "e1" }, { tool_call_id: "no" }],
        },
      ],
    };
    expect(await codes(draft)).toEqual(["EG_INVOCATION_NOT_FOUND"]);
  });

  it("reads all cited records in one call, each id once", async () => {
    const source = sourceOf([timeout]);
    const read = vi.spyOn(source, "read");
    const draft = { claims: [...Array(3)].map(() => claim({ tool_call_id: "logs", item_id: "e1" }).claims[0]) };
    expect((await verify(draft, source)).verdict).toBe("PASS");
    expect(read.mock.calls).toEqual([["run", ["logs"]]]);
  });

  it("rejects when the store fails or answers short, and says nothing of why", async () => {
    const failing: EvidenceSource = { read: () => Promise.reject(new Error("ECONNREFUSED 10.9.8.7")) };
    const verdict = await verify(claim({ tool_call_id: "logs", item_id: "e1" }), failing);
    expect(verdict.claims[0]?.findings).toEqual([{ code: "EG_STORE_UNAVAILABLE", severity: "REJECT" }]);
    expect(await codes(claim({ tool_call_id: "logs", item_id: "e1" }), { read: async () => [] })).toEqual([
      "EG_STORE_UNAVAILABLE",
    ]);
    expect(
      await codes(
        claim({ tool_call_id: "logs", item_id: "e1" }),
        single({ kind: "found", record: { ...readable(timeout), agentResult: null } }),
      ),
    ).toEqual(["EG_STORE_UNAVAILABLE"]);
  });
});

describe("the form of a draft", () => {
  it.each([
    ["no object", "draft"],
    ["no claims", {}],
    ["an empty list of claims", { claims: [] }],
    ["too many claims", { claims: Array(101).fill(claim({ tool_call_id: "logs", item_id: "e1" }).claims[0]) }],
    ["an invented kind", claim({ tool_call_id: "logs" }, { kind: "fact" })],
    ["citations that are no list", claim({}, { citations: { tool_call_id: "logs" } })],
    ["a quote that is no text", claim({ tool_call_id: "logs", item_id: "e1", quote: 5 })],
    ["a count that is no number", claim({ tool_call_id: "logs" }, { count: { op: "=", value: "2" } })],
    [
      "an unknown derivation",
      claim({ tool_call_id: "logs", item_id: "e1" }, { derived: [{ op: "mean", value: 1, inputs: [1] }] }),
    ],
    ["entities that are no names", claim({ tool_call_id: "logs", item_id: "e1" }, { entities: { service: 4 } })],
    ["a text over the limit", claim({ tool_call_id: "logs", item_id: "e1" }, { text: "x".repeat(4_001) })],
  ])("refuses %s", async (_, draft) => {
    expect(await codes(draft)).toContain("EG_DRAFT_SCHEMA");
  });

  it("judges the other claims when one has the wrong form", async () => {
    const good = claim({ tool_call_id: "logs", item_id: "e1" }).claims[0];
    const verdict = await verify({ claims: [good, { kind: "observation" }] }, sourceOf([timeout]));
    expect(verdict.claims.map(({ verdict: word }) => word)).toEqual(["PASS", "REJECT"]);
  });

  it("never throws and never passes what is no draft", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (draft) => {
        expect((await verify(draft, sourceOf([timeout]))).verdict).toBe("REJECT");
      }),
    );
  });

  it("never throws, whatever a draft does when it is touched", async () => {
    const touchy = new Proxy(
      {},
      {
        get: () => {
          throw new Error("touched");
        },
        ownKeys: () => {
          throw new Error("touched");
        },
      },
    );
    const cyclic: Record<string, unknown> = {};
    cyclic["claims"] = [cyclic];
    for (const draft of [touchy, { claims: [touchy] }, cyclic, { claims: [() => 1] }]) {
      expect(await codes(draft)).toContain("EG_DRAFT_SCHEMA");
    }
  });

  it("never throws, whatever stands in a claim", async () => {
    const anyClaim = fc.record({
      kind: fc.constantFrom("observation", "negative", "root_cause", "hypothesis", "recommendation"),
      text: fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }),
      citations: fc.array(
        fc.record({
          tool_call_id: fc.constant("logs"),
          item_id: fc.constantFrom("e1", "e2"),
          quote: fc.string({ unit: "binary" }),
        }),
        { maxLength: 3 },
      ),
      entities: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyClaim, { minLength: 1, maxLength: 3 }), async (claims) => {
        const { verdict } = await verify({ claims }, sourceOf([timeout]));
        expect(["PASS", "WARN", "REJECT"]).toContain(verdict);
      }),
    );
  });
});

describe("hostile text", () => {
  it.each([
    ["dots", `${".".repeat(3_990)}x`],
    ["camel case", `Aa${"A".repeat(3_990)}1`],
    ["open quotation marks", "“ab".repeat(1_300)],
    ["masks that do not end", "[redacted".repeat(440)],
    ["keys", "a1:".repeat(1_300)],
    ["lists of numbers", "1,".repeat(1_990)],
    ["ranges of times", "09:05-".repeat(660)],
    ["negations", "没有手册".repeat(990)],
  ])("is read in bounded time: %s", async (_, text) => {
    const record = logs(Array(4).fill(text.repeat(4).slice(0, 16_000)));
    const { user } = process.cpuUsage();
    for (const kind of ["observation", "negative"]) {
      const citations = [{ tool_call_id: "logs", item_id: "e1", quote: text }];
      expect(await codesOf(record, { kind, text, citations })).not.toContain("EG_STORE_UNAVAILABLE");
    }
    // a fraction of a second; reading that grows with the square of the text would take minutes
    expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(10);
  });
});

describe("what each kind of claim needs", () => {
  const guide = passages(["Drain the backlog before restarting a broker."]);
  const background = passages([{ text: "Backlogs may follow a rebalance.", relevance_level: "REFERENCE" }], {
    id: "ref",
  });
  const nothing = logs([], { scope: { keywords: ["segfault"] }, id: "none" });

  it("wants a citation for facts and none for a hypothesis or recommendation", async () => {
    for (const kind of ["observation", "negative", "root_cause"]) {
      expect(await codesOf([], { kind, text: "It failed." })).toEqual(["EG_NO_CITATION"]);
    }
    for (const kind of ["hypothesis", "recommendation"])
      expect(await codesOf([], { kind, text: "It may fail." })).toEqual([]);
  });

  it.each([
    ["EG_KNOWLEDGE_AS_OBSERVATION", "observation", [guide]],
    ["EG_ROOT_CAUSE_NO_OBSERVATION", "root_cause", [guide]],
    ["EG_REFERENCE_AS_ROOT_CAUSE", "root_cause", [background]],
    ["EG_REFERENCE_SUPPORT_ONLY", "root_cause", [timeout, background]],
    ["EG_POSITIVE_FROM_NO_EVIDENCE", "root_cause", [nothing]],
    ["EG_POSITIVE_FROM_NO_EVIDENCE", "observation", [nothing]],
  ])("gives %s for this %s", async (code, kind, records) => {
    expect(await codesOf(records, { kind, text: "A rebalance stalled the broker." })).toEqual([code]);
  });

  it("lets knowledge support a recommendation, and a root cause that was also observed", async () => {
    expect(await codesOf(guide, { kind: "recommendation", text: "Drain the backlog first." })).toEqual([]);
    expect(await codesOf([guide, timeout], { kind: "root_cause", text: "The broker stalled." })).toEqual([]);
  });

  it("takes the lower of two levels, and none from text", async () => {
    const mixed = passages([{ text: "x", relevance_level: "HIGH", relevanceLevel: "REFERENCE" }]);
    expect(await codesOf(mixed, { kind: "root_cause", text: "A rebalance." })).toEqual(["EG_REFERENCE_AS_ROOT_CAUSE"]);
    const boasting = passages(["relevance_level: REFERENCE"]);
    expect(await codesOf(boasting, { kind: "root_cause", text: "A rebalance." })).toEqual([
      "EG_ROOT_CAUSE_NO_OBSERVATION",
    ]);
  });

  it("accepts an alias of the run that the evidence shows, and no placeholder", async () => {
    const masked = logs(["09:01:00 WARN login of [[user:qk3v9x2m]] with [[secret:password]] refused"]);
    expect(await codesOf(masked, { text: "The login of [[user:qk3v9x2m]] was refused." })).toEqual([]);
    expect(await codesOf(masked, { text: "The login of [[user:zz3v9x2m]] was refused." })).toEqual([
      "EG_ENTITY_OUT_OF_SCOPE",
    ]);
    for (const mask of ["[[secret:password]]", "[REDACTED]", "<PASSWORD>", "****", "【已脱敏】"]) {
      expect(await codesOf(masked, { text: `The password was ${mask}.` })).toEqual(["EG_PLACEHOLDER_AS_FACT"]);
    }
    expect(await codesOf(masked, { text: 'The log says "with [[secret:password]] refused".' })).toEqual([]);
    expect(await codesOf(masked, { text: 'The password was "[[secret:password]]".' })).toEqual([
      "EG_PLACEHOLDER_AS_FACT",
    ]);
  });

  it("compares declared entities with the scope, or with every cited row that has the column", async () => {
    const shops = rows([
      { shop: "north", total: 4 },
      { shop: "south", total: 9 },
    ]);
    const both = [
      { tool_call_id: "rows", item_id: "r1" },
      { tool_call_id: "rows", item_id: "r2" },
    ];
    expect(await codesOf(shops, { text: "4 refunds.", entities: { shop: "north", table: "refunds" } })).toEqual([]);
    expect(await codesOf(shops, { text: "4 refunds.", entities: { shop: "south" } })).toEqual([
      "EG_ENTITY_OUT_OF_SCOPE",
    ]);
    expect(await codesOf(shops, { text: "4 and 9.", citations: both, entities: { shop: "north" } })).toEqual([
      "EG_ENTITY_OUT_OF_SCOPE",
    ]);
    expect(await codesOf(shops, { text: "4 refunds.", entities: { region: "east" } })).toEqual([
      "EG_ENTITY_OUT_OF_SCOPE",
    ]);
  });

  it("knows a service by its shape when the text names one that was not looked at", async () => {
    expect(await codesOf(timeout, { text: "The cart-svc broker did not answer." })).toEqual(["EG_ENTITY_OUT_OF_SCOPE"]);
    expect(await codesOf(timeout, { text: "The checkout-svc broker did not answer." })).toEqual([]);
    expect(await codesOf(logs(["09:01:00 ERROR cart-svc refused"]), { text: "cart-svc refused." })).toEqual([]);
  });
});
