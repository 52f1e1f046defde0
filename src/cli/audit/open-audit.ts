import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { AuditSink } from "../../audit/audit.ts";
import { sqliteAudit } from "../../audit/sqlite/sqlite-audit.ts";
import { loadSqlite } from "../../sqlite/sqlite.ts";
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

/** Opening creates and migrates: a misspelt name would look like an audit without rows, and another's database would get our tables. */
async function existing(file: string): Promise<string> {
  try {
    await stat(file);
  } catch (error) {
    throw new UsageError(`--file: ${unreadable(file, error)}`);
  }
  if (await holdsAudit(file)) return file;
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
