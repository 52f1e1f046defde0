import { z } from "zod";
import { checkMysqlPlace, type MysqlPlace, mysqlPlaceShape } from "./mysql-place.ts";

/** The audit in a file of this machine. */
export interface SqliteAuditConfig {
  readonly driver: "sqlite";
  readonly file: string;
}

/** The audit in MySQL or MariaDB. */
export interface MysqlAuditConfig extends MysqlPlace {
  readonly driver: "mysql";
}

export type AuditConfig = SqliteAuditConfig | MysqlAuditConfig;

const sqlite = z.strictObject({
  driver: z.literal("sqlite"),
  file: z.string().min(1).describe("Relative to the configuration file."),
});

const mysql = z
  .strictObject({ driver: z.literal("mysql"), ...mysqlPlaceShape })
  .superRefine((place, context) => checkMysqlPlace(place, context, ["user", "database"]));

export const auditConfig: z.ZodType<AuditConfig> = z
  .discriminatedUnion("driver", [sqlite, mysql])
  .describe("Where metadata of calls and runs is kept for good.");
