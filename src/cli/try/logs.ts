import { EMPTY_MEMORY } from "../../model/memory.ts";
import { messagesOf, searchLines } from "../../tools/query-logs/backends/lines.ts";
import type { LogQuery } from "../../tools/query-logs/match/filter.ts";
import { minePatterns } from "../../tools/query-logs/mine/mine.ts";
import { projectLogs } from "../../tools/query-logs/projector.ts";
import { type CommandIo, EXIT, type ExitCode, readLines, write } from "../io.ts";

/** A fixed key: the same lines give the same aliases each time. Runs draw their own. */
const DEMO_SALT = "6475616c766965772d7472792d6c6f6773";
const MAX_BYTES = 16 * 1024;
const EVERYTHING: LogQuery = {
  source: "stdin",
  service: null,
  level: null,
  keywords: [],
  pattern: null,
  from: Number.MIN_SAFE_INTEGER,
  to: Number.MAX_SAFE_INTEGER,
  limit: Number.MAX_SAFE_INTEGER,
};

/** `dualview try logs`: raw lines in, one observation out; with `assign` one pattern for each line. */
export async function run(options: Readonly<Record<string, unknown>>, io: CommandIo): Promise<ExitCode> {
  const lines: string[] = [];
  for await (const line of readLines(io.stdin)) lines.push(line);
  const now = Date.now();
  if (options["assign"] === true)
    await write(io.stdout, assignment(options["content"] === true ? lines : messagesOf(lines, now)));
  else await write(io.stdout, `${JSON.stringify(await observe(lines, now))}\n`);
  return EXIT.ok;
}

/** One answer for each message, in their order. */
function assignment(messages: readonly string[]): string {
  const answers: string[] = [];
  for (const pattern of minePatterns(messages)) {
    const answer = `${JSON.stringify({ id: pattern.id, template: pattern.text })}\n`;
    for (const member of pattern.members) answers[member] = answer;
  }
  return answers.join("");
}

async function observe(lines: readonly string[], now: number): Promise<unknown> {
  const { createRedaction } = await import("../../redact/redaction.ts");
  const redact = createRedaction().redactor({ salt: DEMO_SALT, memory: EMPTY_MEMORY });
  const logs = searchLines(lines, EVERYTHING, now, Number.MAX_SAFE_INTEGER);
  return projectLogs(logs, EVERYTHING, { limits: { maxBytes: MAX_BYTES }, redact });
}
