import { createHash } from "node:crypto";

/** A short, stable stand-in for a text: 72 bits of SHA-256, enough to tell apart all that one run can hold. Not a secret-keeping hash. */
export function fingerprint(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("base64url").slice(0, 12);
}
