import type { Pool, PoolOptions } from "mysql2";
import type { MysqlAuditConfig } from "../config/audit-config.ts";
import { BoundaryError } from "../model/errors.ts";
import { decodePart, readSecret, readUrl } from "./secrets.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTIONS = 4;
const DEFAULT_PORT = 3_306;

/** A pool on the configured database, which has not connected yet. Throws CONFIG_INVALID for an address or secret that is none. */
export async function openMysqlPool(config: MysqlAuditConfig): Promise<Pool> {
  const { createPool } = await import("mysql2");
  return createPool({
    ...placeOf(config),
    ...(config.password === undefined ? {} : { password: readSecret(config.password, "audit.password") }),
    ...(config.tls === true ? { ssl: {} } : {}),
    connectTimeout: CONNECT_TIMEOUT_MS,
    connectionLimit: CONNECTIONS,
    dateStrings: true,
    timezone: "Z",
  });
}

function placeOf({ url: address, host, port, socket, user, database }: MysqlAuditConfig): PoolOptions {
  if (address !== undefined) return placeInUrl(readUrl(address, "audit.url", ["mysql:", "mariadb:"]));
  return {
    ...(socket === undefined ? {} : { socketPath: socket }),
    ...(host === undefined ? {} : { host, port: port ?? DEFAULT_PORT }),
    ...(user === undefined ? {} : { user }),
    ...(database === undefined ? {} : { database }),
  };
}

/** Read here and not by the driver, which takes any option of its own from a URL's query. */
function placeInUrl({ hostname, port, username, password, pathname, search }: URL): PoolOptions {
  const database = decodePart(pathname.slice(1), "audit.url");
  if (database === "" || username === "") {
    throw invalid("'audit.url' names no user or no database: write mysql://user@host:port/database.");
  }
  if (search !== "") throw invalid("'audit.url' takes no options after '?': write them as keys of 'audit'.");
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? DEFAULT_PORT : Number(port),
    user: decodePart(username, "audit.url"),
    ...(password === "" ? {} : { password: decodePart(password, "audit.url") }),
    database,
  };
}

function invalid(detail: string): BoundaryError {
  return new BoundaryError("CONFIG_INVALID", "audit.url", detail);
}
