import { lineEnd, skipBlanks } from "../chars.ts";
import type { KeyClass, SecretClass } from "../keys.ts";
import { isSecretValue } from "../plausible.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue, type Value } from "../values.ts";
import { isDigestResponse, LONE_COOKIE, scanAuthorization, scanCookie } from "./headers.ts";
import { scanIdentifierValue } from "./identifier-values.ts";
import { type Key, keyStart, MAX_KEY, readKeyBefore } from "./key-reader.ts";
import { scanSecret } from "./secret-values.ts";

const TWO_WORD_TAIL =
  /^(?:key|keys|code|id|ID|Id|value|string|token|secret|no|number|phrase|Key|Code|ID|Token|Secret|KEY|CODE|word)$/;

/** `Unseal Key 1`, `API key 2`: the words before the number name it. */
function classOfNumbered(scan: ScanText, key: Key): KeyClass | null {
  const words = /(?:^|[^\w])([A-Za-z]{2,20}) ([A-Za-z]{2,20}) $/.exec(
    scan.text.slice(Math.max(0, key.start - 48), key.start),
  );
  const found = words === null ? null : scan.keys.classOf(`${words[1]}_${words[2]}`);
  return found?.role === "secret" ? found : null;
}

/** What the key means; `API key`, `verification code` and `Container ID` are read as one. */
function classOfKey(scan: ScanText, key: Key): KeyClass | null {
  if (/^\d{1,2}$/.test(key.name)) return classOfNumbered(scan, key);
  const alone = scan.keys.classOf(key.name);
  if (key.quote !== "" || !TWO_WORD_TAIL.test(key.name) || scan.text[key.start - 1] !== " ") return alone;
  const start = keyStart(scan.text, key.start - 1);
  if (start >= key.start - 1 || start < key.start - 32 || !/^[A-Za-z_-]+$/.test(scan.text.slice(start, key.start - 1)))
    return alone;
  const both = scan.keys.classOf(`${scan.text.slice(start, key.start - 1)}_${key.name}`);
  return both !== null && both.role !== "name" && both.role !== "value" ? both : alone;
}

/** A separator was met: looks at the key before it and, when that tells something, at the value after it. Returns where to go on. */
export function scanPair(scan: ScanText, at: number, width: number): number {
  const { text } = scan;
  const next = at + width;
  if (at < scan.covered) return next;
  const key = readKeyBefore(scan.text, at);
  if (key === null) return next;
  const found = classOfKey(scan, key) ?? loginParameter(text, key) ?? digestPart(text, key);
  if (found === null) return next;
  if (text[at] === ":" && text.startsWith("://", key.start - 3)) return next;
  if (text[key.start - 1] === ":" && isResourceName(text, key.start)) return next;
  if (key.name.length === 3 && /^key$/i.test(key.name)) rememberName(scan, next);
  scanValueOf(scan, key, found, at, next);
  return next;
}

/** `u=…&p=…`: the short names of a login. */
function loginParameter(text: string, key: Key): KeyClass | null {
  if (key.name !== "p" || text[key.start - 1] !== "&") return null;
  return /[?&]u=[^&\s]{1,60}&$/.test(text.slice(Math.max(0, key.start - 64), key.start))
    ? { role: "secret", kind: "pw", strength: "any" }
    : null;
}

/** `response="…"` among the other parts of a digest. */
function digestPart(text: string, key: Key): KeyClass | null {
  if (key.name.length !== 8 || !/^response$/i.test(key.name) || !isDigestResponse(text, key.start, key.end))
    return null;
  return { role: "secret", kind: "header", strength: "random" };
}

/** `define('DB_PASSWORD', 'x')`, `{password,"x"}`: a key and its value in a list. `at` is the comma. */
export function scanListedPair(scan: ScanText, at: number, next: number = at + 1): void {
  const { text } = scan;
  if (!/["'\w]/.test(text[at - 1] ?? "") || !/["'<]/.test(text[skipBlanks(text, next, 4)] ?? "")) return;
  const key = readKeyBefore(text, at);
  if (key === null || (key.quote === "" && text[key.start - 1] !== "{")) return;
  const known = scan.keys.classOf(key.name);
  if (known?.role === "authorization") scanAuthorization(scan, next, true);
  const found = known?.role === "cookie" ? LONE_COOKIE : known;
  const value = found?.role === "secret" ? readValue(text, next, PLAIN) : null;
  if (
    found?.role === "secret" &&
    value !== null &&
    isListedValue(scan, found, key, text.slice(value.start, value.end))
  ) {
    scan.add(value.start, value.end, found.kind);
  }
}

const STRING_LENGTH = /;s:\d{1,6}:/y;

/** PHP's `s:8:"password";s:4:"…"`. `at` is the semicolon. */
export function scanSerializedPair(scan: ScanText, at: number): void {
  STRING_LENGTH.lastIndex = at;
  if (STRING_LENGTH.test(scan.text)) scanListedPair(scan, at, STRING_LENGTH.lastIndex);
}

/** In a list of names, `'password', 'token'`, the next one is no value. */
function isListedValue(scan: ScanText, found: SecretClass, key: Key, content: string): boolean {
  const isDefinition = /define\(\s?["']$/i.test(scan.text.slice(Math.max(0, key.start - 10), key.start));
  if (!isDefinition && (scan.keys.classOf(content) !== null || !/\d|[^\w\s]/.test(content))) return false;
  return isSecretValue(found, content, { separator: "=", quoted: true, after: "" });
}

/** `arn:aws:secretsmanager:…:secret:name`: the parts of a resource's name are no pairs. */
function isResourceName(text: string, at: number): boolean {
  return /(?:^|[^\w])(?:arn|urn|crn|acs|qcs):\S*$/.test(text.slice(Math.max(0, at - 120), at));
}

function scanValueOf(scan: ScanText, key: Key, found: KeyClass, at: number, from: number): void {
  const { text } = scan;
  switch (found.role) {
    case "authorization":
      scanAuthorization(scan, from, key.quote !== "");
      return;
    case "cookie":
      scanCookie(scan, from);
      return;
    case "name":
      rememberName(scan, from);
      return;
    case "value":
      scanNamed(scan, key, at, from);
      return;
    case "identifier":
      scanIdentifierValue(scan, found.kind, from, {
        key: key.name,
        quote: key.quote,
        separator: text[at] ?? "",
      });
      return;
    case "secret":
      scanSecret(scan, key, found, at, from);
      return;
  }
}

function rememberName(scan: ScanText, from: number): void {
  const value = readValue(scan.text, from, PLAIN);
  if (value === null || value.end - value.start > MAX_KEY) return;
  const found = scan.keys.classOf(scan.text.slice(value.start, value.end));
  scan.named = found === null || found.role === "name" || found.role === "value" ? null : { found, end: value.end };
  if (found?.role === "secret") scanNamedElement(scan, value, found);
}

/** `<entry key="db.password">x</entry>`, and a form part: `name="password"`, an empty line, the value. */
function scanNamedElement(scan: ScanText, name: Value, found: SecretClass): void {
  const { text } = scan;
  const element = /^["']\s*>([^<>]{1,512})</.exec(text.slice(name.end, name.end + 600));
  if (element?.[1] !== undefined) {
    const start = name.end + element[0].length - 1 - element[1].length;
    addPart(scan, start, start + element[1].length, found);
    return;
  }
  const part = /^"(?:; filename="[^"]{0,80}")?\r?\n(?:[A-Z][\w-]{1,40}: [^\r\n]{0,200}\r?\n){0,4}\r?\n/.exec(
    text.slice(name.end, name.end + 900),
  );
  if (part === null) return;
  const start = name.end + part[0].length;
  addPart(scan, start, lineEnd(text, start), found);
}

function addPart(scan: ScanText, start: number, end: number, found: SecretClass): void {
  const value = scan.text.slice(start, end);
  if (isSecretValue(found, value, { separator: "=", quoted: true, after: "" })) scan.add(start, end, found.kind);
}

function scanNamed(scan: ScanText, key: Key, at: number, from: number): void {
  const named = scan.named;
  scan.named = null;
  if (named === null || key.start - named.end > 160 || key.start < named.end) return;
  scanValueOf(scan, key, named.found, at, from);
}
