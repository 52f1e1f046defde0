import { type CommandIo, type ExitCode, UsageError } from "../io.ts";

export async function run(_options: Readonly<Record<string, unknown>>, _io: CommandIo): Promise<ExitCode> {
  throw new UsageError("try sql is being built");
}
