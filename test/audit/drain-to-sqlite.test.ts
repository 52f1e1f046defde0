import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditSink } from "../../src/audit/audit.ts";
import { Drainer } from "../../src/audit/drain.ts";
import { sqliteAudit } from "../../src/audit/sqlite/sqlite-audit.ts";
import { openSqliteAudit } from "../../src/audit/sqlite/sqlite-database.ts";
import type { AuditEvent } from "../../src/model/audit-event.ts";
import { loadSqlite } from "../../src/sqlite/sqlite.ts";
import { MemoryOutbox } from "../../src/store/memory/outbox.ts";
import { anEvent } from "../../src/testing/records.ts";
import { until } from "../until.ts";

const { DatabaseSync } = await loadSqlite();

describe("a drainer on a SQLite audit", () => {
  let folder: string;
  let file: string;
  let outbox: MemoryOutbox;
  const sinks: AuditSink[] = [];
  const codes: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "dualview-drain-"));
    file = join(folder, "audit.db");
    outbox = new MemoryOutbox(10_000);
    codes.length = 0;
  });
  afterEach(async () => {
    for (const sink of sinks.splice(0)) await sink.close();
    await rm(folder, { recursive: true });
  });

  const drainerTo = (sink: AuditSink): Drainer => {
    sinks.push(sink);
    return new Drainer({
      outbox: {
        drain: async (limit) => outbox.take(limit),
        acknowledge: async (position) => outbox.acknowledge(position),
      },
      sink,
      report: (code) => {
        codes.push(code);
      },
      batchSize: 25,
      minPauseMs: 1,
      maxPauseMs: 5,
    });
  };
  const appendEvents = (count: number, from = 0): void => {
    for (let i = 0; i < count; i += 1) outbox.append(event(from + i));
  };
  const written = async (): Promise<(number | null)[]> => {
    const rows = await sinks[0]?.list({ afterId: 0, limit: 10_000 });
    return (rows ?? []).map((row) => row.duration_ms);
  };

  it("writes each call once when two processes drain one outbox", async () => {
    const drainers = [drainerTo(await sqliteAudit({ file })), drainerTo(await sqliteAudit({ file }))];
    appendEvents(300);
    for (const drainer of drainers) drainer.nudge();
    appendEvents(100, 300);
    for (const drainer of drainers) expect(await drainer.close(5_000)).toBe("drained");
    expect(await written()).toEqual(Array.from({ length: 400 }, (_, i) => i));
  });

  it("keeps every event while the disk is full and writes them when there is room again", async () => {
    const database = new DatabaseSync(file);
    const drainer = drainerTo((await openSqliteAudit(database)).sink);
    const [pages] = database.prepare("pragma page_count").all() as { page_count: number }[];
    database.exec(`pragma max_page_count = ${(pages?.page_count ?? 0) + 12}`);
    appendEvents(500);
    drainer.nudge();
    await until(() => drainer.metrics().failures > 2);
    const before = await written();
    expect(before.length).toBeLessThan(500);
    expect(codes).toEqual(["AUDIT_FAILED"]);
    database.exec("pragma max_page_count = 1000000");
    await until(() => drainer.metrics().written === 500);
    expect(await written()).toEqual(Array.from({ length: 500 }, (_, i) => i));
    await drainer.close(1_000);
  });

  it("goes on where a process stopped between writing and acknowledging", async () => {
    const sink = await sqliteAudit({ file });
    appendEvents(10);
    const [batch] = outbox.take(10);
    if (batch === undefined) throw new Error("the outbox holds ten events");
    const unacknowledged = new Drainer({
      outbox: { drain: async () => [batch], acknowledge: () => Promise.reject(new Error("connection lost")) },
      sink,
      report: () => {},
    });
    await unacknowledged.close(1_000);
    appendEvents(5, 10);
    expect(await drainerTo(sink).close(1_000)).toBe("drained");
    expect(await written()).toEqual(Array.from({ length: 15 }, (_, i) => i));
  });
});

/** Told apart by its number, which becomes the duration. */
function event(number: number): AuditEvent {
  return anEvent({ runId: `run-${number % 3}`, toolCallId: `c${number}`, durationMs: number });
}
