import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "mysql2";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditArchive } from "../../../src/audit/audit.ts";
import { Drainer } from "../../../src/audit/drain.ts";
import { mysqlAudit } from "../../../src/audit/mysql/mysql-audit.ts";
import type { AuditEvent } from "../../../src/model/audit-event.ts";
import { MemoryOutbox } from "../../../src/store/memory/outbox.ts";
import { anEvent } from "../../../src/testing/records.ts";
import { createDatabase, type TestDatabase } from "../../services/mysql.ts";
import { type MysqlServer, startMysql } from "../../services/mysql-server.ts";
import { until } from "../../until.ts";

/** Stands for an hour of calls: what counts is how many batches fail in between, not how long it takes. */
const EVENTS = 3_000;
const DEADLINE_MS = 250;

describe("a drainer on a MySQL audit whose server goes away", () => {
  let server: MysqlServer;
  let database: TestDatabase;
  let pool: Pool;
  let archive: AuditArchive;
  let outbox: MemoryOutbox;
  let drainer: Drainer;
  const codes: string[] = [];

  beforeEach(async () => {
    server = await startMysql();
    database = await createDatabase(server);
    pool = database.pool({ connectTimeout: 500 });
    archive = await mysqlAudit({ pool });
    outbox = new MemoryOutbox(EVENTS * 2);
    codes.length = 0;
    drainer = new Drainer({
      outbox: {
        drain: async (limit) => outbox.take(limit),
        acknowledge: async (position) => outbox.acknowledge(position),
      },
      sink: archive,
      report: (code) => void codes.push(code),
      batchSize: 20,
      deadlineMs: DEADLINE_MS,
      minPauseMs: 5,
      maxPauseMs: 40,
    });
  });
  afterEach(async () => {
    await drainer.close(1_000);
    pool.end();
    await server.stop();
  });

  /** Calls go on at their own pace, whatever the server does. */
  const callAll = async (from: number, count: number): Promise<void> => {
    for (let i = from; i < from + count; i += 1) {
      outbox.append(event(i));
      drainer.nudge();
      if (i % 50 === 0) await sleep(1);
    }
  };
  const expectAllOnce = async (): Promise<void> => {
    await until(() => drainer.metrics().written >= EVENTS);
    const rows = await archive.list({ afterId: 0, limit: 10_000 });
    expect(rows.map((row) => row.duration_ms)).toEqual(Array.from({ length: EVENTS }, (_, i) => i));
    expect(new Set(codes)).toEqual(new Set(["AUDIT_FAILED"]));
  };

  it("loses and doubles no row when the server is killed again and again, and delays no call", async () => {
    const third = EVENTS / 3;
    for (let outage = 0; outage < 3; outage += 1) {
      const calls = callAll(outage * third, third);
      await until(() => drainer.metrics().written > outage * third);
      await server.kill();
      await calls;
      await until(() => drainer.metrics().failing);
      await server.restart();
    }
    await expectAllOnce();
  });

  it("loses and doubles no row when the server stops answering in the middle", async () => {
    const calls = callAll(0, EVENTS);
    await until(() => drainer.metrics().written > 0);
    server.freeze();
    const began = performance.now();
    await calls;
    expect(performance.now() - began).toBeLessThan(5_000);
    await until(() => drainer.metrics().timeouts > 1);
    server.thaw();
    await expectAllOnce();
  });
});

/** Told apart by its number, which becomes the duration. */
function event(number: number): AuditEvent {
  return anEvent({ toolCallId: `c${number}`, durationMs: number });
}
