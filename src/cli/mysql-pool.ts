import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { resolve } from "node:path";
import type { Pool, PoolOptions, SslOptions } from "mysql2";
import type { MysqlPlace, TlsConfig } from "../config/mysql-place.ts";
import { BoundaryError } from "../model/errors.ts";
import { unreadable } from "./read-config.ts";
import { decodePart, readSecret, readUrl } from "./secrets.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTIONS = 4;
const DEFAULT_PORT = 3_306;

/** Where in the configuration a database is named, and what its paths are relative to. */
export interface PlaceOptions {
  readonly field: string;
  readonly folder: string;
  /** Chosen where the place names none. */
  readonly database?: string;
}

/** A pool on the configured database, which has not connected yet. Throws CONFIG_* for an address, secret or file that is none. */
export async function openMysqlPool(place: MysqlPlace, where: PlaceOptions, options: PoolOptions = {}): Promise<Pool> {
  const { createPool } = await import("mysql2");
  const { field, folder, database } = where;
  const target = targetOf(place, field);
  return createPool({
    ...(database === undefined ? {} : { database }),
    ...target,
    ...(place.password === undefined ? {} : { password: readSecret(place.password, `${field}.password`) }),
    ...(await sslOf(place.tls ?? false, target.host, { field: `${field}.tls`, folder })),
    connectTimeout: CONNECT_TIMEOUT_MS,
    connectionLimit: CONNECTIONS,
    dateStrings: true,
    timezone: "Z",
    ...options,
  });
}

function targetOf({ url: address, host, port, socket, user, database }: MysqlPlace, field: string): PoolOptions {
  if (address !== undefined) return placeInUrl(readUrl(address, `${field}.url`, ["mysql:", "mariadb:"]), field);
  return {
    ...(socket === undefined ? {} : { socketPath: socket }),
    ...(host === undefined ? {} : { host, port: port ?? DEFAULT_PORT }),
    ...(user === undefined ? {} : { user }),
    ...(database === undefined ? {} : { database }),
  };
}

/** Read here and not by the driver, which takes any option of its own from a URL's query. */
function placeInUrl({ hostname, port, username, password, pathname, search }: URL, field: string): PoolOptions {
  const url = `${field}.url`;
  const database = decodePart(pathname.slice(1), url);
  if (database === "" || username === "") {
    throw invalid(url, `'${url}' names no user or no database: write mysql://user@host:port/database.`);
  }
  if (search !== "") throw invalid(url, `'${url}' takes no options after '?': write them as keys of '${field}'.`);
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? DEFAULT_PORT : Number(port),
    user: decodePart(username, url),
    ...(password === "" ? {} : { password: decodePart(password, url) }),
    database,
  };
}

/** The driver compares the name in the certificate only when it is told to, and has none to compare with for an address. */
async function sslOf(
  tls: boolean | TlsConfig,
  host: string | undefined,
  where: PlaceOptions,
): Promise<{ readonly ssl?: SslOptions }> {
  if (tls === false) return {};
  const verifyIdentity = host !== undefined && isIP(host) === 0;
  if (tls === true) return { ssl: { verifyIdentity } };
  const files: Record<string, string> = {};
  for (const key of ["ca", "cert", "key"] as const) {
    const file = tls[key];
    if (file !== undefined) files[key] = await readPem(resolve(where.folder, file), `${where.field}.${key}`);
  }
  return { ssl: { verifyIdentity, ...files } };
}

async function readPem(path: string, field: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new BoundaryError("CONFIG_UNREADABLE", field, `'${field}': ${unreadable(path, error)}`);
  }
}

function invalid(field: string, detail: string): BoundaryError {
  return new BoundaryError("CONFIG_INVALID", field, detail);
}
