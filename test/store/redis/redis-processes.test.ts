import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "../../../src/boundary/harness.ts";
import type { Amounts } from "../../../src/model/budget.ts";
import { aBegin, aRun } from "../../../src/testing/records.ts";
import { linesTool } from "../../boundary/fixture.ts";
import { type RedisServer, startRedis } from "../../services/redis-server.ts";
import { until } from "../../until.ts";
import { type OpenStore, openStore } from "./fixture.ts";

interface Answer {
  readonly outcome: string;
  readonly code: string | null;
}

/** Another process with the built package. */
class Caller {
  readonly answers: Answer[] = [];
  readonly #child: ChildProcess;
  #done = 0;

  constructor(url: string) {
    this.#child = spawn(process.execPath, [resolve(import.meta.dirname, "caller.mjs"), url], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    if (this.#child.stdout === null) throw new Error("no output");
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const answer = JSON.parse(line) as Answer;
      if (answer.outcome === "done") this.#done += 1;
      else this.answers.push(answer);
    });
  }

  async work(work: object): Promise<void> {
    const wanted = this.#done + 1;
    this.#child.stdin?.write(`${JSON.stringify(work)}\n`);
    await until(() => this.#done >= wanted);
  }

  end(): void {
    this.#child.stdin?.end();
  }
}

const PROCESSES = 4;
let server: RedisServer;
let opened: OpenStore;
let callers: readonly Caller[];
let harness: Harness;

beforeAll(async () => {
  server = await startRedis();
  opened = await openStore(server.url);
  callers = Array.from({ length: PROCESSES }, () => new Caller(server.url));
  harness = createHarness({ store: opened.store, tools: [linesTool()] });
});
beforeEach(async () => {
  await opened.client.flushAll();
  for (const caller of callers) caller.answers.length = 0;
});
afterAll(async () => {
  for (const caller of callers) caller.end();
  await opened.close();
  await server.stop();
});

const all = (): readonly Answer[] => callers.flatMap((caller) => caller.answers);

/** Room for so many calls at their caps. */
const ROOM = 7;
const EACH = 4;
const BYTES = 4_096;
const REQUEST_BYTES = Buffer.byteLength('{"service":"p0-000"}');

describe("four processes that serve one run", () => {
  it.each<[keyof Amounts, number, "used up" | "given back"]>([
    ["calls", ROOM, "used up"],
    ["requestBytes", ROOM * REQUEST_BYTES, "used up"],
    ["rawBytes", ROOM * BYTES, "given back"],
    ["projectionBytes", ROOM * BYTES, "given back"],
  ])(
    "execute as many calls as its %s has room for, and not one more",
    async (which, limit, afterwards) => {
      const plenty: Amounts = { calls: 1_000, requestBytes: 1e6, rawBytes: 1e9, projectionBytes: 1e9 };
      const run = await harness.openRun({ sessionId: "session-1", budget: { ...plenty, [which]: limit } });
      const { runId } = run;
      const verb = "call";
      const working = callers.map((caller, n) =>
        caller.work({ verb, runId, prefix: `p${n}-`, count: EACH, bytes: BYTES }),
      );
      await until(() => all().length === PROCESSES * EACH - ROOM);
      await pause(50); // one too many would show now
      expect(await opened.client.get("executions")).toBe(String(ROOM));
      await opened.client.set("release", "1");
      await Promise.all(working);
      expect(all().filter(({ outcome }) => outcome === "OK")).toHaveLength(ROOM);
      expect(all().filter(({ code }) => code === "BUDGET_EXHAUSTED")).toHaveLength(PROCESSES * EACH - ROOM);
      expect(await opened.client.get("executions")).toBe(String(ROOM));
      const { observation } = await run.call({
        toolCallId: "last",
        toolName: "query_lines",
        request: { service: "p9-999" },
      });
      expect(observation.outcome).toBe(afterwards === "given back" ? "OK" : "REFUSED");
    },
    60_000,
  );

  it("begin one of ten thousand parallel uses of one call id", async () => {
    const opening = await opened.store.openRun(aRun());
    if (opening.kind !== "opened") throw new Error(opening.kind);
    const operation = aBegin(opening.run);
    await Promise.all(
      callers.map((caller, n) => caller.work({ verb: "begin", operation, prefix: `p${n}-`, count: 2_500 })),
    );
    expect(all()).toHaveLength(10_000);
    expect(all().filter(({ outcome }) => outcome === "begun")).toHaveLength(1);
    expect(all().filter(({ code }) => code === "DUPLICATE_CALL_ID")).toHaveLength(9_999);
    expect((await opened.store.readRun("run-1"))?.revision).toBe(1);
  }, 60_000);

  it("sweep an abandoned call once", async () => {
    const opening = await opened.store.openRun(aRun());
    if (opening.kind !== "opened") throw new Error(opening.kind);
    const record = { ...aBegin(opening.run).record, deadlineAt: 2_000 };
    await opened.store.begin(aBegin(opening.run, { record }));
    const others = await Promise.all(Array.from({ length: 3 }, () => openStore(server.url)));
    const counts = await Promise.all([opened.store, ...others.map(({ store }) => store)].map((store) => store.sweep()));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect((await opened.store.drain(10)).flatMap((batch) => batch.events)).toHaveLength(1);
    for (const other of others) await other.close();
  });
});
