import { CONNECTION_REMEDIES, connectionErrorName } from "./connection-remedies.ts";

/**
 * What to do when a MySQL or MariaDB server cannot be reached or lets nobody in: by the server's number, or by the name of an error
 * of the connection. Words of this file alone: a server's own text holds values, account names and addresses.
 */
export const MYSQL_REMEDIES: Readonly<Record<string, string>> = {
  ...CONNECTION_REMEDIES,
  1040: "The server takes no further connections: raise max_connections or make the pool smaller.",
  1045: "The server refuses the user or the password: check both, and from where the account may connect.",
  1049: "There is no database of this name: create it, or correct the configuration.",
  1129: "The server has blocked this host after failed connections: run FLUSH HOSTS there.",
  1130: "The server lets nobody in from this host: create the account for it.",
  1251: "The server wants a way to log in that the driver does not have.",
  1524: "The account's way to log in is not loaded by the server.",
  1698: "The server refuses this account without its own way to log in: give it a password.",
  3159: "The server wants TLS: set `tls: true`, or `ssl` for a pool.",
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
export function describeMysqlError(
  error: unknown,
  remedies: Readonly<Record<string, string>> = MYSQL_REMEDIES,
): string {
  const number = mysqlErrorNumber(error);
  const name = connectionErrorName(error);
  const key = number ?? name;
  if (key === null) return "MySQL driver error.";
  const remedy = remedies[key] ?? (name === null ? undefined : remedies[name]);
  const shown = number === null ? `MySQL connection error ${name}.` : `MySQL error ${number}.`;
  return remedy === undefined ? shown : `${remedy} (${shown.slice(0, -1)})`;
}
