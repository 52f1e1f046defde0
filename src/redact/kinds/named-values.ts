import { isNoValue, isRandom, isSecretValue } from "../plausible.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue } from "../values.ts";
import { keyStart } from "./key-reader.ts";
import { NO_SECRET, PLAIN_SECRET } from "./sentences.ts";

/**
 * A compound name that means a secret, a blank, and a value: `aws_secret_access_key wJalr…`, made by a machine, or Gradle's
 * `storePassword "…"`, quoted.
 */
export function scanNameAndValue(scan: ScanText, start: number, end: number): void {
  const { text } = scan;
  if (text.charCodeAt(end + 1) === 0x20) scanColumn(scan, end);
  const quoted = text[end + 1] === '"' || text[end + 1] === "'";
  if (!isCompound(text, start, end, quoted)) return;
  const name = text.slice(start, end);
  const found = scan.keys.classOf(name);
  if (found?.role !== "secret" || (found.strength === "random" && !/key$/i.test(name))) return;
  const value = readValue(text, end, PLAIN);
  if (value !== null && isMadeUp(text.slice(value.start, value.end), quoted))
    scan.add(value.start, value.end, found.kind);
}

/** Words joined by underscores, or by capitals before a quoted value. */
function isCompound(text: string, start: number, end: number, quoted: boolean): boolean {
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5f || (quoted && isUpper(code))) return true;
  }
  return false;
}

function isMadeUp(content: string, quoted: boolean): boolean {
  if (isNoValue(content) || /^[A-Za-z_][\w.-]*[=:][^=]/.test(content)) return false;
  return isRandom(content) || (quoted && PLAIN_SECRET.test(content));
}

const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;
const LAST_COLUMN = / {2,40}(\S{4,256})[ \r]{0,40}(?=\n|$)/y;

/** A name at the start of a line and its value in the second and last column, as `vault kv get` prints them. */
function scanColumn(scan: ScanText, end: number): void {
  const { text } = scan;
  const from = keyStart(text, end);
  if (from > 0 && text[from - 1] !== "\n") return;
  const found = scan.keys.classOf(text.slice(from, end));
  LAST_COLUMN.lastIndex = end;
  const column = found?.role === "secret" ? LAST_COLUMN.exec(text) : null;
  if (column === null || found?.role !== "secret") return;
  const content = column[1] as string;
  if (!/\d/.test(content) || !/[A-Za-z]/.test(content) || NO_SECRET.test(content)) return;
  if (!isSecretValue(found, content, { separator: ":", quoted: false, after: "" })) return;
  const at = end + column[0].indexOf(content);
  scan.add(at, at + content.length, found.kind);
}
