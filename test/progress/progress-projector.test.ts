import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refuseCall } from "../../src/progress/progress-projector.ts";
import { emptyProgress, readProgress, STATE_LIMITS } from "../../src/progress/state.ts";
import { type Asked, Replay } from "./replay.ts";

const hours = (from: number, to: number) => ({ from: from * 3_600_000, to: to * 3_600_000 });
const region = (filters: readonly string[], window?: { from: number; to: number }) => ({
  family: "logs",
  filters,
  ...(window && { window }),
});
const fresh = (name: string): Asked => ({ identity: name, answer: [`item of ${name}`] });
const empty = (name: string): Asked => ({ identity: name, answer: [] });
const failing = (name: string): Asked => ({ identity: name, error: "BACKEND_UNAVAILABLE" });

describe("repeats", () => {
  it("refuses an exact repeat and points to the first call, however far back it lies", () => {
    const replay = new Replay();
    for (const name of ["a", "b", "c", "d"]) replay.turn([fresh(name)]);
    expect(replay.turn([fresh("a")])[0]).toMatchObject({ decision: "DUPLICATE", sameAs: "c1" });
  });

  it("lets a call be tried once more after a transient failure, and no more", () => {
    const replay = new Replay();
    expect(replay.turn([failing("a")])[0]?.decision).toBe("EXECUTE");
    expect(replay.turn([failing("a")])[0]?.decision).toBe("EXECUTE");
    expect(replay.turn([failing("a")])[0]).toMatchObject({ decision: "DUPLICATE", sameAs: "c1" });
  });

  it("does not let a call be tried again that failed for what it asks", () => {
    const replay = new Replay();
    replay.turn([{ identity: "a", error: "SQL_TABLE" }]);
    expect(replay.turn([fresh("a")])[0]?.decision).toBe("DUPLICATE");
  });

  it("takes the second of two equal parallel calls for the duplicate of the first", () => {
    const [first, second] = new Replay().turn([fresh("a"), fresh("a")]);
    expect(first?.decision).toBe("EXECUTE");
    expect(second).toMatchObject({ decision: "DUPLICATE", sameAs: "c1" });
  });

  it("never takes a call for covered by its own sibling", () => {
    const replay = new Replay();
    replay.now = 10 * 3_600_000;
    const wide = { ...empty("wide"), covers: region([], hours(1, 3)) };
    const narrow = { ...empty("narrow"), covers: region(["level=ERROR"], hours(1, 3)) };
    expect(replay.turn([wide, narrow]).map((a) => a.decision)).toEqual(["EXECUTE", "EXECUTE"]);
    expect(
      replay.turn([{ ...narrow, identity: "narrower", covers: region(["x=1", "level=ERROR"], hours(2, 3)) }])[0],
    ).toMatchObject({
      decision: "COVERED",
      sameAs: "c1",
    });
  });

  it.each([
    ["was truncated", { truncated: true }, {}],
    ["had another filter", { covers: region(["level=ERROR"], hours(1, 3)) }, {}],
    ["had a smaller window", { covers: region([], hours(1, 2)) }, {}],
    [
      "had fewer columns",
      { covers: { ...region([]), columns: ["id"] } },
      { covers: { ...region([]), columns: ["id", "name"] } },
    ],
    ["was only a part of its region", { covers: { ...region([], hours(1, 3)), partial: true } }, {}],
  ])("does not take a call for covered by an answer that %s", (_, earlier, later) => {
    const replay = new Replay();
    replay.now = 10 * 3_600_000;
    replay.turn([{ ...fresh("wide"), covers: region([], hours(1, 3)), ...earlier }]);
    expect(replay.turn([{ ...fresh("narrow"), covers: region(["x=1"], hours(1, 3)), ...later }])[0]?.decision).toBe(
      "EXECUTE",
    );
  });

  it("lets a window be asked again until it was over, its late lines included", () => {
    const replay = new Replay();
    const call = { ...fresh("a"), covers: region([], hours(1, 2)) };
    replay.now = 2 * 3_600_000 + 60_000;
    replay.turn([call]);
    replay.now = 3 * 3_600_000;
    expect(replay.turn([call])[0]?.decision).toBe("EXECUTE");
    expect(replay.turn([call])[0]).toMatchObject({ decision: "DUPLICATE", sameAs: "c2" });
  });

  it("does not let an old answer speak for data that changes", () => {
    const replay = new Replay();
    replay.turn([{ ...fresh("wide"), covers: { ...region([]), maxAgeMs: 60_000 } }]);
    replay.now += 60_001;
    expect(replay.turn([{ ...fresh("narrow"), covers: region(["x=1"]) }])[0]?.decision).toBe("EXECUTE");
  });
});

describe("gain and stop", () => {
  it("stops at once when the last allowed batch proves that nothing new came", () => {
    const replay = new Replay();
    replay.turn([fresh("a")]);
    for (let i = 0; i < 3; i++) replay.turn([fresh("a")]);
    expect(replay.view.stop).toEqual({ required: true, reason: "NO_NEW_INFORMATION" });
    expect(replay.turn([fresh("new")])[0]).toMatchObject({ decision: "STOP", abort: false });
    expect(replay.turn([fresh("newer")])[0]).toMatchObject({ decision: "STOP", abort: true });
  });

  it("waits for the model's word after an empty answer before it stops", () => {
    const replay = new Replay();
    for (const name of ["a", "b", "c"]) replay.turn([empty(name)]);
    expect(replay.view).toMatchObject({ noGain: 3, stop: { required: false } });
    expect(replay.turn([empty("d")], { verdict: "GAIN", hypothesis: "disk full" })[0]?.decision).toBe("EXECUTE");
    expect(replay.view.noGain).toBe(1);
  });

  it("accepts a hypothesis as excluded once, whatever its spelling", () => {
    const replay = new Replay();
    replay.turn([empty("a")]);
    replay.turn([empty("b")], { verdict: "GAIN", hypothesis: "Disk full" });
    replay.turn([empty("c")], { verdict: "GAIN", hypothesis: "disk  FULL" });
    expect(replay.view.noGain).toBe(2);
  });

  it("does not use a hypothesis up on a batch that brought evidence", () => {
    const replay = new Replay();
    replay.turn([fresh("a")]);
    replay.turn([empty("b")], { verdict: "GAIN", hypothesis: "disk full" });
    replay.turn([empty("c")], { verdict: "GAIN", hypothesis: "disk full" });
    expect(replay.view.noGain).toBe(1);
  });

  it("leaves the counter alone after mere reference material that was not evaluated", () => {
    const replay = new Replay();
    replay.turn([empty("a")]);
    replay.turn([{ identity: "k", answer: [["doc", "REFERENCE"]] }]);
    expect(replay.view.noGain).toBe(1);
    replay.turn([empty("b")], { verdict: "GAIN", items: ["another"] });
    expect(replay.view.noGain).toBe(3);
  });

  it("takes reference material for a gain when the model names what helped", () => {
    const replay = new Replay();
    replay.turn([empty("a")]);
    replay.turn([{ identity: "k", answer: [["doc", "REFERENCE"]] }]);
    replay.turn([empty("b")], { verdict: "GAIN", items: ["doc"] });
    expect(replay.view.noGain).toBe(1);
  });

  it("stops with its own reason when the tools keep failing, and a repeat beside a failure is a failure", () => {
    const replay = new Replay();
    replay.turn([fresh("a")]);
    replay.turn([failing("b"), fresh("a")]);
    expect(replay.view).toMatchObject({ noGain: 0, errors: 1 });
    replay.turn([failing("c")]);
    replay.turn([failing("d")]);
    expect(replay.view.stop).toEqual({ required: true, reason: "TOOLS_UNAVAILABLE" });
  });

  it("makes one batch of calls that overlap in time when no turn is named", () => {
    const replay = new Replay();
    replay.ask(empty("a"));
    replay.ask(empty("b"));
    replay.answer("c1", empty("a"));
    replay.ask(empty("c"));
    replay.answer("c2", empty("b"));
    replay.answer("c3", empty("c"));
    expect(replay.view).toMatchObject({ noGain: 1, batches: 1 });
    replay.ask(empty("d"));
    replay.answer("c4", empty("d"));
    expect(replay.view).toMatchObject({ noGain: 2, batches: 2 });
  });

  it("counts a call as failed whose process died, so that its batch ends", () => {
    const replay = new Replay();
    replay.ask(empty("a"));
    replay.now += 20_000;
    expect(replay.view).toMatchObject({ errors: 1, inFlight: 0 });
    expect(replay.ask(empty("a")).decision).toBe("EXECUTE");
    expect(replay.view.batches).toBe(2);
  });

  it("counts calls that the boundary refused as a batch without gain", () => {
    let state = emptyProgress();
    for (const turn of ["t1", "t1", "t2"]) state = refuseCall(state, { callId: "x", toolName: "y", turn, now: 1 });
    expect(state.current?.number).toBe(2);
    const replay = new Replay();
    replay.state = state;
    expect(replay.view.noGain).toBe(2);
  });

  it("does not stop a turn half-way for the sake of its first call", () => {
    const replay = new Replay({ noGainLimit: 1 });
    replay.turn([fresh("a")]);
    expect(replay.turn([fresh("a"), fresh("b")]).map((a) => a.decision)).toEqual(["DUPLICATE", "EXECUTE"]);
    expect(replay.view.stop.required).toBe(false);
  });
});

const anyCall: fc.Arbitrary<Asked> = fc.record({
  identity: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  answer: fc.array(
    fc.tuple(fc.constantFrom("i1", "i2", "i3", "i4"), fc.constantFrom("HIGH" as const, "REFERENCE" as const)),
    { maxLength: 3 },
  ),
});

describe("properties", () => {
  it("counts a parallel batch the same in whatever order its answers arrive", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anyCall, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (turns, chance) => {
          const straight = new Replay();
          const shuffled = new Replay();
          for (const calls of turns) {
            const order = [...calls.keys()]
              .map((i) => [chance.next().value as number, i] as const)
              .sort((x, y) => x[0] - y[0]);
            straight.turn(calls);
            shuffled.turn(
              calls,
              undefined,
              order.map(([, i]) => i),
            );
            expect(shuffled.view.noGain).toBe(straight.view.noGain);
            expect(shuffled.view.stop).toEqual(straight.view.stop);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("never takes a stop back", () => {
    fc.assert(
      fc.property(fc.array(anyCall, { minLength: 4, maxLength: 20 }), fc.boolean(), (calls, named) => {
        const replay = new Replay();
        const stops = calls.map((call, i) => {
          const { decision } = replay.ask(call, named ? { turn: `n${i}` } : {});
          if (decision === "EXECUTE") replay.answer(`c${i + 1}`, call);
          return { stopped: decision === "STOP", required: replay.view.stop.required };
        });
        const first = stops.findIndex(({ required }) => required);
        const after = first === -1 ? [] : stops.slice(first + 1);
        expect(after.every(({ stopped, required }) => stopped && required)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("keeps its state bounded and still knows a repeat of a call that it moved out", () => {
    const replay = new Replay();
    let admission = replay.ask(fresh("0"));
    let state = admission.next;
    for (let i = 1; i <= 600; i++) {
      replay.answer(`c${i}`, fresh(String(i)));
      admission = replay.ask(fresh(String(i)));
      expect(admission.decision).toBe("EXECUTE");
      state = admission.next;
    }
    expect(state.calls.length).toBe(STATE_LIMITS.calls);
    expect(state.older.length).toBe(601 - STATE_LIMITS.calls);
    expect(replay.ask(fresh("3")).decision).toBe("DUPLICATE");
  });
});

describe("readProgress", () => {
  it("takes null for a run that has not called anything", () => {
    expect(readProgress(null)).toEqual(emptyProgress());
  });

  it.each([
    ["state", []],
    ["version", { ...emptyProgress(), version: 2 }],
    ["counters", { ...emptyProgress(), counters: { noGain: -1, errors: 0 } }],
    ["calls", { ...emptyProgress(), calls: [{ callId: "x" }] }],
    ["seen", { ...emptyProgress(), seen: [1] }],
  ])("names the broken part: %s", (part, value) => {
    expect(() => readProgress(value as never)).toThrow(`'${part}'`);
  });
});
