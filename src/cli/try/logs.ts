import { minePatterns } from "../../tools/query-logs/mine/mine.ts";
import { type CommandIo, EXIT, type ExitCode, readLines, UsageError, write } from "../io.ts";

/** `dualview try logs`: raw lines in, one observation out; with `--assign` one pattern for each line. */
export async function run(options: Readonly<Record<string, unknown>>, io: CommandIo): Promise<ExitCode> {
  const lines: string[] = [];
  for await (const line of readLines(io.stdin)) lines.push(line);
  if (options["assign"] === true) await write(io.stdout, assignment(lines));
  else throw new UsageError("try logs is being built");
  return EXIT.ok;
}

function assignment(messages: readonly string[]): string {
  const answers: string[] = [];
  for (const pattern of minePatterns(messages)) {
    const answer = `${JSON.stringify({ id: pattern.id, template: pattern.text })}\n`;
    for (const member of pattern.members) answers[member] = answer;
  }
  return answers.join("");
}
