import { abandoned, decodeFlight, type Flight } from "./flight.ts";
import { partitionKeys, runKeys } from "./keys.ts";
import { ABANDON, OVERDUE } from "./outbox-scripts.ts";
import { agreeOnPartitions } from "./partitions.ts";
import type { RedisOutbox } from "./redis-outbox.ts";
import { amountsText, countOf, listOf, textOf } from "./reply.ts";
import type { ScriptRunner } from "./script-runner.ts";

const PAGE = 100;

interface Overdue {
  readonly member: string;
  readonly flight: Flight;
  readonly ageMs: number;
}

/** Settles calls whose process did not, partition by partition. Any number of sweeps may run at once. */
export class Sweeper {
  readonly #scripts: ScriptRunner;
  readonly #outbox: RedisOutbox;
  readonly #partitions: number;

  constructor(scripts: ScriptRunner, outbox: RedisOutbox, partitions: number) {
    this.#scripts = scripts;
    this.#outbox = outbox;
    this.#partitions = partitions;
  }

  async sweep(): Promise<number> {
    await agreeOnPartitions(this.#scripts, this.#partitions);
    const all = Array.from({ length: this.#partitions }, (_, partition) => this.#sweepPartition(partition));
    const counts = await Promise.all(all);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** What cannot be settled here, since a newer version wrote it, is passed over and stays. */
  async #sweepPartition(partition: number): Promise<number> {
    let settled = 0;
    let passedOver = 0;
    for (;;) {
      const page = await this.#overdue(partition, passedOver);
      for (const one of page) {
        const kind = await this.#abandon(one);
        if (kind === "abandoned") settled += 1;
        else if (kind === "version") passedOver += 1;
      }
      if (page.length < PAGE) return settled;
    }
  }

  async #overdue(partition: number, passOver: number): Promise<readonly Overdue[]> {
    const { inflight } = partitionKeys(partition);
    const [time, flat] = await this.#scripts.run(OVERDUE, [inflight], [String(passOver), String(PAGE)]);
    const now = countOf(time, "call");
    const members = listOf(flat, "call");
    const page: Overdue[] = [];
    for (let i = 0; i + 1 < members.length; i += 2) {
      const member = textOf(members[i], "call");
      const flight = decodeFlight(member);
      page.push({ member, flight, ageMs: now - countOf(members[i + 1], "call") + flight.deadlineMs });
    }
    return page;
  }

  async #abandon({ member, flight, ageMs }: Overdue): Promise<string> {
    const keys = runKeys(flight.runId, this.#partitions);
    const { outcome, event } = abandoned(flight, ageMs);
    const spent = { calls: 1, requestBytes: flight.requestBytes, rawBytes: 0, projectionBytes: 0 };
    const [kind] = await this.#outbox.appending(keys.partition, event, (entry) =>
      this.#scripts.run(
        ABANDON,
        [keys.run, keys.call(flight.callKey), keys.inflight, keys.outbox, keys.audit],
        [member, amountsText(flight.allowance), amountsText(spent), outcome, ...entry],
      ),
    );
    return textOf(kind, "call");
  }
}
