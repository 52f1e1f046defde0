import { resolve } from "node:path";
import type { AuditArchive } from "../audit/audit.ts";
import type { MigrationReport } from "../audit/migrations.ts";
import type { AuditConfig, MysqlAuditConfig } from "../config/audit-config.ts";
import { BoundaryError } from "../model/errors.ts";
import { withinDeadline } from "./deadline.ts";
import { openMysqlPool } from "./mysql-pool.ts";

/** An audit and what has to be closed with it. */
export interface OpenedAudit {
  readonly audit: AuditArchive;
  close(): Promise<void>;
}

/** A server that is reached and then stops answering would hold up the command for ever. */
const OPEN_TIMEOUT_MS = 30_000;

/** Opens the configured audit, which migrates it. Paths are relative to `folder`. */
export async function openAudit(config: AuditConfig, folder: string): Promise<OpenedAudit> {
  if (config.driver === "sqlite") {
    const { sqliteAudit } = await import("../audit/sqlite/sqlite-audit.ts");
    const audit = await sqliteAudit({ file: resolve(folder, config.file) });
    return { audit, close: () => audit.close() };
  }
  const { mysqlAudit } = await import("../audit/mysql/mysql-audit.ts");
  const pool = await openMysqlPool(config, { field: "audit", folder });
  const end = (): Promise<void> => pool.promise().end();
  try {
    const audit = await withinDeadline(mysqlAudit({ pool }), OPEN_TIMEOUT_MS, tooLate);
    const close = async (): Promise<void> => {
      await audit.close();
      await end();
    };
    return { audit, close };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Migrates the configured audit and says what that did. */
export async function migrateConfigured(config: AuditConfig, folder: string): Promise<MigrationReport> {
  if (config.driver === "mysql") return await migrateMysql(config, folder);
  const { migrateSqliteAudit } = await import("../audit/sqlite/sqlite-audit.ts");
  return await migrateSqliteAudit({ file: resolve(folder, config.file) });
}

async function migrateMysql(config: MysqlAuditConfig, folder: string): Promise<MigrationReport> {
  const { migrateMysqlAudit } = await import("../audit/mysql/mysql-audit.ts");
  const pool = await openMysqlPool(config, { field: "audit", folder });
  try {
    return await migrateMysqlAudit({ pool });
  } finally {
    await pool.promise().end();
  }
}

function tooLate(): BoundaryError {
  return new BoundaryError("AUDIT_UNAVAILABLE", "audit", `The database did not answer within ${OPEN_TIMEOUT_MS} ms.`);
}
