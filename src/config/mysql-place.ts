import { z } from "zod";
import { address, type SecretReference, secretReference } from "./secret-reference.ts";

/** TLS with a certificate of an authority that only this server has. */
export interface TlsConfig {
  /** File with the authority's certificate. */
  readonly ca?: string;
  /** Files with a certificate of this client and its key. */
  readonly cert?: string;
  readonly key?: string;
}

/** Where a MySQL or MariaDB database is; either `url`, or `user` and one of `host` and `socket`. */
export interface MysqlPlace {
  readonly url?: string | SecretReference;
  readonly host?: string;
  readonly port?: number;
  readonly socket?: string;
  readonly user?: string;
  readonly password?: SecretReference;
  readonly database?: string;
  readonly tls?: boolean | TlsConfig;
}

const name = z.string().min(1);
const file = name.describe("Relative to the configuration file.");

const files: z.ZodType<TlsConfig> = z
  .strictObject({ ca: file.exactOptional(), cert: file.exactOptional(), key: file.exactOptional() })
  .refine(
    ({ cert, key }) => (cert === undefined) === (key === undefined),
    "a 'cert' needs its 'key', and a 'key' its 'cert'",
  );

const tls = z
  .union([z.boolean(), files], {
    error: "write true, false, or files: { ca: FILE }, perhaps with both 'cert' and 'key'",
  })
  .describe("Whether to insist on TLS and on a certificate of a known authority; or the files of another authority.");

type PlaceShape = {
  readonly [Key in keyof MysqlPlace]-?: z.ZodExactOptional<z.ZodType<NonNullable<MysqlPlace[Key]>>>;
};

/** The keys of a place, beside those of what is kept there. */
export const mysqlPlaceShape: PlaceShape = {
  url: address.exactOptional().describe("mysql://user@host:port/database"),
  host: name.exactOptional(),
  port: z.int().min(1).max(65_535).exactOptional().describe("Default 3306."),
  socket: name.exactOptional().describe("Path of a unix socket, instead of a host."),
  user: name.exactOptional(),
  password: secretReference.exactOptional(),
  database: name.exactOptional(),
  tls: tls.exactOptional(),
};

/** Says which of the two ways to name a database is mixed up or not complete. */
export function checkMysqlPlace(
  place: MysqlPlace,
  context: z.RefinementCtx,
  needed: readonly ("user" | "database")[],
): void {
  const add = (message: string): void => void context.addIssue({ code: "custom", message });
  if (place.url !== undefined) {
    const beside = (["host", "port", "socket", "user", "database"] as const).filter((key) => place[key] !== undefined);
    if (beside.length > 0) add(`'url' names the place already: take out ${beside.map((key) => `'${key}'`).join(", ")}`);
    return;
  }
  if ((place.host === undefined) === (place.socket === undefined)) add("give one of 'url', 'host' and 'socket'");
  if (place.socket !== undefined && place.port !== undefined) add("a 'socket' has no 'port'");
  for (const key of needed) if (place[key] === undefined) add(`'${key}' is missing`);
}
