import type { SecretReference } from "../config/secret-reference.ts";
import { BoundaryError } from "../model/errors.ts";

/** The secret that a configuration refers to. Throws CONFIG_INVALID, naming field and variable, where there is none. */
export function readSecret({ env }: SecretReference, field: string): string {
  const secret = process.env[env];
  if (secret !== undefined && secret !== "") return secret;
  throw new BoundaryError("CONFIG_INVALID", field, `'${field}': the environment variable ${env} is not set.`);
}

/** The URL that a configuration writes or refers to. No error repeats any part of it: it may hold a password. */
export function readUrl(address: string | SecretReference, field: string, schemes: readonly string[]): URL {
  const text = typeof address === "string" ? address : readSecret(address, field);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !schemes.includes(url.protocol) || url.hostname === "") {
    const forms = schemes.map((scheme) => `${scheme}//host:port`).join(" or ");
    throw new BoundaryError("CONFIG_INVALID", field, `'${field}' is no usable URL: write ${forms}.`);
  }
  return url;
}

/** A part of a URL as it was before it was written into one. */
export function decodePart(part: string, field: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new BoundaryError("CONFIG_INVALID", field, `'${field}' holds a % that encodes nothing: write it as %25.`);
  }
}
