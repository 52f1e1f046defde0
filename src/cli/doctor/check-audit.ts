import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { AuditConfig, SqliteAuditConfig } from "../../config/audit-config.ts";
import { checkMysql } from "./check-mysql.ts";
import { type Finding, failure, failureOfOpening, note, ok } from "./finding.ts";
import { assessInspection } from "./inspection-findings.ts";

const WHY_AUDIT = "No process starts without it. While it is away later, rows wait and nobody can look them up.";

/** Checks the configured audit. Changes nothing in it. */
export async function checkAudit(config: AuditConfig | undefined, folder: string): Promise<readonly Finding[]> {
  if (config === undefined) {
    return [
      note("audit.configured", {
        what: "No audit is configured.",
        why: "Nothing is kept of calls once their records have expired.",
        fix: "Add 'audit: { driver: sqlite, file: audit.db }', or one in MySQL.",
      }),
    ];
  }
  return config.driver === "mysql" ? await checkMysql(config, folder, WHY_AUDIT) : await checkFile(config, folder);
}

async function checkFile({ file }: SqliteAuditConfig, folder: string): Promise<readonly Finding[]> {
  const path = resolve(folder, file);
  const place = await nearestThere(path);
  if (!(await isWritable(place))) {
    return [
      failure("audit.file", {
        what: `${place} may not be written by this user.`,
        why: WHY_AUDIT,
        fix: "Give this user the right to write there, or name another file in 'audit.file'.",
      }),
    ];
  }
  if (place !== path) return await assessAbsent(path, place);
  try {
    const { inspectSqliteAudit } = await import("../../audit/sqlite/sqlite-audit.ts");
    return [ok("audit.file", `${path} can be written.`), ...assessInspection(await inspectSqliteAudit({ file: path }))];
  } catch (error) {
    return [failureOfOpening("audit.file", error, WHY_AUDIT)];
  }
}

async function assessAbsent(path: string, place: string): Promise<readonly Finding[]> {
  if ((await stat(place)).isDirectory()) return [ok("audit.file", `${path} will be created.`)];
  return [
    failure("audit.file", {
      what: `${place} is a file, so ${path} cannot be created below it.`,
      why: WHY_AUDIT,
      fix: "Name another file in 'audit.file'.",
    }),
  ];
}

/** The path itself, or the first folder above it that exists. */
async function nearestThere(path: string): Promise<string> {
  for (let place = path; ; place = dirname(place)) {
    try {
      await stat(place);
      return place;
    } catch {
      if (dirname(place) === place) return place;
    }
  }
}

async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
