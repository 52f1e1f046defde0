import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { AuditSink } from "../../audit/audit.ts";
import { sqliteAudit } from "../../audit/sqlite/sqlite-audit.ts";
import { UsageError } from "../io.ts";
import { openAudit } from "../open-harness.ts";
import { readConfig, unreadable } from "../read-config.ts";

export interface AuditOptions {
  readonly config?: string;
  /** A SQLite audit file, instead of the one a configuration names. */
  readonly file?: string;
  readonly json?: boolean;
}

/** The audit that a command was pointed at. */
export async function auditOf(options: AuditOptions): Promise<AuditSink> {
  if (options.file !== undefined) return await sqliteAudit({ file: await existing(resolve(options.file)) });
  const { config, folder } = await readConfig(options.config);
  const audit = await openAudit(config, folder);
  if (audit === null)
    throw new UsageError("the configuration names no audit. Add 'audit: { driver: sqlite, file: audit.db }'.");
  return audit;
}

/** Opening would create the file, and a misspelt name would then look like an audit without rows. */
async function existing(file: string): Promise<string> {
  try {
    await stat(file);
    return file;
  } catch (error) {
    throw new UsageError(`--file: ${unreadable(file, error)}`);
  }
}
