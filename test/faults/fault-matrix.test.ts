import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AuditSink } from "../../src/audit/audit.ts";
import { sqliteAudit } from "../../src/audit/sqlite/sqlite-audit.ts";
import { createHarness, type Harness } from "../../src/boundary/harness.ts";
import type { Run } from "../../src/boundary/run.ts";
import type { CanonicalStore } from "../../src/store/store.ts";
import type { LinesRequest } from "../boundary/fixture.ts";
import { linesTool, projectLines } from "../boundary/fixture.ts";
import { type RedisServer, startRedis } from "../services/redis-server.ts";
import { type OpenStore, openStore } from "../store/redis/fixture.ts";

/** What happens to the server, and how it comes back. A kill is over when its promise resolves. */
const EVENTS = {
  "is killed": { hit: (server: RedisServer) => server.kill(), mend: (server: RedisServer) => server.restart() },
  "does not answer": {
    hit: async (server: RedisServer) => server.freeze(),
    mend: async (server: RedisServer) => server.thaw(),
  },
  "comes back empty": {
    hit: (server: RedisServer) => server.kill(),
    mend: (server: RedisServer) => server.restart({ empty: true }),
  },
} as const;
type Event = keyof typeof EVENTS;

/** The step of a call at which it happens. */
const STEPS = ["begin", "execute", "project", "settle"] as const;
type Step = (typeof STEPS)[number];

const claim = {
  claims: [{ kind: "observation", text: "The pool timed out.", citations: [{ tool_call_id: "c2", item_id: "e1" }] }],
};

let server: RedisServer;
let open: OpenStore;
let audit: AuditSink;
let harness: Harness;
let run: Run;
let executed: number;
let strike: Partial<Record<Step, () => void>>;

beforeAll(async () => {
  server = await startRedis({ persistent: true });
});
afterAll(async () => {
  await server.stop();
});

beforeEach(async () => {
  strike = {};
  executed = 0;
  open = await openStore(server.url, { deadlineMs: 250 });
  audit = await sqliteAudit({ file: ":memory:" });
  const tool = linesTool({
    execute: async () => {
      executed += 1;
      strike.execute?.();
      await pause(5);
      return { lines: [`pool timed out ${executed}`] };
    },
    projector: {
      id: "lines",
      version: "1",
      project: (raw, request: LinesRequest, context) => {
        strike.project?.();
        return projectLines(raw, request, context);
      },
    },
  });
  harness = createHarness({ store: struckBefore(open.store), audit, tools: [tool], report: () => undefined });
  run = await harness.openRun({ sessionId: "faults" });
  return async () => {
    await harness.close();
    await audit.close();
    await open.close();
  };
});

/** The store, with the event right before the step's operation is sent. */
function struckBefore(store: CanonicalStore): CanonicalStore {
  return new Proxy(store, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        if (name === "begin" || name === "settle") strike[name]?.();
        return Reflect.apply(member as (...rest: unknown[]) => unknown, target, args);
      };
    },
  });
}

const call = (toolCallId: string) =>
  run.call({ toolCallId, toolName: "query_lines", request: { service: toolCallId } });
const auditedCalls = async (): Promise<string[]> => {
  const rows = await audit.list({ runId: run.runId, afterId: 0 });
  return rows.map((row) => row.input_params.tool_call_id);
};

/** Waits until the store answers again, for at most ten seconds. */
async function untilBack(): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      await open.store.readRun("any");
      return;
    } catch {
      await pause(100);
    }
  }
  throw new Error("the store did not come back");
}

describe.each(Object.keys(EVENTS) as Event[])("a Redis that %s", (event) => {
  const { hit, mend } = EVENTS[event];

  it.each(STEPS)("at %s: shows nothing that is not stored, and nothing twice when it is back", async (step) => {
    expect((await call("c1")).observation.outcome).toBe("OK");
    let hitting = Promise.resolve();
    strike = {
      [step]: () => {
        hitting = hit(server);
      },
    };
    const { observation } = await call("c2");
    expect(observation).toMatchObject({ outcome: "ERROR", code: "STORE_ERROR", tool_call_id: "c2" });
    expect(observation).not.toHaveProperty("items");
    // no backend starts without a record
    expect(executed).toBe(step === "begin" ? 1 : 2);
    strike = {};
    await hitting;
    expect((await run.verify(claim)).claims[0]?.findings.map((finding) => finding.code)).toEqual([
      "EG_STORE_UNAVAILABLE",
    ]);

    await mend(server);
    await untilBack();
    const verdict = await run.verify(claim);
    const [lookup] = await open.store.read(run.runId, ["c2"]);
    const stored = lookup?.kind === "found" && lookup.record.status === "READY";
    expect(verdict.verdict).toBe(stored ? "PASS" : "REJECT");
    const next = await call("c3");
    if (event === "comes back empty") expect(next.observation).toMatchObject({ code: "RUN_NOT_ACTIVE" });
    else expect(next.observation.outcome).toBe("OK");

    await harness.close();
    const calls = await auditedCalls();
    expect(new Set(calls).size).toBe(calls.length);
    if (event !== "comes back empty") expect(calls).toEqual(expect.arrayContaining(["c1", "c3"]));
  });

  it("while the guard reads: rejects, and publishes nothing", async () => {
    await call("c2");
    expect((await run.verify(claim)).verdict).toBe("PASS");
    await hit(server);
    const publication = await run.publish(claim);
    expect(publication).toMatchObject({ published: false, verdict: { verdict: "REJECT" } });
    await mend(server);
    await untilBack();
    const again = await run.publish(claim);
    expect(again.published).toBe(event !== "comes back empty");
  });
});
