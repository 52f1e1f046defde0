import { describe, expect, it } from "vitest";
import { BoundaryError } from "../../src/model/errors.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { fixture } from "./fixture.ts";

const SECRET = "hunter2-is-the-password";

/** A store of which so many answers of one verb are lost: the step was done, but nobody hears of it. */
function losing(verb: keyof MemoryStore, times: number): { readonly store: MemoryStore; readonly lose: () => void } {
  const store = new MemoryStore();
  const original = (store[verb] as (...args: unknown[]) => Promise<unknown>).bind(store);
  let left = 0;
  const wrapped = async (...args: unknown[]): Promise<unknown> => {
    const answer = await original(...args);
    left -= 1;
    if (left >= 0) throw new Error(`redis://app:${SECRET}@store failed`);
    return answer;
  };
  Object.defineProperty(store, verb, { value: wrapped });
  return {
    store,
    lose: () => {
      left = times;
    },
  };
}

const DRAFT = {
  claims: [
    {
      kind: "observation",
      text: "The pool timed out.",
      citations: [{ tool_call_id: "c1", item_id: "e1", quote: "pool timed out" }],
    },
  ],
};

describe("a store whose answer is lost", () => {
  it("does not make a published diagnosis look unpublished", async () => {
    const { store, lose } = losing("closeRun", 1);
    const { call, run, audit, harness } = await fixture(undefined, { store, clock: Date.now });
    await call();
    lose();
    expect(await run.publish(DRAFT)).toMatchObject({ published: true, status: "COMPLETED" });
    await harness.close();
    expect(audit.runs.at(-1)).toMatchObject({ status: "COMPLETED", verdict: "PASS" });
  });

  it.each(["openRun", "readRun", "closeRun"] as const)(
    "tells the host STORE_ERROR and no word of the driver: %s",
    async (verb) => {
      const { store, lose } = losing(verb, 100);
      const { harness, run } = await fixture(undefined, { store, clock: Date.now });
      const asks: Record<typeof verb, () => Promise<unknown>> = {
        openRun: () => harness.openRun({ sessionId: "s" }),
        readRun: () => Promise.any([run.progress(), harness.resumeRun("run-2")]),
        closeRun: () => run.stop("enough"),
      };
      lose();
      const thrown = await asks[verb]().catch((error: unknown) =>
        error instanceof AggregateError ? error.errors[0] : error,
      );
      expect(BoundaryError.is(thrown) && thrown.code).toBe("STORE_ERROR");
      expect(`${(thrown as Error).stack} ${(thrown as Error).cause}`).not.toContain(SECRET);
    },
  );
});
