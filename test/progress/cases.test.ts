import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { run } from "../../src/cli/try/progress.ts";

interface Call {
  readonly tool: string;
  readonly req: object;
  /** Ids of the items answered; `id:LEVEL` gives a relevance. */
  readonly items?: readonly string[];
  readonly truncated?: boolean;
  readonly error?: string;
  readonly at?: string;
}

/** Calls made together, the evaluation that came with them, and what each owes. */
interface Turn {
  readonly calls: readonly Call[];
  readonly eval?: object;
  readonly expect: readonly string[];
  readonly no_gain: number;
  readonly stop?: string;
  readonly abort?: boolean;
}

/** One line of `cases/*.jsonl`: the turns of a run. */
interface Sequence {
  readonly id: string;
  readonly why: string;
  readonly config?: object;
  readonly turns: readonly Turn[];
}

interface Step {
  readonly decisions: readonly string[];
  readonly no_gain: number;
  readonly stop: boolean;
  readonly reason?: string;
  readonly abort?: boolean;
}

const itemOf = (item: string): object => {
  const [id, rel = "HIGH"] = item.split(":");
  return { id, rel };
};

const answerOf = ({ items = [], truncated = false, error }: Call): object =>
  error ? { status: "ERROR", error } : { status: "READY", truncated, items: items.map(itemOf) };

/** The sequence as `dualview try progress` reads it, without the answers. */
function commandLine({ id, config, turns }: Sequence): object {
  let made = 0;
  const steps = turns.map((turn) => ({
    calls: turn.calls.map((call) => ({
      id: `c${++made}`,
      tool: call.tool,
      req: call.req,
      res: answerOf(call),
      ...(call.at && { at: call.at }),
    })),
    ...(turn.eval && { eval: turn.eval }),
  }));
  return { id, ...(config && { config }), steps };
}

async function play(sequences: readonly Sequence[]): Promise<ReadonlyMap<string, readonly Step[]>> {
  const stdout = new PassThrough();
  const stdin = Readable.from([sequences.map((one) => `${JSON.stringify(commandLine(one))}\n`).join("")]);
  await run({}, { stdin, stdout, stderr: new PassThrough() });
  const lines: { id: string; steps: Step[] }[] = String(stdout.read())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return new Map(lines.map(({ id, steps }) => [id, steps]));
}

const sequences: readonly Sequence[] = ["sequences", "freer-sequences"].flatMap((file) =>
  readFileSync(join(import.meta.dirname, `cases/${file}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line): Sequence => JSON.parse(line)),
);
const played = play(sequences);

describe("sequences of turns", () => {
  it.each(sequences)("$id: $why", async ({ id, turns }) => {
    const steps = (await played).get(id) ?? [];
    expect(steps.map(({ decisions, no_gain, stop }) => ({ decisions, no_gain, stop }))).toEqual(
      turns.map((turn) => ({ decisions: turn.expect, no_gain: turn.no_gain, stop: turn.stop !== undefined })),
    );
    turns.forEach((turn, i) => {
      if (turn.stop) expect(steps[i]?.reason).toBe(turn.stop);
      if (turn.abort !== undefined) expect(Boolean(steps[i]?.abort)).toBe(turn.abort);
    });
  });
});
