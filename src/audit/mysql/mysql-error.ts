/**
 * What to do about an error of the server, by its number, or of the connection, by its name. Words of this file alone: a
 * server's own text holds values, account names and addresses.
 */
const REMEDIES: Readonly<Record<string, string>> = {
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
  3159: "The server wants TLS: add tls to the URL.",
  4025: "A check of the table refuses the row.",
  ECONNREFUSED: "Nothing listens at this address: check host and port, and that the server runs.",
  ECONNRESET: "The server closed the connection.",
  EHOSTUNREACH: "There is no way to this host.",
  ENETUNREACH: "There is no way to this network.",
  ENOTFOUND: "The host name is not known.",
  EAI_AGAIN: "The host name cannot be looked up at the moment.",
  ENOENT: "There is no socket at this path.",
  EACCES: "The socket may not be used by this user.",
  ETIMEDOUT: "The server did not answer in time: check host and port, and that it speaks MySQL.",
  PROTOCOL_CONNECTION_LOST: "The server closed the connection.",
  PROTOCOL_SEQUENCE_TIMEOUT: "The server did not answer in time.",
  PROTOCOL_PACKETS_OUT_OF_ORDER: "What answers at this address does not speak MySQL.",
  HANDSHAKE_NO_SSL_SUPPORT: "The server does not offer TLS: take tls out of the URL, or set it up there.",
  HANDSHAKE_SSL_ERROR: "TLS was not agreed on: check the server's certificate.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The server's certificate is self-signed: name its authority with NODE_EXTRA_CA_CERTS.",
  SELF_SIGNED_CERT_IN_CHAIN: "The server's certificate is of an unknown authority: name it with NODE_EXTRA_CA_CERTS.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "The server's certificate is of an unknown authority: name it with NODE_EXTRA_CA_CERTS.",
  CERT_HAS_EXPIRED: "The server's certificate has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate is for another host name.",
};

/** Names and numbers that cannot hold a value. */
const SAFE_NAME = /^[A-Z][A-Z0-9_]{1,63}$/;

/** The server's number for an error; null for one that did not come from it. */
export function mysqlErrorNumber(error: unknown): number | null {
  const number = member(error, "errno");
  // of a system error the number is negative
  return typeof number === "number" && number > 0 ? number : null;
}

/** An error as number or name, with its remedy where one is known. Never its text. */
export function describeMysqlError(error: unknown): string {
  const number = mysqlErrorNumber(error);
  const code = member(error, "code");
  const name = typeof code === "string" && SAFE_NAME.test(code) ? code : null;
  const key = number ?? name;
  if (key === null) return "MySQL driver error.";
  const remedy = REMEDIES[key] ?? (name === null ? undefined : REMEDIES[name]);
  const shown = number === null ? `MySQL connection error ${name}.` : `MySQL error ${number}.`;
  return remedy === undefined ? shown : `${remedy} (${shown.slice(0, -1)})`;
}

function member(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null ? (error as Readonly<Record<string, unknown>>)[name] : undefined;
}
