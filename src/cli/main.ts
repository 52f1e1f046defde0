#!/usr/bin/env node
import { CommanderError } from "commander";
import { BoundaryError } from "../model/errors.ts";
import { type CommandIo, EXIT, UsageError, write } from "./io.ts";
import { buildProgram } from "./program.ts";

/** Exit 0: done. 1: done, with a negative finding. 2: wrong use or configuration. 70: a fault of this program. */
async function main(): Promise<void> {
  const io: CommandIo = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
  process.stdout.once("error", endQuietly).on("error", () => undefined);
  try {
    await buildProgram(io, (code) => {
      process.exitCode = code;
    }).parseAsync(process.argv);
  } catch (error) {
    process.exitCode = await explain(error, io);
  }
}

/** A reader that goes away, as `head` does, is no fault. A command that ends in order on a signal does so here too. */
function endQuietly(): void {
  if (!process.emit("SIGTERM")) process.exit();
}

async function explain(error: unknown, io: CommandIo): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof UsageError) {
    await write(io.stderr, `dualview: ${error.message}\n`);
    return EXIT.usage;
  }
  if (BoundaryError.is(error)) {
    await write(io.stderr, `dualview: ${error.code}: ${error.message}\n`);
    return EXIT.usage;
  }
  await write(
    io.stderr,
    `dualview: unexpected fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 70;
}

await main();
