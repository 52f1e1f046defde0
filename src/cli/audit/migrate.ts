import { resolve } from "node:path";
import { migrateSqliteAudit } from "../../audit/sqlite/sqlite-audit.ts";
import { type CommandIo, EXIT, type ExitCode, UsageError, write } from "../io.ts";
import { readConfig } from "../read-config.ts";
import type { AuditOptions } from "./open-audit.ts";

/** Brings the audit's tables up to date, or adopts a table that is already there. */
export async function run(options: AuditOptions, io: CommandIo): Promise<ExitCode> {
  const report = await migrateSqliteAudit({ file: await fileOf(options) });
  const text = options.json === true ? JSON.stringify(report) : describe(report);
  await write(io.stdout, `${text}\n`);
  return EXIT.ok;
}

async function fileOf(options: AuditOptions): Promise<string> {
  if (options.file !== undefined) return resolve(options.file);
  const { config, folder } = await readConfig(options.config);
  if (config.audit === undefined) throw new UsageError("the configuration names no audit. Name a file with --file.");
  return resolve(folder, config.audit.file);
}

function describe({ applied, adopted, foreign }: Awaited<ReturnType<typeof migrateSqliteAudit>>): string {
  const lines = [applied.length === 0 ? "Up to date: nothing to do." : `Applied: ${applied.join(", ")}`];
  if (adopted.length > 0) lines.push(`Adopted as they are: ${adopted.join(", ")}`);
  if (foreign.length > 0) lines.push(`Left alone, since they are not this product's: ${foreign.join(", ")}`);
  return lines.join("\n");
}
