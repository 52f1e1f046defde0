import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { BoundaryError } from "../../src/model/errors.ts";
import type { JsonValue } from "../../src/model/json.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { answering, fixture, linesTool, projecting } from "./fixture.ts";

/** What it does, how, and the code that comes of it. */
type Case = readonly [string, () => unknown, string];

const SECRET = "hunter2-is-the-password";

/** One call of a tool; its observation, its audit row, and the stored record. */
async function outcomeOf(tool: ReturnType<typeof linesTool>, options: Parameters<typeof fixture>[1] = {}) {
  const made = await fixture([tool], options);
  const { observation, control } = await made.call();
  const [lookup] = await made.store.read(made.run.runId, ["c1"]);
  const rows = await made.rows();
  expect(JSON.stringify([observation, control, rows])).not.toContain(SECRET);
  expect(rows).toHaveLength(1);
  return { observation, control, row: rows[0], record: lookup?.kind === "found" ? lookup.record : null };
}

describe("a backend that fails", () => {
  it.each<Case>([
    ["throws", () => Promise.reject(new Error(`connect mysql://app:${SECRET}@db`)), "BACKEND_ERROR"],
    ["throws no error at all", () => Promise.reject(SECRET), "BACKEND_ERROR"],
    [
      "throws before it returns a promise",
      () => {
        throw new Error(SECRET);
      },
      "BACKEND_ERROR",
    ],
    [
      "cannot be reached",
      () => Promise.reject(Object.assign(new Error(SECRET), { code: "ECONNREFUSED" })),
      "BACKEND_UNAVAILABLE",
    ],
    [
      "cannot be reached by fetch",
      () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ENOTFOUND" } })),
      "BACKEND_UNAVAILABLE",
    ],
    ["names its own failure", () => Promise.reject(new BoundaryError("BAD_QUERY", "pattern", SECRET)), "BAD_QUERY"],
    [
      "throws a code that is the host's alone",
      () => Promise.reject(new BoundaryError("CONFIG_INVALID")),
      "BACKEND_ERROR",
    ],
    ["returns nothing", async () => undefined, "RAW_MISSING"],
    [
      "returns what cannot be stored",
      async () => {
        const a: unknown[] = [];
        a.push(a);
        return a;
      },
      "RAW_NOT_SERIALIZABLE",
    ],
    ["returns 100 MB", async () => "x".repeat(100_000_000), "RAW_TOO_LARGE"],
    ["returns 100 MB in pieces", async () => Array.from({ length: 100_000 }, () => "x".repeat(1000)), "RAW_TOO_LARGE"],
  ])("that %s gives one ERROR with a stable code", async (_, execute, code) => {
    const { observation, control, row, record } = await outcomeOf(answering(execute as () => Promise<unknown>));
    expect(observation).toMatchObject({ outcome: "ERROR", code, tool_call_id: "c1", tool_name: "query_lines" });
    expect(control).toMatchObject({ decision: "EXECUTED", code, evidenceStatus: "ERROR" });
    expect(row).toMatchObject({ success: false, error_message: code, relevance_level: "ERROR" });
    expect(record).toMatchObject({ status: "ERROR", evidence: "ERROR", code });
    expect(record).not.toHaveProperty("raw");
  });

  it("that hangs is answered at the deadline and told to stop", async () => {
    let aborted = false;
    const tool = answering((_, { signal }) => {
      signal.addEventListener("abort", () => {
        aborted = true;
      });
      return new Promise(() => undefined);
    });
    const { observation } = await outcomeOf(tool, { limits: { call: { deadlineMs: 30 } } });
    expect(observation).toMatchObject({ outcome: "ERROR", code: "DEADLINE_EXCEEDED" });
    expect(aborted).toBe(true);
  });

  it("that answers after its deadline changes nothing any more", async () => {
    let answer: (value: unknown) => void = () => undefined;
    const tool = answering(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const made = await fixture([tool], { limits: { call: { deadlineMs: 20 } } });
    await made.call();
    answer({ lines: ["late"] });
    await new Promise((resolve) => setImmediate(resolve));
    const [lookup] = await made.store.read(made.run.runId, ["c1"]);
    expect(lookup).toMatchObject({ record: { status: "ERROR", code: "DEADLINE_EXCEEDED" } });
  });

  it("that rejects after its deadline breaks nothing", async () => {
    const unhandled = vi.fn();
    process.once("unhandledRejection", unhandled);
    const tool = answering(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error(SECRET)));
        }),
    );
    await outcomeOf(tool, { limits: { call: { deadlineMs: 20 } } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(unhandled).not.toHaveBeenCalled();
    process.removeListener("unhandledRejection", unhandled);
  });

  it.each([
    [
      "big integers and dates",
      { n: 9007199254740993n, at: new Date(0) },
      { n: "9007199254740993", at: "1970-01-01T00:00:00.000Z" },
    ],
    ["bytes that are no text", { b: Buffer.from([0xff, 0xfe]) }, { b: "//4=" }],
    ["a member called __proto__", JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}')],
    ["ill-formed text", { s: "a\ud800" }, { s: "a\ufffd" }],
  ])("may answer with %s: stored once in one form, and projected from it", async (_, raw, canonical) => {
    let projected: JsonValue = null;
    const tool = linesTool({
      execute: async () => raw,
      projector: {
        id: "lines",
        version: "1",
        project: (value) => {
          projected = value;
          return { items: [{ item_id: "e1", text: "seen" }], truncated: false };
        },
      },
    });
    const made = await fixture([tool]);
    expect((await made.call()).observation.outcome).toBe("OK");
    expect(projected).toEqual(canonical);
    const stored = await made.store.readRaw(made.run.runId, "c1");
    expect(stored.kind === "found" ? JSON.parse(stored.record.raw) : null).toEqual(canonical);
  });
});

describe("a projector that fails", () => {
  it.each<Case>([
    [
      "throws",
      () => {
        throw new Error(SECRET);
      },
      "PROJECTION_FAILED",
    ],
    [
      "names its own failure",
      () => {
        throw new BoundaryError("PARTIAL_RESULT");
      },
      "PARTIAL_RESULT",
    ],
    [
      "returns too much",
      () => ({ items: [{ item_id: "e1", text: "x".repeat(20_000) }], truncated: false }),
      "PROJECTION_TOO_LARGE",
    ],
    ["returns no items", () => ({ truncated: false }), "PROJECTION_INVALID"],
    ["says nothing of truncation", () => ({ items: [] }), "PROJECTION_INVALID"],
    ["returns an item without an id", () => ({ items: [{ text: "a" }], truncated: false }), "PROJECTION_INVALID"],
    [
      "returns two items with one id",
      () => ({ items: [{ item_id: "a" }, { item_id: "a" }], truncated: false }),
      "PROJECTION_INVALID",
    ],
    ["returns nothing", () => undefined, "PROJECTION_INVALID"],
    ["returns a promise", async () => ({ items: [], truncated: false }), "PROJECTION_INVALID"],
    ["cuts everything away", () => ({ items: [], truncated: true }), "NOTHING_FITS"],
  ])("and %s gives one ERROR with a stable code", async (_, project, code) => {
    const { observation, record, row } = await outcomeOf(projecting(project as () => unknown));
    expect(observation).toMatchObject({ outcome: "ERROR", code });
    expect(record).toMatchObject({ status: "ERROR", code });
    expect(row).toMatchObject({ error_message: code, output_length: null });
  });

  it("and does not fit its own schema is an ERROR; what the schema does not name does not pass", async () => {
    const result = z.object({
      items: z.array(z.object({ item_id: z.string(), text: z.string() })),
      truncated: z.boolean(),
    });
    const wrong = linesTool({
      result,
      projector: {
        id: "p",
        version: "1",
        project: () => ({ items: [{ item_id: "a", text: 7 as never }], truncated: false }),
      },
    });
    expect((await outcomeOf(wrong)).observation).toMatchObject({ code: "PROJECTION_INVALID", field: "items[0]" });
    const more = linesTool({
      result,
      projector: {
        id: "p",
        version: "1",
        project: () => ({ items: [{ item_id: "a", text: "ok", internal: SECRET }], truncated: false, score: 0.7 }),
      },
    });
    const { observation } = await outcomeOf(more);
    expect(observation).toMatchObject({ outcome: "OK", items: [{ item_id: "a", text: "ok" }] });
    expect(observation).not.toHaveProperty("score");
  });

  it("shows a secret in an earlier text than the one that proves it, and is run again knowing it", async () => {
    const lines = ["retrying with Tr0ub4dor&3xyz", "login password=Tr0ub4dor&3xyz"];
    const { observation } = await outcomeOf(answering(async () => ({ lines })));
    expect(observation.outcome).toBe("OK");
    expect(JSON.stringify(observation)).not.toContain("Tr0ub4dor");
  });

  it("and gives a wrong value under a key of the backend's does not name that key to the model", async () => {
    const cells = z.record(z.string(), z.string());
    const result = z.object({ items: z.array(z.object({ item_id: z.string(), cells })), truncated: z.boolean() });
    const project = () => ({ items: [{ item_id: "a", cells: { [SECRET]: 7 as never } }], truncated: false });
    const { observation } = await outcomeOf(linesTool({ result, projector: { id: "p", version: "1", project } }));
    expect(observation).toMatchObject({ code: "PROJECTION_INVALID", field: "items[0]" });
    expect(JSON.stringify(observation)).not.toContain(SECRET);
  });

  it("and lets a secret through that this run knows is an ERROR", async () => {
    const leaking = linesTool({
      execute: async () => ({ lines: ["password=Tr0ub4dor&3xyz"] }),
      projector: {
        id: "p",
        version: "1",
        project: (_, __, { redact }) => {
          redact.text("password=Tr0ub4dor&3xyz");
          return { items: [{ item_id: "a", text: "it was Tr0ub4dor&3xyz" }], truncated: false };
        },
      },
    });
    const { observation } = await outcomeOf(leaking);
    expect(observation).toMatchObject({ outcome: "ERROR", code: "LEAK_DETECTED" });
    expect(JSON.stringify(observation)).not.toContain("Tr0ub4dor");
  });
});

describe("a store that fails", () => {
  const down = async (): Promise<never> => Promise.reject(new Error(`redis ${SECRET}`));

  it("before begin is acknowledged: no backend starts", async () => {
    const execute = vi.fn(async () => ({ lines: [] }));
    const made = await fixture([answering(execute)]);
    vi.spyOn(made.store, "begin").mockImplementation(down);
    const { observation } = await made.call();
    expect(observation).toMatchObject({ outcome: "ERROR", code: "STORE_ERROR" });
    expect(JSON.stringify(observation)).not.toContain(SECRET);
    expect(execute).not.toHaveBeenCalled();
  });

  it("before READY is stored: no observation of evidence leaves, and nothing is citable", async () => {
    const made = await fixture();
    vi.spyOn(made.store, "settle").mockImplementation(down);
    const { observation } = await made.call();
    expect(observation).toMatchObject({ outcome: "ERROR", code: "STORE_ERROR" });
    expect(observation).not.toHaveProperty("items");
    const verdict = await made.run.verify({
      claims: [
        { kind: "observation", text: "The pool timed out.", citations: [{ tool_call_id: "c1", item_id: "e1" }] },
      ],
    });
    expect(verdict).toMatchObject({ verdict: "REJECT", claims: [{ findings: [{ code: "EG_NOT_READY" }] }] });
  });

  it("for one answer only is asked once more with the same token", async () => {
    const made = await fixture();
    const { settle } = made.store;
    let lost = 0;
    vi.spyOn(made.store, "settle").mockImplementation(async (operation) => {
      const result = await settle.call(made.store, operation);
      lost += 1;
      if (lost === 1) throw new Error("the answer was lost");
      return result;
    });
    expect((await made.call()).observation.outcome).toBe("OK");
    expect(await made.rows()).toHaveLength(1);
  });

  it("that is full says so, before the backend is asked and after", async () => {
    const store = new MemoryStore({ maxBytes: 6_000 });
    const big = answering(async () => ({ lines: ["x".repeat(3_000)] }));
    const made = await fixture([big], { store });
    expect((await made.call()).observation).toMatchObject({ outcome: "ERROR", code: "STORE_FULL" });
    const [lookup] = await store.read(made.run.runId, ["c1"]);
    expect(lookup).toMatchObject({ record: { status: "ERROR", code: "STORE_FULL" } });
  });

  const TRUE_DRAFT = {
    claims: [{ kind: "observation", text: "The pool timed out.", citations: [{ tool_call_id: "c1", item_id: "e1" }] }],
  };

  it("when a draft is to be published publishes nothing, and says so without the driver's words", async () => {
    const made = await fixture();
    await made.call();
    vi.spyOn(made.store, "closeRun").mockImplementation(down);
    expect(await made.run.publish(TRUE_DRAFT)).toMatchObject({
      published: false,
      code: "STORE_ERROR",
      status: "ACTIVE",
    });
    await expect(made.run.stop("done")).rejects.toMatchObject({ code: "STORE_ERROR" });
    await expect(made.run.stop("done")).rejects.not.toThrow(SECRET);
  });

  it("for the answer of an ending only still knows who published", async () => {
    const made = await fixture();
    await made.call();
    const { closeRun } = made.store;
    let asked = 0;
    vi.spyOn(made.store, "closeRun").mockImplementation(async (close) => {
      const result = await closeRun.call(made.store, close);
      asked += 1;
      if (asked === 1) throw new Error("the answer was lost");
      return result;
    });
    expect(await made.run.publish(TRUE_DRAFT)).toMatchObject({ published: true, status: "COMPLETED" });
  });

  it("at a guard check rejects, and never passes", async () => {
    const made = await fixture();
    await made.call();
    vi.spyOn(made.store, "read").mockImplementation(down);
    const verdict = await made.run.verify({
      claims: [{ kind: "observation", text: "It failed.", citations: [{ tool_call_id: "c1", item_id: "e1" }] }],
    });
    expect(verdict).toMatchObject({ verdict: "REJECT", claims: [{ findings: [{ code: "EG_STORE_UNAVAILABLE" }] }] });
  });
});
