import { lineEnd, skipBlanks } from "../chars.ts";
import type { SecretClass } from "../keys.ts";
import { isNoValue, isProse, isRandom, isSecretValue } from "../plausible.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue } from "../values.ts";

const LEAD = /[ \t]{0,8}(?:\\{0,32}["']|\[\\{0,32}["']?)?[ \t]?/y;
const SCHEME =
  /(basic|bearer|digest|token|apikey|negotiate|ntlm|aws4-hmac-sha256|aws|oss|hmac|mac|jwt|bot|splunk|cos|sharedkey(?:lite)?|key|signature|bearer%20|basic%20)(?:(?:%20| |\\u0020)\s{0,3}|(?<=%20))/iy;
const CREDENTIAL = /[\w.~+/=:%|!*$@-]{4,4096}/y;

/** The value of an `Authorization` header: scheme and credential, or a bare credential. */
export function scanAuthorization(scan: ScanText, from: number, quotedKey: boolean): void {
  const { text } = scan;
  LEAD.lastIndex = from;
  const at = from + (LEAD.exec(text)?.[0].length ?? 0);
  SCHEME.lastIndex = at;
  const scheme = SCHEME.exec(text);
  if (scheme !== null) {
    scanCredential(scan, at + scheme[0].length, (scheme[1] as string).toLowerCase());
    return;
  }
  const value = readValue(text, from, { ...PLAIN, acrossLines: quotedKey });
  if (value === null) return;
  const content = text.slice(value.start, value.end).replace(/^\[/, "");
  if (isNoValue(content) || isProse(content) || /^[A-Za-z]+$/.test(content)) return;
  if (content.length >= 6 && /\d|[^\w\s]/.test(content)) scan.add(value.end - content.length, value.end, "header");
}

/** What follows the scheme; digest and signing schemes name their parts, of which only the proof is secret. */
function scanCredential(scan: ScanText, at: number, scheme: string): void {
  const { text } = scan;
  if (
    scheme === "digest" ||
    scheme.startsWith("aws4") ||
    scheme === "signature" ||
    /^[A-Za-z]{2,20}="?/.test(text.slice(at, at + 24))
  ) {
    scanNamedParts(scan, at);
    return;
  }
  CREDENTIAL.lastIndex = at;
  const found = CREDENTIAL.exec(text);
  if (found === null || isNoValue(found[0]) || isProse(found[0])) return;
  const content = found[0].replace(/(?:%22|[.:,]|\.{3})+$/, "");
  if (/^[a-z]+$/i.test(content) && content.length < 12) return;
  scan.add(at, at + content.length, "header");
}

const PART = /(response|credential|signature|token|nonce_?key|mac|oauth_signature|oauth_token)="?([^",\s\\]{4,512})/gi;

function scanNamedParts(scan: ScanText, at: number): void {
  const line = scan.text.slice(at, Math.min(lineEnd(scan.text, at), at + 1200));
  for (const part of line.matchAll(PART)) {
    const start = at + part.index + part[0].length - (part[2] as string).length;
    scan.add(start, start + (part[2] as string).length, "header");
  }
}

/** `Digest username="…", …, response="…"` without a header's name before it, or wrapped over lines. */
export function scanDigest(scan: ScanText, wordEnd: number): void {
  if (/^ {1,3}[A-Za-z]{2,20}=/.test(scan.text.slice(wordEnd, wordEnd + 26))) scanNamedParts(scan, wordEnd);
}

/** Parts of a digest's answer, one of which stands near its `response`. */
const DIGEST_PART = /\b(?:nonce|cnonce|realm|qop|nc|digest-uri|opaque)\\{0,8}["']?\s?[=:]/i;

/** Whether `response` at `start` is the proof of a digest: its other parts stand around it. */
export function isDigestResponse(text: string, start: number, end: number): boolean {
  return DIGEST_PART.test(text.slice(Math.max(0, start - 400), start)) || DIGEST_PART.test(text.slice(end, end + 400));
}

/** `Bearer …` and `Basic …` without a header's name before them. */
export function scanScheme(scan: ScanText, wordEnd: number, scheme: "bearer" | "basic"): void {
  const { text } = scan;
  const at = text.startsWith("%20", wordEnd) ? wordEnd + 3 : skipBlanks(text, wordEnd, 2);
  if (at === wordEnd) return;
  CREDENTIAL.lastIndex = at;
  const content = CREDENTIAL.exec(text)?.[0].replace(/[.:,]+$/, "");
  if (content === undefined || content.length < 8 || isNoValue(content) || /^[A-Za-z_]+=[^=]/.test(content)) return;
  if (scheme === "bearer" ? isBearer(content) : isBasic(content)) scan.add(at, at + content.length, "header");
}

const isBearer = (content: string): boolean =>
  isRandom(content) || (content.length >= 16 && /\d/.test(content) && !content.includes("="));

function isBasic(content: string): boolean {
  if (!/^[A-Za-z0-9+/]{6,}={0,2}$/.test(content)) return false;
  const decoded = Buffer.from(content, "base64").toString("latin1");
  return /^[\x20-\x7e\x80-\xff]{1,200}$/.test(decoded) && decoded.includes(":");
}

const COOKIE = /\s*([^=;,\s"'{}]{1,80})=("?)([^;,\s"'\\}\])]{1,4096})/y;
const SESSION_NAME =
  /(?:sess|sid$|^sid|token|auth|csrf|xsrf|jwt|ticket|login|remember|secret|passport|credential|^sso|\.sig$|identity|_key$|apikey)/i;
const PLAIN_NAME =
  /^(?:lang|locale|theme|_ga.*|_gid|tz|timezone|path|domain|expires|max-age|samesite|version|session_?(?:timeout|type|lang))$/i;

/** A `Cookie` or `Set-Cookie` value: the session-like cookies of it, or a lone secret such as Erlang's. */
export function scanCookie(scan: ScanText, from: number): void {
  const { text } = scan;
  LEAD.lastIndex = from;
  let at = from + (LEAD.exec(text)?.[0].length ?? 0);
  let count = 0;
  for (; count < 64; count++) {
    COOKIE.lastIndex = at;
    const cookie = COOKIE.exec(text);
    if (cookie === null) break;
    const [, name = "", , value = ""] = cookie;
    const end = at + cookie[0].length;
    if (isSessionCookie(name, value)) scan.add(end - value.length, end, "sess");
    at = end + (text[end] === '"' ? 1 : 0);
    if (text[at] !== ";") break;
    at++;
  }
  if (count === 0) scanLoneCookie(scan, from);
}

function isSessionCookie(name: string, value: string): boolean {
  if (PLAIN_NAME.test(name) || isNoValue(value)) return false;
  return SESSION_NAME.test(name)
    ? value.length >= 4
    : isRandom(value) && value.length >= 20 && /id$|key|user|^[A-Z_]+$/i.test(name);
}

/** A cookie that is one value without a name. */
export const LONE_COOKIE: SecretClass = { role: "secret", kind: "sess", strength: "token" };

function scanLoneCookie(scan: ScanText, from: number): void {
  const { text } = scan;
  const value = readValue(
    text,
    from,
    /^\s{0,64}["']/.test(text.slice(from, from + 66)) ? { ...PLAIN, acrossLines: true } : PLAIN,
  );
  if (value === null || (value.quote === "" && /[[({]/.test(text[value.start] as string))) return;
  const content = text.slice(value.start, value.end);
  const separator = /=\s*$/.test(text.slice(Math.max(0, from - 3), from)) ? "=" : ":";
  const around = { separator, quoted: value.quote !== "", after: text.slice(value.end, value.end + 48) };
  if (!/^[\w.-]+=/.test(content) && isSecretValue(LONE_COOKIE, content, around))
    scan.add(value.start, value.end, "sess");
}
