import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolInvocationRow } from "../../src/audit/audit.ts";
import { Drainer, type DrainerOptions } from "../../src/audit/drain.ts";
import type { AuditOutbox } from "../../src/audit/outbox.ts";
import type { AuditEvent, OutboxBatch, OutboxPosition } from "../../src/model/audit-event.ts";
import { anEvent } from "../../src/testing/records.ts";
import { until } from "../until.ts";

describe("Drainer", () => {
  it("writes nothing before the caller has gone on, and everything after", async () => {
    const { outbox, sink, drainer } = setUp({});
    outbox.append(0, 3);
    drainer.nudge();
    drainer.nudge();
    expect(sink.calls).toBe(0);
    await until(() => outbox.left() === 0);
    expect(sink.sequences(0)).toEqual([1, 2, 3]);
    expect(sink.calls).toBe(1);
    expect(outbox.drains).toBe(1);
    expect(drainer.metrics()).toEqual({ written: 3, failures: 0, timeouts: 0, epochChanges: 0, failing: false });
  });

  it("writes what many calls leave behind in a short time at once", async () => {
    const { outbox, sink, drainer } = setUp({ gatherMs: 30 });
    for (let call = 0; call < 10; call += 1) {
      outbox.append(0, 1);
      drainer.nudge();
      await tick();
    }
    await until(() => outbox.left() === 0);
    expect(sink.calls).toBe(1);
  });

  it("takes what came while it was writing, in batches and in order per partition", async () => {
    const { outbox, sink, drainer } = setUp({ batchSize: 4 });
    outbox.append(0, 9);
    outbox.append(7, 5);
    sink.before = async () => {
      if (sink.calls === 1) {
        outbox.append(0, 2);
        drainer.nudge();
      }
    };
    drainer.nudge();
    await until(() => outbox.left() === 0);
    expect(sink.sequences(0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(sink.sequences(7)).toEqual([1, 2, 3, 4, 5]);
  });

  it("never has two writes on their way at once", async () => {
    const { outbox, sink, drainer } = setUp({ batchSize: 1 });
    let active = 0;
    let most = 0;
    sink.before = async () => {
      active += 1;
      most = Math.max(most, active);
      await tick();
      active -= 1;
    };
    outbox.append(0, 5);
    outbox.append(1, 5);
    const nudging = setInterval(() => drainer.nudge(), 0);
    await until(() => outbox.left() === 0);
    clearInterval(nudging);
    expect(most).toBe(1);
  });

  it("keeps what a failing sink refuses, warns once a streak, and writes it when the sink is back", async () => {
    const { outbox, sink, drainer, reports } = setUp({});
    sink.before = async () => {
      if (sink.calls <= 3 || sink.calls === 5) throw new Error("Access denied for user 'audit' password=hunter2");
    };
    outbox.append(0, 2);
    drainer.nudge();
    await until(() => outbox.left() === 0);
    expect(reports).toEqual([{ code: "AUDIT_FAILED", stage: "record", reason: "error" }]);
    expect(drainer.metrics()).toMatchObject({ written: 2, failures: 3, failing: false });
    outbox.append(0, 1);
    drainer.nudge();
    await until(() => outbox.left() === 0);
    expect(reports).toHaveLength(2);
    expect(sink.sequences(0)).toEqual([1, 2, 3]);
    expect(JSON.stringify(reports)).not.toMatch(/hunter2|denied/);
  });

  it("backs off from a failing sink however often it is nudged", async () => {
    const { outbox, sink, drainer } = setUp({ minPauseMs: 40, maxPauseMs: 40 });
    sink.before = async () => {
      throw new Error("down");
    };
    outbox.append(0, 1);
    const end = performance.now() + 100;
    while (performance.now() < end) {
      drainer.nudge();
      await tick();
    }
    expect(sink.calls).toBeGreaterThan(1);
    expect(sink.calls).toBeLessThan(5);
    await drainer.close(50);
  });

  it("goes on with other partitions when one of them cannot be written", async () => {
    const { outbox, sink, drainer } = setUp({ minPauseMs: 1_000 });
    sink.before = async (position) => {
      if (position.partition === 0) throw new Error("no");
    };
    outbox.append(0, 1);
    outbox.append(1, 2);
    drainer.nudge();
    await until(() => outbox.left() === 1);
    expect(sink.sequences(1)).toEqual([1, 2]);
    await drainer.close(50);
  });

  it("gives up on a sink that hangs after its deadline and writes each row once when it comes back", async () => {
    const { outbox, sink, drainer, reports } = setUp({ deadlineMs: 15 });
    const releases: (() => void)[] = [];
    sink.before = async () => {
      if (sink.calls <= 2) await new Promise<void>((resolve) => releases.push(resolve));
    };
    outbox.append(0, 3);
    drainer.nudge();
    await until(() => outbox.left() === 0);
    expect(drainer.metrics()).toMatchObject({ written: 3, timeouts: 2 });
    expect(reports).toEqual([{ code: "AUDIT_FAILED", stage: "record", reason: "timeout" }]);
    for (const release of releases) release();
    await tick();
    expect(sink.sequences(0)).toEqual([1, 2, 3]);
  });

  it("begins no further write while eight of them hang", async () => {
    const { outbox, sink, drainer } = setUp({ deadlineMs: 1, minPauseMs: 1, maxPauseMs: 1 });
    sink.before = () => new Promise<void>(() => {});
    outbox.append(0, 1);
    drainer.nudge();
    await until(() => drainer.metrics().timeouts > 12);
    expect(sink.calls).toBe(8);
    await drainer.close(10);
  });

  it("survives an outbox that throws, hangs, or does not trim what is acknowledged", async () => {
    const { outbox, sink, drainer, reports } = setUp({ deadlineMs: 10 });
    let step = 0;
    outbox.beforeDrain = async () => {
      step += 1;
      if (step === 1) throw new Error("READONLY You can't write");
      if (step === 2) await new Promise(() => {});
    };
    outbox.trims = false;
    outbox.append(0, 2);
    drainer.nudge();
    await until(() => sink.calls === 1);
    drainer.nudge();
    await until(() => drainer.metrics().failures >= 4);
    expect(sink.sequences(0)).toEqual([1, 2]);
    expect(reports.slice(0, 2)).toEqual([
      { code: "AUDIT_FAILED", stage: "drain", reason: "error" },
      { code: "AUDIT_FAILED", stage: "acknowledge", reason: "stalled" },
    ]);
    outbox.trims = true;
    await drainer.close(100);
  });

  it("reports that an outbox began anew, and goes on with the new one", async () => {
    const { outbox, sink, drainer, reports } = setUp({});
    outbox.append(0, 2);
    drainer.nudge();
    await until(() => outbox.left() === 0);
    outbox.lose();
    outbox.append(0, 1);
    drainer.nudge();
    await until(() => outbox.left() === 0);
    expect(sink.rows).toHaveLength(3);
    expect(reports).toEqual([{ code: "AUDIT_OUTBOX_LOST", partition: 0 }]);
    expect(drainer.metrics().epochChanges).toBe(1);
  });

  it("is not disturbed by a report that throws", async () => {
    const { outbox, sink, drainer } = setUp({
      report: () => {
        throw new Error("logger down");
      },
    });
    sink.before = async () => {
      if (sink.calls === 1) throw new Error("down");
    };
    outbox.append(0, 1);
    drainer.nudge();
    await until(() => outbox.left() === 0);
    expect(sink.sequences(0)).toEqual([1]);
  });

  it("drains once more when it is closed, without a nudge, and takes no nudge afterwards", async () => {
    const { outbox, sink, drainer } = setUp({ batchSize: 2 });
    outbox.append(0, 5);
    expect(await drainer.close(1_000)).toBe("drained");
    expect(await drainer.close(1_000)).toBe("drained");
    expect(sink.sequences(0)).toEqual([1, 2, 3, 4, 5]);
    outbox.append(0, 1);
    drainer.nudge();
    await tick();
    await tick();
    expect(sink.calls).toBe(3);
  });

  it("closes within its bound when the sink hangs or fails, and says that something is left", async () => {
    for (const before of [() => new Promise<void>(() => {}), () => Promise.reject(new Error("down"))]) {
      const { outbox, sink, drainer } = setUp({ deadlineMs: 60_000 });
      sink.before = before;
      outbox.append(0, 1);
      drainer.nudge();
      await tick();
      const started = performance.now();
      expect(await drainer.close(40)).toBe("pending");
      expect(performance.now() - started).toBeLessThan(1_000);
    }
  });

  it("writes every event exactly once whatever fails in between", async () => {
    const faults = fc.array(fc.constantFrom("ok", "throw before", "throw after", "lost acknowledgement"), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(faults, fc.integer({ min: 1, max: 7 }), async (plan, batchSize) => {
        const { outbox, sink, drainer } = setUp({ batchSize, minPauseMs: 0, maxPauseMs: 0 });
        const fault = (): string => plan[sink.calls - 1] ?? "ok";
        sink.before = async () => {
          if (fault() === "throw before") throw new Error("before");
        };
        sink.after = async () => {
          if (fault() === "throw after") throw new Error("after");
        };
        outbox.beforeAcknowledge = async () => {
          if (fault() === "lost acknowledgement") throw new Error("lost");
        };
        outbox.append(0, 11);
        outbox.append(1, 3);
        drainer.nudge();
        await until(() => outbox.left() === 0);
        expect(sink.sequences(0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        expect(sink.sequences(1)).toEqual([1, 2, 3]);
      }),
      { numRuns: 60 },
    );
  });
});

type Report = Readonly<Record<string, string | number>>;

interface Setup {
  readonly outbox: FakeOutbox;
  readonly sink: FakeSink;
  readonly drainer: Drainer;
  readonly reports: Report[];
}

function setUp(options: Partial<DrainerOptions>): Setup {
  const outbox = new FakeOutbox();
  const sink = new FakeSink();
  const reports: Report[] = [];
  const drainer = new Drainer({
    outbox,
    sink,
    report: (code, fields) => {
      reports.push({ code, ...fields });
    },
    gatherMs: 0,
    minPauseMs: 1,
    maxPauseMs: 4,
    ...options,
  });
  return { outbox, sink, drainer, reports };
}

/** Partitions of numbered events; the number is also the event's duration, so that a row tells where it comes from. */
class FakeOutbox implements AuditOutbox {
  readonly #partitions = new Map<number, { first: number; events: AuditEvent[] }>();
  #epoch = 1;
  trims = true;
  drains = 0;
  beforeDrain: () => Promise<void> = async () => {};
  beforeAcknowledge: () => Promise<void> = async () => {};

  append(partition: number, count: number): void {
    const kept = this.#partitions.get(partition) ?? { first: 1, events: [] };
    this.#partitions.set(partition, kept);
    for (let i = 0; i < count; i += 1) kept.events.push(event(kept.first + kept.events.length));
  }

  lose(): void {
    this.#partitions.clear();
    this.#epoch += 1;
  }

  left(): number {
    return [...this.#partitions.values()].reduce((sum, { events }) => sum + events.length, 0);
  }

  async drain(limit: number): Promise<readonly OutboxBatch[]> {
    this.drains += 1;
    await this.beforeDrain();
    return [...this.#partitions].flatMap(([partition, { first, events }]) => {
      const taken = events.slice(0, limit);
      if (taken.length === 0) return [];
      const position = { partition, epoch: `e${this.#epoch}`, sequence: first + taken.length - 1 };
      return [{ position, events: taken, more: taken.length < events.length }];
    });
  }

  async acknowledge(position: OutboxPosition): Promise<void> {
    await this.beforeAcknowledge();
    const kept = this.#partitions.get(position.partition);
    if (kept === undefined || !this.trims) return;
    const count = position.sequence - kept.first + 1;
    kept.events.splice(0, count);
    kept.first += count;
  }
}

/** Keeps positions as a sink must. */
class FakeSink {
  readonly rows: { readonly partition: number; readonly row: ToolInvocationRow }[] = [];
  readonly #positions = new Map<string, number>();
  calls = 0;
  before: (position: OutboxPosition) => Promise<void> = async () => {};
  after: () => Promise<void> = async () => {};

  async record(rows: readonly ToolInvocationRow[], position?: OutboxPosition): Promise<void> {
    if (position === undefined) throw new Error("the drainer always gives a position");
    this.calls += 1;
    await this.before(position);
    const key = `${position.partition}/${position.epoch}`;
    const beyond = position.sequence - (this.#positions.get(key) ?? position.sequence - rows.length);
    if (beyond > 0) {
      for (const row of rows.slice(-beyond)) this.rows.push({ partition: position.partition, row });
      this.#positions.set(key, position.sequence);
    }
    await this.after();
  }

  sequences(partition: number): (number | null)[] {
    return this.rows.filter((entry) => entry.partition === partition).map(({ row }) => row.duration_ms);
  }
}

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Told apart by its number, which becomes the duration. */
function event(number: number): AuditEvent {
  return anEvent({ toolCallId: `c${number}`, durationMs: number });
}
