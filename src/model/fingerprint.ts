import { hash } from "node:crypto";

/** A short, stable stand-in for a text: 72 bits of SHA-256, enough to tell apart all that one run can hold. Not a secret-keeping hash. */
export function fingerprint(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 12);
}
