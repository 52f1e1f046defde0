import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { AuditConfig } from "../../config/audit-config.ts";
import { loadSqlite } from "../../sqlite/sqlite.ts";
import { UsageError } from "../io.ts";
import { type OpenedAudit, openAudit } from "../open-audit.ts";
import { readConfig, unreadable } from "../read-config.ts";

export interface AuditOptions {
  readonly config?: string;
  /** A SQLite audit file, instead of the one a configuration names. */
  readonly file?: string;
  readonly json?: boolean;
}

/** Where the audit is that a command was pointed at; the file that an option names need not exist. */
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
  if (options.file !== undefined) await mustHoldAudit(resolve(options.file));
  const { config, folder } = await auditPlace(options);
  return await openAudit(config, folder);
}

/** Opening creates and migrates: a misspelt name would look like an audit without rows, and another's database would get our tables. */
async function mustHoldAudit(file: string): Promise<void> {
  try {
    await stat(file);
  } catch (error) {
    throw new UsageError(`--file: ${unreadable(file, error)}`);
  }
  if (await holdsAudit(file)) return;
  throw new UsageError(`--file: ${file} holds no audit. 'dualview audit migrate --file' would make one in it.`);
}

/** A file that is no database at all is left to be named by whoever opens it. */
async function holdsAudit(file: string): Promise<boolean> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare("select 1 from sqlite_master where name = 'tool_invocation'").get() !== undefined;
  } catch {
    return true;
  } finally {
    database.close();
  }
}
