import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addAmounts, NOTHING, subtractAmounts } from "../model/budget.ts";
import { callKey } from "../model/ids.ts";
import type { Projecting, Settled } from "../model/invocation.ts";
import type { RunState } from "../model/run.ts";
import type { BeginResult, CanonicalStore, SettleResult } from "../store/store.ts";
import { AMOUNTS, aBegin, anError, anEvent, aReady, aRecord, aRefusal, aRun, aSettle, WANTED } from "./records.ts";

/** A store under test, and how its time passes: a clock that is moved, or a server's own. */
export interface StoreUnderTest {
  readonly store: CanonicalStore;
  /** Lets this many milliseconds pass for the store's TTLs. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** The contract of `CanonicalStore`. Every driver runs it unchanged. */
export function describeStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a canonical store`, () => {
    let under: StoreUnderTest;
    let store: CanonicalStore;

    beforeEach(async () => {
      under = await open();
      store = under.store;
    });
    afterEach(async () => {
      await under.close();
    });

    const openRun = async (overrides: Parameters<typeof aRun>[0] = {}): Promise<RunState> => {
      const opened = await store.openRun(aRun(overrides));
      if (opened.kind !== "opened") throw new Error(opened.kind);
      return opened.run;
    };
    const runOf = (result: BeginResult | SettleResult): RunState => {
      if (!("run" in result)) throw new Error(result.kind);
      return result.run;
    };
    const beginOne = async (): Promise<RunState> => runOf(await store.begin(aBegin(await openRun())));

    describe("runs", () => {
      it("opens a run once and reads it back", async () => {
        const run = await openRun({ principal: "alice", grants: ["query_logs"] });
        expect(run).toMatchObject({ status: "ACTIVE", revision: 0, principal: "alice", grants: ["query_logs"] });
        expect(run.expiresAt - run.openedAt).toBe(60_000);
        expect(await store.readRun("run-1")).toEqual(run);
        expect(await store.openRun(aRun())).toEqual({ kind: "exists" });
      });

      it("knows nothing of a run that was never opened", async () => {
        expect(await store.readRun("run-2")).toBeNull();
        expect(await store.list("run-2")).toEqual([]);
        expect(await store.closeRun({ runId: "run-2", status: "STOPPED", reason: null, attempt: "end" })).toEqual({
          kind: "gone",
        });
      });

      it("lets the first who ends a run decide how", async () => {
        await openRun();
        const first = await store.closeRun({ runId: "run-1", status: "COMPLETED", reason: null, attempt: "end" });
        const second = await store.closeRun({ runId: "run-1", status: "STOPPED", reason: "late", attempt: "late" });
        expect(first).toMatchObject({ kind: "closed", run: { status: "COMPLETED" } });
        expect(second).toMatchObject({ kind: "already", run: { status: "COMPLETED", stopReason: null } });
      });

      it("answers a repeated ending as its first, by its own attempt token", async () => {
        await openRun();
        const end = { runId: "run-1", status: "COMPLETED", reason: null, attempt: "end" } as const;
        await store.closeRun(end);
        expect(await store.closeRun(end)).toMatchObject({ kind: "closed", run: { status: "COMPLETED" } });
        expect(await store.closeRun({ ...end, attempt: "another" })).toMatchObject({ kind: "already" });
      });

      it("takes no call once the run has ended or expired", async () => {
        const run = await openRun();
        await store.closeRun({ runId: "run-1", status: "STOPPED", reason: "enough", attempt: "end" });
        expect(await store.begin(aBegin(run))).toEqual({ kind: "refused", code: "RUN_NOT_ACTIVE" });
        const brief = await openRun({ runId: "run-2", lifetimeMs: 1_500 });
        await under.pass(2_000);
        const late = aBegin(brief, { record: aRecord({ runId: "run-2" }) });
        expect(await store.begin(late)).toEqual({ kind: "refused", code: "RUN_NOT_ACTIVE" });
        expect((await store.readRun("run-2"))?.status).toBe("EXPIRED");
      });
    });

    it("says in every answer that a run is past its lifetime", async () => {
      const begun = await store.begin(aBegin(await openRun({ lifetimeMs: 5_000 })));
      await under.pass(6_000);
      const run = runOf(begun);
      const settled = await store.settle(aSettle(run));
      const answers = [settled, await store.settle(aSettle(run)), await store.refuse(aRefusal(runOf(settled)))];
      answers.push(await store.refuse(aRefusal(run)), await store.refuse(aRefusal(run, { attempt: "another" })));
      expect(answers.map((answer) => answer.kind)).toEqual(["settled", "settled", "refused", "refused", "stale"]);
      for (const answer of answers) expect(answer).toMatchObject({ run: { status: "EXPIRED" } });
      const closed = await store.closeRun({ runId: "run-1", status: "STOPPED", reason: null, attempt: "end" });
      expect(closed).toMatchObject({ kind: "already", run: { status: "EXPIRED" } });
    });

    describe("begin", () => {
      it("creates the record, reserves the allowance and moves the revision", async () => {
        const run = await openRun();
        const begun = await store.begin(aBegin(run));
        expect(begun).toMatchObject({ kind: "begun", allowance: WANTED });
        expect(runOf(begun)).toMatchObject({ revision: 1, progress: { step: 1 }, budget: { used: WANTED } });
        expect(await store.read("run-1", ["call-1"])).toEqual([{ kind: "found", record: aRecord() }]);
        expect(await store.list("run-1")).toEqual(["call-1"]);
      });

      it("says so when the run has moved on, and sends its state along", async () => {
        const run = await openRun();
        await store.begin(aBegin(run));
        const other = aBegin(run, { record: aRecord({ toolCallId: "call-2" }) });
        const stale = await store.begin(other);
        expect(stale).toMatchObject({ kind: "stale", run: { revision: 1, progress: { step: 1 } } });
        expect(await store.read("run-1", ["call-2"])).toEqual([{ kind: "absent" }]);
      });

      it("is safe to repeat with its own attempt token", async () => {
        const run = await openRun();
        const once = await store.begin(aBegin(run));
        const twice = await store.begin(aBegin(run));
        expect(twice).toMatchObject({ kind: "begun", allowance: WANTED });
        expect(runOf(twice).budget).toEqual(runOf(once).budget);
      });

      it("gives nothing away to a call that came first with the same revision", async () => {
        const run = await openRun();
        const both = ["call-1", "call-2"].map((toolCallId) =>
          store.begin(aBegin(run, { record: aRecord({ toolCallId }) })),
        );
        const kinds = (await Promise.all(both)).map((result) => result.kind);
        expect(kinds.sort()).toEqual(["begun", "stale"]);
      });

      it("refuses an id that was used, whatever became of its record", async () => {
        const run = await beginOne();
        expect(await store.begin(aBegin(run, { attempt: "another" }))).toEqual({
          kind: "refused",
          code: "DUPLICATE_CALL_ID",
        });
        await under.pass(31_000);
        expect(await store.begin(aBegin(run, { attempt: "another" }))).toEqual({
          kind: "refused",
          code: "DUPLICATE_CALL_ID",
        });
      });

      it("gives what is left of raw and projection, and nothing when nothing is left", async () => {
        let run = await openRun({ limits: { ...AMOUNTS, rawBytes: 1_500 } });
        run = runOf(await store.begin(aBegin(run)));
        const second = await store.begin(aBegin(run, { record: aRecord({ toolCallId: "call-2" }) }));
        expect(second).toMatchObject({ kind: "begun", allowance: { ...WANTED, rawBytes: 500 } });
        const third = aBegin(runOf(second), { record: aRecord({ toolCallId: "call-3" }) });
        expect(await store.begin(third)).toEqual({ kind: "refused", code: "BUDGET_EXHAUSTED" });
        expect(await store.list("run-1")).toEqual(["call-1", "call-2"]);
      });

      it.each(["calls", "requestBytes", "rawBytes", "projectionBytes"] as const)(
        "with room for three calls' %s, lets exactly three of many parallel callers through",
        async (which) => {
          const three = addAmounts(WANTED, addAmounts(WANTED, WANTED));
          const plenty = addAmounts(AMOUNTS, { ...AMOUNTS, calls: 100 });
          await openRun({ limits: { ...plenty, [which]: three[which] } });
          const tryOne = async (n: number): Promise<string> => {
            for (;;) {
              const run = await store.readRun("run-1");
              if (run === null) throw new Error("no run");
              const result = await store.begin(aBegin(run, { record: aRecord({ toolCallId: `call-${n}` }) }));
              if (result.kind !== "stale") return result.kind === "begun" ? "begun" : result.code;
            }
          };
          const results = await Promise.all(Array.from({ length: 12 }, (_, n) => tryOne(n)));
          expect(results.filter((result) => result === "begun")).toHaveLength(3);
          expect(results.filter((result) => result === "BUDGET_EXHAUSTED")).toHaveLength(9);
        },
      );

      it("begins one of many parallel uses of one call id", async () => {
        const run = await openRun();
        const uses = Array.from({ length: 200 }, (_, n) => store.begin(aBegin(run, { attempt: `attempt-${n}` })));
        const kinds = (await Promise.all(uses)).map((result) => result.kind);
        expect(kinds.filter((kind) => kind === "begun")).toHaveLength(1);
      });

      it("keeps long and odd call ids apart, and reads them by either of their forms", async () => {
        const long = `toolu_${"x".repeat(5_000)}`;
        let run = await openRun();
        run = runOf(await store.begin(aBegin(run, { record: aRecord({ toolCallId: long }) })));
        run = runOf(await store.begin(aBegin(run, { record: aRecord({ toolCallId: "bash:0" }) })));
        const shown = `sha256:${callKey(long)}`;
        expect(await store.list("run-1")).toEqual([shown, "bash:0"]);
        const [byWire, byShown, other] = await store.read("run-1", [long, shown, "bash:1"]);
        expect(byWire).toMatchObject({ kind: "found", record: { toolCallId: long } });
        expect(byShown).toEqual(byWire);
        expect(other).toEqual({ kind: "absent" });
      });
    });

    describe("settle", () => {
      it("moves PROJECTING to READY, gives back what was not used and keeps the audit event", async () => {
        const settled = await store.settle(aSettle(await beginOne()));
        expect(settled).toMatchObject({ kind: "settled", run: { revision: 2, progress: { step: 2 } } });
        expect(runOf(settled).budget.used).toEqual({ calls: 1, requestBytes: 100, rawBytes: 28, projectionBytes: 60 });
        const [batch] = await store.drain(10);
        expect(batch?.events).toEqual([anEvent()]);
      });

      it("reads a READY record without its raw, and with it for the Harness alone", async () => {
        await store.settle(aSettle(await beginOne()));
        const { raw, ...readable } = aReady();
        expect(await store.read("run-1", ["call-1"])).toEqual([{ kind: "found", record: readable }]);
        expect(await store.readRaw("run-1", "call-1")).toEqual({ kind: "found", record: { ...readable, raw } });
      });

      it("moves PROJECTING to ERROR, which has no raw", async () => {
        await store.settle(aSettle(await beginOne(), { record: anError() }));
        expect(await store.read("run-1", ["call-1"])).toEqual([{ kind: "found", record: anError() }]);
        expect(await store.readRaw("run-1", "call-1")).toEqual({ kind: "absent" });
      });

      it("settles a call once", async () => {
        const run = await beginOne();
        const settled = await store.settle(aSettle(run));
        expect((await store.settle(aSettle(run))).kind).toBe("settled");
        const other = aSettle(runOf(settled), { attempt: "another", record: anError() });
        expect(await store.settle(other)).toEqual({ kind: "already" });
        expect((await store.read("run-1", ["call-1"]))[0]).toMatchObject({ record: { status: "READY" } });
        const [batch] = await store.drain(10);
        expect(batch?.events).toHaveLength(1);
      });

      it("refuses a pair of statuses that does not exist", async () => {
        const run = await beginOne();
        const illegal = [
          { ...aReady(), evidence: "ERROR" },
          { ...aReady(), evidence: null },
          { ...anError(), evidence: "NO_EVIDENCE" },
        ] as unknown as Settled[];
        for (const record of illegal) await expect(store.settle(aSettle(run, { record }))).rejects.toThrow();
        const begun = { ...aRecord({ toolCallId: "call-2" }), evidence: "NO_EVIDENCE" } as unknown as Projecting;
        await expect(store.begin(aBegin(run, { record: begun }))).rejects.toThrow();
        expect((await store.read("run-1", ["call-1"]))[0]).toMatchObject({ record: { status: "PROJECTING" } });
      });

      it("settles nothing that never began", async () => {
        const run = await openRun();
        expect(await store.settle(aSettle(run))).toEqual({ kind: "gone" });
        expect(await store.settle(aSettle(run, { record: aReady(aRecord({ runId: "run-2" })) }))).toEqual({
          kind: "gone",
        });
      });

      it("says so when the run has moved on", async () => {
        const run = await beginOne();
        await store.begin(aBegin(run, { record: aRecord({ toolCallId: "call-2" }) }));
        expect(await store.settle(aSettle(run))).toMatchObject({ kind: "stale", run: { revision: 2 } });
        expect((await store.read("run-1", ["call-1"]))[0]).toMatchObject({ record: { status: "PROJECTING" } });
      });

      it("appends what a run learned, in order and once", async () => {
        let run = await beginOne();
        const alias = { alias: "abcdefgh", kind: "ip", value: "10.1.2.3" };
        const first = { secrets: ["correct horse"], aliases: [alias], dropped: 0 };
        run = runOf(await store.settle(aSettle(run, { learned: first })));
        run = runOf(await store.begin(aBegin(run, { record: aRecord({ toolCallId: "call-2" }) })));
        const second = { secrets: ["correct horse", "battery staple"], aliases: [alias], dropped: 1 };
        const record = aReady(aRecord({ toolCallId: "call-2" }));
        run = runOf(await store.settle(aSettle(run, { record, learned: second })));
        expect(run.memory).toEqual({ secrets: ["correct horse", "battery staple"], aliases: [alias], dropped: 1 });
        expect((await store.readRun("run-1"))?.memory).toEqual(run.memory);
      });

      it("answers every change with the state that a reader sees", async () => {
        let run = await openRun();
        const alias = { alias: "abcdefgh", kind: "ip", value: "10.1.2.3" };
        const learned = { secrets: ["correct horse", "battery staple"], aliases: [alias], dropped: 2 };
        for (const toolCallId of ["call-1", "call-2", "call-3"]) {
          const record = aRecord({ toolCallId });
          run = runOf(await store.begin(aBegin(run, { record, progress: { begun: toolCallId } })));
          expect(run).toEqual(await store.readRun("run-1"));
          run = runOf(await store.settle(aSettle(run, { record: aReady(record), progress: [toolCallId], learned })));
          expect(run).toEqual(await store.readRun("run-1"));
          const refused = await store.refuse(aRefusal(run, { attempt: `refuse-${toolCallId}` }));
          if (refused.kind !== "refused") throw new Error(refused.kind);
          run = refused.run;
          expect(run).toEqual(await store.readRun("run-1"));
        }
        const closed = await store.closeRun({ runId: "run-1", status: "FAILED", reason: "broken", attempt: "end" });
        expect(closed).toEqual({ kind: "closed", run: await store.readRun("run-1") });
      });

      it("keeps JSON as it was given, odd members and ill-formed text included", async () => {
        const odd = JSON.parse(
          '{"__proto__":{"x":1},"constructor":null,"":"\\ud800 \\u0000 😀 \ufeff","n":[1e21,0.1,-7]}',
        );
        const record = aRecord({ request: odd });
        const learned = { secrets: ["\ud800 half", "😀😀😀😀"], aliases: [], dropped: 0 };
        let run = runOf(await store.begin(aBegin(await openRun({ progress: odd }), { record, progress: odd })));
        const items = [{ item_id: "e1", cells: odd }];
        const ready = aReady(record, { agentResult: { items, truncated: true }, raw: '{"é":"\ufeff😀"}' });
        run = runOf(await store.settle(aSettle(run, { record: ready, progress: odd, learned })));
        const stored = await store.readRaw("run-1", "call-1");
        expect(stored).toEqual({ kind: "found", record: ready });
        const text = JSON.stringify(odd);
        if (stored.kind !== "found") throw new Error(stored.kind);
        expect(JSON.stringify(stored.record.request)).toBe(text);
        expect(JSON.stringify((await store.readRun("run-1"))?.progress)).toBe(text);
        expect((await store.readRun("run-1"))?.memory.secrets).toEqual(learned.secrets);
      });

      it("settles a call whose run was ended while it ran", async () => {
        const run = await beginOne();
        await store.closeRun({ runId: "run-1", status: "STOPPED", reason: null, attempt: "end" });
        expect((await store.settle(aSettle(run))).kind).toBe("settled");
      });
    });

    describe("time to live", () => {
      it("does not extend the TTL when a record is read, settled or listed", async () => {
        const run = await beginOne();
        await under.pass(20_000);
        await store.read("run-1", ["call-1"]);
        await store.settle(aSettle(run));
        await store.readRaw("run-1", "call-1");
        await store.list("run-1");
        await under.pass(11_000);
        expect(await store.read("run-1", ["call-1"])).toEqual([{ kind: "expired" }]);
        expect(await store.readRaw("run-1", "call-1")).toEqual({ kind: "expired" });
      });

      it("tells an expired record of this run from one that never was, and no other run's from nothing", async () => {
        const run = await beginOne();
        await store.settle(aSettle(run));
        await openRun({ runId: "run-2" });
        expect(await store.read("run-2", ["call-1"])).toEqual([{ kind: "absent" }]);
        await under.pass(31_000);
        expect(await store.read("run-1", ["call-1", "call-9"])).toEqual([{ kind: "expired" }, { kind: "absent" }]);
        expect(await store.read("run-2", ["call-1"])).toEqual([{ kind: "absent" }]);
        expect(await store.list("run-1")).toEqual(["call-1"]);
      });

      it("settles nothing that has expired", async () => {
        const run = await beginOne();
        await under.pass(31_000);
        expect(await store.settle(aSettle(run))).toEqual({ kind: "gone" });
      });
    });

    describe("refuse", () => {
      it("charges and audits a call without using its id up", async () => {
        const run = await openRun();
        const refused = await store.refuse(aRefusal(run));
        expect(refused).toMatchObject({ kind: "refused", run: { revision: 1, progress: { step: 9 } } });
        expect((await store.readRun("run-1"))?.budget.used).toEqual({ ...NOTHING, requestBytes: 70 });
        expect(await store.list("run-1")).toEqual([]);
        const [batch] = await store.drain(10);
        expect(batch?.events).toMatchObject([{ status: "REFUSED" }]);
      });

      it("is safe to repeat, and stale when the run has moved on", async () => {
        const run = await openRun();
        await store.refuse(aRefusal(run));
        expect((await store.refuse(aRefusal(run))).kind).toBe("refused");
        expect(await store.refuse(aRefusal(run, { attempt: "another" }))).toMatchObject({ kind: "stale" });
        expect((await store.drain(10))[0]?.events).toHaveLength(1);
      });

      it("knows no run that is gone", async () => {
        expect(await store.refuse(aRefusal({ revision: 0 }))).toEqual({ kind: "gone" });
      });

      it("still records in a run that has ended", async () => {
        const run = await openRun();
        await store.closeRun({ runId: "run-1", status: "COMPLETED", reason: null, attempt: "end" });
        expect((await store.refuse(aRefusal(run))).kind).toBe("refused");
      });
    });

    describe("sweep", () => {
      it("abandons a call past its deadline, once, and audits it", async () => {
        const run = await beginOne();
        expect(await store.sweep()).toBe(0);
        await under.pass(11_000);
        expect(await store.sweep()).toBe(1);
        expect(await store.sweep()).toBe(0);
        expect((await store.read("run-1", ["call-1"]))[0]).toMatchObject({
          kind: "found",
          record: { status: "ERROR", evidence: "ERROR", code: "ABANDONED" },
        });
        expect(await store.settle(aSettle({ revision: run.revision + 1 }))).toEqual({ kind: "already" });
        const [batch] = await store.drain(10);
        expect(batch?.events).toMatchObject([{ status: "ERROR", errorCode: "ABANDONED", toolCallId: "call-1" }]);
        const used = (await store.readRun("run-1"))?.budget.used ?? NOTHING;
        expect(subtractAmounts(used, { ...NOTHING, calls: 1, requestBytes: 100 })).toEqual(NOTHING);
      });
    });

    describe("sweep of many calls", () => {
      it("leaves alone what is settled or within its deadline", async () => {
        let run = await beginOne();
        run = runOf(await store.settle(aSettle(run)));
        const slow = aRecord({ toolCallId: "call-2", deadlineAt: 31_000 });
        run = runOf(await store.begin(aBegin(run, { record: slow })));
        run = runOf(await store.begin(aBegin(run, { record: aRecord({ toolCallId: "call-3" }) })));
        await under.pass(11_000);
        expect(await store.sweep()).toBe(1);
        const statuses = (await store.read("run-1", ["call-1", "call-2", "call-3"])).map(
          (lookup) => lookup.kind === "found" && lookup.record.status,
        );
        expect(statuses).toEqual(["READY", "PROJECTING", "ERROR"]);
        const used = (await store.readRun("run-1"))?.budget.used;
        expect(used?.calls).toBe(3);
        expect(used?.rawBytes).toBe(28 + WANTED.rawBytes);
      });

      it("audits a call once whose record was gone before anybody swept, and gives its allowance back", async () => {
        await beginOne();
        await under.pass(31_000);
        expect(await store.read("run-1", ["call-1"])).toEqual([{ kind: "expired" }]);
        await store.sweep();
        await store.sweep();
        const events = (await store.drain(10)).flatMap((batch) => batch.events);
        expect(events).toMatchObject([{ errorCode: "ABANDONED", toolCallId: "call-1", sessionId: "session-1" }]);
        expect((await store.readRun("run-1"))?.budget.used).toEqual({ ...NOTHING, calls: 1, requestBytes: 100 });
      });
    });

    describe("outbox", () => {
      it("keeps events in order until they are acknowledged, with consecutive positions", async () => {
        let run = await openRun();
        for (let n = 0; n < 5; n += 1) {
          const refused = await store.refuse(aRefusal(run, { attempt: `r${n}`, event: anEvent({ requestBytes: n }) }));
          if (refused.kind !== "refused") throw new Error(refused.kind);
          run = refused.run;
        }
        const [first] = await store.drain(3);
        expect(first?.events.map((event) => event.requestBytes)).toEqual([0, 1, 2]);
        expect(first?.more).toBe(true);
        expect(await store.drain(3)).toEqual([first]);
        if (first === undefined) throw new Error("nothing drained");
        await store.acknowledge(first.position);
        await store.acknowledge(first.position);
        const [second] = await store.drain(3);
        expect(second?.events.map((event) => event.requestBytes)).toEqual([3, 4]);
        expect(second?.more).toBe(false);
        expect(second?.position).toMatchObject({ epoch: first.position.epoch, sequence: first.position.sequence + 2 });
        await store.acknowledge({ ...(second?.position ?? first.position), epoch: "another life" });
        expect(await store.drain(3)).toHaveLength(1);
      });
    });
  });
}
