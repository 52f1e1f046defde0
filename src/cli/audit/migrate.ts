import type { MigrationReport } from "../../audit/migrations.ts";
import { type CommandIo, EXIT, type ExitCode, write } from "../io.ts";
import { migrateConfigured } from "../open-audit.ts";
import { type AuditOptions, auditPlace } from "./open-audit.ts";

/** Brings the audit's tables up to date, or adopts a table that is already there. */
export async function run(options: AuditOptions, io: CommandIo): Promise<ExitCode> {
  const { config, folder } = await auditPlace(options);
  const report = await migrateConfigured(config, folder);
  const text = options.json === true ? JSON.stringify(report) : describe(report);
  await write(io.stdout, `${text}\n`);
  return EXIT.ok;
}

function describe({ applied, adopted, foreign, warnings }: MigrationReport): string {
  const lines = [applied.length === 0 ? "Up to date: nothing to do." : `Applied: ${applied.join(", ")}`];
  if (adopted.length > 0) lines.push(`Adopted as they are: ${adopted.join(", ")}`);
  if (foreign.length > 0) lines.push(`Left alone, since they are not this product's: ${foreign.join(", ")}`);
  return [...lines, ...warnings.map((warning) => `Worth a look: ${warning}`)].join("\n");
}
