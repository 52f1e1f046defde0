#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { type CommandIo, EXIT, type ExitCode, UsageError, write } from "./io.ts";

type Options = Readonly<Record<string, unknown>>;
interface CommandModule {
  run(options: Options, io: CommandIo): Promise<ExitCode>;
}

/** Builds the command line; each command's module is loaded when it is run. */
export function buildProgram(io: CommandIo, done: (code: ExitCode) => void): Command {
  const act = (load: () => Promise<CommandModule>) => async (options: Options) => {
    const module = await load();
    done(await module.run(options, io));
  };
  const program = new Command("dualview").exitOverride();
  const tries = program.command("try").description("try one part on your own input");
  tries
    .command("redact")
    .option("--ndjson", "{id,text} lines in, {id,text,findings} lines out")
    .action(act(() => import("./try/redact.ts")));
  tries
    .command("sql")
    .requiredOption("--policy <file>", "tables and columns that may be read (YAML or JSON)")
    .option("--ndjson", "{id,sql} lines in, {id,decision,code,plan} lines out")
    .action(act(() => import("./try/sql.ts")));
  tries
    .command("logs")
    .option("--assign", "one {id, template} line for each input line")
    .option("--content", "the lines are messages without a header")
    .action(act(() => import("./try/logs.ts")));
  tries
    .command("knowledge")
    .requiredOption("--docs <file>", "documents, one {_id,title,text} a line")
    .requiredOption("--queries <file>", "queries, one {_id,text} a line")
    .option("--top <n>", "hits a query", "10")
    .action(act(() => import("./try/knowledge.ts")));
  tries.command("guard").action(act(() => import("./try/guard.ts")));
  tries.command("progress").action(act(() => import("./try/progress.ts")));
  return program;
}

async function main(): Promise<void> {
  const io: CommandIo = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
  try {
    await buildProgram(io, (code) => {
      process.exitCode = code;
    }).parseAsync(process.argv);
  } catch (error) {
    process.exitCode = EXIT.usage;
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    else if (error instanceof UsageError) await write(process.stderr, `dualview: ${error.message}\n`);
    else throw error;
  }
}

await main();
