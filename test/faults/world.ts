import { expect } from "vitest";
import type { AuditSink, StoredToolInvocationRow } from "../../src/audit/audit.ts";
import { createHarness, type Harness } from "../../src/boundary/harness.ts";
import type { Run } from "../../src/boundary/run.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import type { CanonicalStore } from "../../src/store/store.ts";
import type { Observation } from "../../src/views/observation.ts";
import { type LinesRequest, linesTool, projectLines } from "../boundary/fixture.ts";
import { openStore } from "../store/redis/fixture.ts";
import { until } from "../until.ts";
import { Strike, struck } from "./strike.ts";

export interface WorldOptions {
  /** The harness's way to Redis. */
  readonly redisUrl: string;
  /** The way of the checks, which no link disturbs. */
  readonly directUrl: string;
  readonly audit: AuditSink;
  /** The backend. */
  readonly ask?: (service: string, signal: AbortSignal) => Promise<unknown>;
}

const LIMITS = { call: { deadlineMs: 1_000, rawBytes: 64 * 1024 } };

/** One run over a real Redis and a real audit, and what is seen of it from outside. */
export class World {
  readonly strike = new Strike();
  /** Calls whose backend was asked. */
  readonly executed: string[] = [];
  /** Those of them that had no record at that moment. */
  readonly unrecorded: string[] = [];
  /** What the model was shown, by call. */
  readonly shown = new Map<string, Observation>();
  readonly notices: string[] = [];
  readonly store: CanonicalStore;
  readonly harness: Harness;
  readonly #audit: AuditSink;
  readonly #linked: CanonicalStore;
  readonly #closeStores: () => Promise<void>;
  #run: Run | null = null;

  private constructor(
    options: WorldOptions,
    linked: CanonicalStore,
    direct: CanonicalStore,
    close: () => Promise<void>,
  ) {
    this.store = direct;
    this.#linked = linked;
    this.#audit = options.audit;
    this.#closeStores = close;
    this.harness = createHarness({
      store: struck(linked, this.strike, {
        begin: "begin",
        settle: "settle",
        drain: "drain",
        acknowledge: "acknowledge",
        read: "guard",
      }),
      audit: struck(options.audit, this.strike, { record: "record" }),
      tools: [this.#tool(options.ask ?? (async (service) => ({ lines: [`pool timed out in ${service}`] })))],
      limits: LIMITS,
      report: ({ code }) => void this.notices.push(code),
    });
  }

  static async open(options: WorldOptions): Promise<World> {
    // one partition: whatever is opened after a loss meets the numbers of before
    const settings = { deadlineMs: 500, partitions: 1 };
    const linked = await openStore(options.redisUrl, settings);
    const direct = await openStore(options.directUrl, { ...settings, deadlineMs: 5_000 });
    const world = new World(options, linked.store, direct.store, async () => {
      await linked.close();
      await direct.close();
    });
    world.#run = await world.harness.openRun({ sessionId: "faults" });
    return world;
  }

  get run(): Run {
    if (this.#run === null) throw new Error("no run was opened");
    return this.#run;
  }

  async call(toolCallId: string, run: Run = this.run): Promise<Observation> {
    const request = { service: toolCallId };
    const { observation } = await run.call({ toolCallId, toolName: "query_lines", request });
    this.shown.set(toolCallId, observation);
    return observation;
  }

  /** A call that nothing happens to, until its row is written and nothing of it is under way. */
  async callInPeace(toolCallId: string): Promise<void> {
    expect((await this.call(toolCallId)).outcome).toBe("OK");
    await until(async () => (await this.rows()).length > 0 && (await this.store.drain(1)).length === 0);
  }

  async verdictOn(toolCallId: string): Promise<Verdict> {
    return await this.run.verify(draftOn(toolCallId));
  }

  async codesOn(toolCallId: string): Promise<readonly string[]> {
    return (await this.verdictOn(toolCallId)).claims[0]?.findings.map(({ code }) => code) ?? [];
  }

  async rows(runId: string = this.run.runId): Promise<readonly StoredToolInvocationRow[]> {
    return (await this.#audit.list({ runId, afterId: 0 })) as readonly StoredToolInvocationRow[];
  }

  /** Waits until so many rows are there, written by the drainer at its own pace. */
  async untilAudited(count: number): Promise<void> {
    await until(() =>
      this.rows().then(
        ({ length }) => length >= count,
        () => false,
      ),
    );
  }

  /** Sweeps until no call is PROJECTING. */
  async untilSettled(): Promise<void> {
    const { runId } = this.run;
    await until(async () => {
      await this.harness.sweep();
      const lookups = await this.store.read(runId, await this.store.list(runId));
      return lookups.every((one) => one.kind === "found" && one.record.status !== "PROJECTING");
    });
  }

  /** Waits until both ways to Redis work again. */
  async untilBack(): Promise<void> {
    const answers = (store: CanonicalStore) => () =>
      store.readRun("any").then(
        () => true,
        () => false,
      );
    await until(answers(this.#linked));
    await until(answers(this.store));
  }

  /**
   * What must hold once everything is back, and another call went well: what was shown is stored, what is stored is citable if it
   * is READY and not otherwise, and every record has one row.
   */
  async expectWholeAndOnce(): Promise<void> {
    expect(this.unrecorded).toEqual([]);
    const { runId } = this.run;
    await this.untilSettled();
    const ids = await this.store.list(runId);
    for (const [i, lookup] of (await this.store.read(runId, ids)).entries()) {
      const id = ids[i] ?? "";
      const ready = lookup.kind === "found" && lookup.record.status === "READY";
      expect((await this.verdictOn(id)).verdict, id).toBe(ready ? "PASS" : "REJECT");
    }
    const unstored = [...this.shown.keys()].filter((id) => !ids.includes(id));
    for (const id of unstored) expect((await this.verdictOn(id)).verdict, id).toBe("REJECT");
    await this.#expectShownIsStored();
    await this.harness.close();
    const audited = (await this.rows()).map((row) => row.input_params.tool_call_id);
    expect([...audited].sort()).toEqual([...ids].sort());
  }

  async #expectShownIsStored(): Promise<void> {
    for (const [id, observation] of this.shown) {
      if (observation.outcome !== "OK") {
        expect(observation).not.toHaveProperty("items");
        continue;
      }
      const [lookup] = await this.store.read(this.run.runId, [id]);
      const { items } = observation;
      expect(lookup).toMatchObject({ kind: "found", record: { status: "READY", agentResult: { items } } });
    }
  }

  async close(): Promise<void> {
    await this.harness.close();
    await this.#closeStores();
  }

  #tool(ask: NonNullable<WorldOptions["ask"]>) {
    return linesTool({
      execute: async ({ service }, { signal }) => {
        this.executed.push(service);
        const [lookup] = await this.store.read(this.run.runId, [service]);
        if (lookup?.kind !== "found" || lookup.record.status !== "PROJECTING") this.unrecorded.push(service);
        await this.strike.before("execute");
        return await ask(service, signal);
      },
      projector: {
        id: "lines",
        version: "1",
        project: (raw, request: LinesRequest, context) => {
          this.strike.begin("project");
          return projectLines(raw, request, context);
        },
      },
    });
  }
}

/** A conclusion that rests on one call. */
export function draftOn(toolCallId: string) {
  const citations = [{ tool_call_id: toolCallId, item_id: "e1" }];
  return { claims: [{ kind: "observation", text: "The pool timed out.", citations }] };
}
