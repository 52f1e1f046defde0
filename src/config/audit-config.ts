import { z } from "zod";
import { address, type SecretReference, secretReference } from "./secret-reference.ts";

/** The audit in a file of this machine. */
export interface SqliteAuditConfig {
  readonly driver: "sqlite";
  readonly file: string;
}

/** The audit in MySQL or MariaDB; either `url`, or `user`, `database` and one of `host` and `socket`. */
export interface MysqlAuditConfig {
  readonly driver: "mysql";
  readonly url?: string | SecretReference;
  readonly host?: string;
  readonly port?: number;
  readonly socket?: string;
  readonly user?: string;
  readonly password?: SecretReference;
  readonly database?: string;
  readonly tls?: boolean;
}

export type AuditConfig = SqliteAuditConfig | MysqlAuditConfig;

const sqlite = z.strictObject({
  driver: z.literal("sqlite"),
  file: z.string().min(1).describe("Relative to the configuration file."),
});

const name = z.string().min(1);

const mysql = z
  .strictObject({
    driver: z.literal("mysql"),
    url: address.exactOptional().describe("mysql://user@host:port/database"),
    host: name.exactOptional(),
    port: z.int().min(1).max(65_535).exactOptional().describe("Default 3306."),
    socket: name.exactOptional().describe("Path of a unix socket, instead of a host."),
    user: name.exactOptional(),
    password: secretReference.exactOptional(),
    database: name.exactOptional(),
    tls: z.boolean().exactOptional().describe("Whether to insist on TLS and on a certificate of a known authority."),
  })
  .superRefine(checkPlace);

/** Says which of the two ways to name a database is mixed up or not complete. */
function checkPlace(config: MysqlAuditConfig, context: z.RefinementCtx): void {
  const add = (message: string): void => void context.addIssue({ code: "custom", message });
  if (config.url !== undefined) {
    const beside = (["host", "port", "socket", "user", "database"] as const).filter((key) => config[key] !== undefined);
    if (beside.length > 0) add(`'url' names the place already: take out ${beside.map((key) => `'${key}'`).join(", ")}`);
    return;
  }
  if ((config.host === undefined) === (config.socket === undefined)) add("give one of 'url', 'host' and 'socket'");
  if (config.socket !== undefined && config.port !== undefined) add("a 'socket' has no 'port'");
  for (const key of ["user", "database"] as const) if (config[key] === undefined) add(`'${key}' is missing`);
}

export const auditConfig: z.ZodType<AuditConfig> = z
  .discriminatedUnion("driver", [sqlite, mysql])
  .describe("Where metadata of calls and runs is kept for good.");
