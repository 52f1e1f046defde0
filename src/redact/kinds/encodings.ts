import { isBase64 } from "../chars.ts";
import { decodeBase64Text, decodeHexText } from "../encoded.ts";
import { isNoValue, isRandom } from "../plausible.ts";
import type { SecretKind } from "../policy.ts";
import type { ScanText } from "../scan-text.ts";
import { isHexRun } from "./tokens.ts";

const MAX_RUN = 65_536;

/** The run of base64 characters that begins at `start`: held back whole when it is the encoding of a login or of a secret. */
export function scanBase64Run(scan: ScanText, start: number): void {
  const { text } = scan;
  if (start < scan.runEnd) return;
  let end = start;
  const stop = Math.min(text.length, start + MAX_RUN);
  while (end < stop && isBase64(text.charCodeAt(end))) end++;
  while (end < stop && text[end] === "=" && end - start < stop) end++;
  scan.runEnd = end;
  const from = text[start - 1] === "\\" && /[nrt]/.test(text[start] as string) ? start + 1 : start;
  const kind = kindOfDecoded(scan, decodeBase64Text(text.slice(from, end).replace(/=+$/, "")));
  if (kind !== null) scan.add(from, end, kind);
}

/** A run of hexadecimal digits. Returns whether it is one. */
export function scanHexRun(scan: ScanText, start: number, end: number): boolean {
  if (!isHexRun(scan.text, start, end)) return false;
  const kind = kindOfDecoded(scan, decodeHexText(scan.text.slice(start, end)));
  if (kind !== null) scan.add(start, end, kind);
  return true;
}

function kindOfDecoded(scan: ScanText, decoded: string | null): SecretKind | null {
  if (decoded === null) return null;
  return isLogin(decoded) ? "cred" : scan.secretIn(decoded);
}

const LOGIN = /^ ?([A-Za-z0-9._@$+-]{2,64})?[: ]([\x21-\x7e]{5,128})$/;
const ENTITY = /^(?:\d+|[0-9a-f-]{16,}|[A-Z][a-z]+(?::\d+)*|v?\d+(?:\.\d+)+|\d{4}-\d\d.*)$/;

/** `user:password`, or SASL's `\0user\0password`: a name, and a mix of letters, digits and signs behind it. */
function isLogin(decoded: string): boolean {
  const login = LOGIN.exec(decoded);
  const password = login?.[2];
  if (password !== undefined && decoded.includes(" ") && /^[0-9a-f]{32}$/.test(password)) return true;
  if (password === undefined || ENTITY.test(password) || isNoValue(password) || password.startsWith("//")) return false;
  return (
    isRandom(password) ||
    (/\d/.test(password) &&
      /[A-Za-z]/.test(password) &&
      password.length >= 6 &&
      !/^[a-z]+[-_]?\d+$|[/.]/i.test(password))
  );
}
