import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AuditSink } from "../../src/audit/audit.ts";
import { mysqlAudit } from "../../src/audit/mysql/mysql-audit.ts";
import { sqliteAudit } from "../../src/audit/sqlite/sqlite-audit.ts";
import { createDatabase, mysqlAddress } from "../services/mysql.ts";

const CHILD = join(import.meta.dirname, "drain-child.mjs");
const EVENTS = 1_500;
const PARTITIONS = 3;
const KILLS = 6;

interface Target {
  readonly driver: "sqlite" | "mysql";
  /** What the draining process is told. */
  readonly address: string;
  open(): Promise<AuditSink>;
  dispose(): Promise<void>;
}

const TARGETS: readonly (readonly [string, () => Promise<Target>])[] = [
  ["a SQLite file", sqliteTarget],
  ["MySQL or MariaDB", mysqlTarget],
];

describe.each(TARGETS)("an audit in %s", (_, prepare) => {
  it("has every row once and in order after its drainers were killed while two were at work", async () => {
    const target = await prepare();
    try {
      const sink = await target.open();
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const children = [startDrainer(target, 7), startDrainer(target, 40)];
        await untilRows(sink, (kill * EVENTS * PARTITIONS) / (KILLS + 2));
        for (const child of children) child.kill("SIGKILL");
        await Promise.all(children.map(ended));
      }
      expect(await countOf(sink)).toBeLessThan(EVENTS * PARTITIONS);
      expect(await Promise.all([startDrainer(target, 60), startDrainer(target, 90)].map(ended))).toEqual([0, 0]);
      for (let partition = 0; partition < PARTITIONS; partition += 1) {
        const rows = await sink.list({ runId: `run-${partition}`, afterId: 0, limit: 10_000 });
        expect(rows.map((row) => row.duration_ms)).toEqual(Array.from({ length: EVENTS }, (_x, n) => n + 1));
      }
      await sink.close();
    } finally {
      await target.dispose();
    }
  });
});

async function sqliteTarget(): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), "dualview-killed-"));
  const file = join(folder, "audit.db");
  return {
    driver: "sqlite",
    address: file,
    open: () => sqliteAudit({ file }),
    dispose: () => rm(folder, { recursive: true }),
  };
}

async function mysqlTarget(): Promise<Target> {
  const database = await createDatabase();
  return {
    driver: "mysql",
    address: JSON.stringify({ ...mysqlAddress(), database: database.name }),
    open: () => mysqlAudit({ pool: database.pool() }),
    dispose: () => database.drop(),
  };
}

/** Waits for the middle of the work: a transaction is open, or a batch is written and not acknowledged. */
async function untilRows(sink: AuditSink, rows: number): Promise<void> {
  const end = performance.now() + 20_000;
  while ((await countOf(sink)) < rows) {
    if (performance.now() > end) throw new Error("the drainers made no progress within twenty seconds");
    await sleep(2);
  }
}

async function countOf(sink: AuditSink): Promise<number> {
  return (await sink.list({ limit: 1 }))[0]?.id ?? 0;
}

function startDrainer({ driver, address }: Target, batchSize: number): ChildProcess {
  const args = [CHILD, String(EVENTS), String(batchSize), driver, address];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}
