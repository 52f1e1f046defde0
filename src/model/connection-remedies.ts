/** What an operator can do about a connection that fails, by the name that Node gives the error. Words without any value. */
export const CONNECTION_REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens at this address: check host and port, and that the server runs.",
  ECONNRESET:
    "The server closed the connection: check that it speaks this protocol, with or without TLS, at this port.",
  EPIPE: "The server closed the connection.",
  EHOSTUNREACH: "There is no way to this host.",
  ENETUNREACH: "There is no way to this network.",
  ENOTFOUND: "The host name is not known.",
  EAI_AGAIN: "The host name cannot be looked up at the moment.",
  ENOENT: "There is no socket at this path.",
  EACCES: "The socket may not be used by this user.",
  ETIMEDOUT:
    "The server did not answer in time: check host and port, and that it speaks this protocol there, with or without TLS.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The server's certificate is self-signed: name its authority with NODE_EXTRA_CA_CERTS.",
  SELF_SIGNED_CERT_IN_CHAIN: "The server's certificate is of an unknown authority: name it with NODE_EXTRA_CA_CERTS.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "The server's certificate is of an unknown authority: name it with NODE_EXTRA_CA_CERTS.",
  CERT_HAS_EXPIRED: "The server's certificate has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate is for another host name.",
  ERR_SSL_WRONG_VERSION_NUMBER: "The server does not speak TLS at this port: connect without it, or to its TLS port.",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "The server does not speak TLS at this port: connect without it, or to its TLS port.",
};

/** Names and numbers that cannot hold a value. */
const SAFE_NAME = /^[A-Z][A-Z0-9_]{1,63}$/;

/** The name of an error of a connection; null for one without, or with one that could be a text. */
export function connectionErrorName(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && SAFE_NAME.test(code) ? code : null;
}
