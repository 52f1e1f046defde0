import { resolve } from "node:path";
import type { AuditConfig } from "../../config/audit-config.ts";
import { UsageError } from "../io.ts";
import { type OpenedAudit, openAudit } from "../open-audit.ts";
import { readConfig } from "../read-config.ts";

export interface AuditOptions {
  readonly config?: string;
  /** A SQLite audit file, instead of the one a configuration names. */
  readonly file?: string;
  readonly json?: boolean;
}

/** Where the audit is that a command was pointed at. */
export async function auditPlace(
  options: AuditOptions,
): Promise<{ readonly config: AuditConfig; readonly folder: string }> {
  if (options.file !== undefined) return { config: { driver: "sqlite", file: resolve(options.file) }, folder: "." };
  const { config, folder } = await readConfig(options.config);
  if (config.audit === undefined)
    throw new UsageError("the configuration names no audit. Add 'audit: { driver: sqlite, file: audit.db }'.");
  return { config: config.audit, folder };
}

/** The audit that a command was pointed at. */
export async function auditOf(options: AuditOptions): Promise<OpenedAudit> {
  const { config, folder } = await auditPlace(options);
  return await openAudit(config, folder);
}
