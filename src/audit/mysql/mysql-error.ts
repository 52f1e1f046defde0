import { CONNECTION_REMEDIES, connectionErrorName } from "../../model/connection-remedies.ts";

/**
 * What to do about an error of the server, by its number, or of the connection, by its name. Words of this file alone: a
 * server's own text holds values, account names and addresses.
 */
const REMEDIES: Readonly<Record<string, string>> = {
  ...CONNECTION_REMEDIES,
  1021: "The server's disk is full.",
  1040: "The server takes no further connections: raise max_connections or make the pool smaller.",
  1044: "The account may not use this database: grant it SELECT, INSERT and UPDATE there, and CREATE, ALTER and INDEX to migrate.",
  1045: "The server refuses the user or the password: check both, and from where the account may connect.",
  1049: "There is no database of this name: create it, or correct the configuration.",
  1114: "The table or the disk is full.",
  1129: "The server has blocked this host after failed connections: run FLUSH HOSTS there.",
  1130: "The server lets nobody in from this host: create the account for it.",
  1142: "The account lacks a right: grant it SELECT, INSERT and UPDATE, DELETE to prune, and CREATE, ALTER and INDEX to migrate.",
  1143: "The account lacks a right on a column: grant it SELECT, INSERT and UPDATE on the whole table.",
  1146: "A table is missing: run `dualview audit migrate`.",
  1205: "Another transaction holds the row for too long.",
  1227: "The account lacks an administrator's right.",
  1251: "The server wants a way to log in that the driver does not have.",
  1290: "The server is read-only: name the primary.",
  1524: "The account's way to log in is not loaded by the server.",
  1698: "The server refuses this account without its own way to log in: give it a password.",
  1792: "The session is read-only: name the primary.",
  1836: "The server is read-only: name the primary.",
  3159: "The server wants TLS: set `tls: true`, or `ssl` for a pool.",
  4025: "A check of the table refuses the row.",
  PROTOCOL_CONNECTION_LOST: "The server closed the connection.",
  PROTOCOL_SEQUENCE_TIMEOUT: "The server did not answer in time.",
  PROTOCOL_PACKETS_OUT_OF_ORDER: "What answers at this address does not speak MySQL.",
  HANDSHAKE_NO_SSL_SUPPORT: "The server does not offer TLS: connect without it, or set it up there.",
  HANDSHAKE_SSL_ERROR: "TLS was not agreed on: check the server's certificate.",
};

/** The server's number for an error; null for one that did not come from it. */
export function mysqlErrorNumber(error: unknown): number | null {
  const number = typeof error === "object" && error !== null ? (error as { readonly errno?: unknown }).errno : null;
  // of a system error the number is negative
  return typeof number === "number" && number > 0 ? number : null;
}

/** An error as number or name, with its remedy where one is known. Never its text. */
export function describeMysqlError(error: unknown): string {
  const number = mysqlErrorNumber(error);
  const name = connectionErrorName(error);
  const key = number ?? name;
  if (key === null) return "MySQL driver error.";
  const remedy = REMEDIES[key] ?? (name === null ? undefined : REMEDIES[name]);
  const shown = number === null ? `MySQL connection error ${name}.` : `MySQL error ${number}.`;
  return remedy === undefined ? shown : `${remedy} (${shown.slice(0, -1)})`;
}
