// A process that drains the same endless-looking outbox from its start, and can be killed at any moment. Its acknowledgements
// are its own: whoever comes after it sees every event again, as after a crash between writing and acknowledging.
// Arguments: events, batch size, "sqlite" and a file | "mysql" and the pool's options as JSON.
import { Drainer } from "../../dist/audit/drain.js";

const [events, batchSize, driver, target] = process.argv.slice(2);
const PARTITIONS = 3;
const acknowledged = Array.from({ length: PARTITIONS }, () => 0);

async function openSink() {
  if (driver === "sqlite") {
    const { sqliteAudit } = await import("../../dist/audit/sqlite/sqlite-audit.js");
    return await sqliteAudit({ file: target });
  }
  const { createPool } = await import("mysql2");
  const { mysqlAudit } = await import("../../dist/audit/mysql/mysql-audit.js");
  return await mysqlAudit({ pool: createPool(JSON.parse(target)) });
}

const eventOf = (partition, sequence) => ({
  sessionId: "s1",
  runId: `run-${partition}`,
  stepId: null,
  toolName: "query_logs",
  toolCallId: `c${sequence}`,
  requestBytes: 10,
  status: "READY",
  evidenceStatus: "NO_EVIDENCE",
  errorCode: null,
  agentResultBytes: 100,
  truncated: false,
  l0MatchCount: null,
  l1MatchCount: null,
  durationMs: sequence,
  at: Date.UTC(2026, 2, 12, 2),
});

const outbox = {
  drain: async (limit) =>
    acknowledged.flatMap((done, partition) => {
      const last = Math.min(done + limit, Number(events));
      if (last <= done) return [];
      const numbers = Array.from({ length: last - done }, (_, i) => done + 1 + i);
      return [
        {
          position: { partition, epoch: "e1", sequence: last },
          events: numbers.map((sequence) => eventOf(partition, sequence)),
          more: last < Number(events),
        },
      ];
    }),
  acknowledge: async ({ partition, sequence }) => {
    acknowledged[partition] = Math.max(acknowledged[partition], sequence);
  },
};

const sink = await openSink();
process.stdout.write("open\n");
const drainer = new Drainer({ outbox, sink, report: () => undefined, batchSize: Number(batchSize), minPauseMs: 1 });
drainer.nudge();
const result = await drainer.close(60_000);
process.exit(result === "drained" ? 0 : 1);
