import { isAlphanumeric, isHex } from "../chars.ts";
import type { ScanText } from "../scan-text.ts";
import { shapesOf, type TokenShape } from "../vendor.ts";

/** A word begins at `at`: a vendor's token by its prefix. Returns its end, or `at`. */
export function scanVendorToken(scan: ScanText, at: number): number {
  const { text } = scan;
  const shapes = shapesOf(text.charCodeAt(at), text.charCodeAt(at + 1));
  if (shapes === undefined) return at;
  for (const shape of shapes) {
    if (!text.startsWith(shape.prefix, at)) continue;
    const end = tokenEnd(text, at, shape);
    if (end === at) continue;
    scan.add(at, end, shape.kind);
    return end;
  }
  return at;
}

function tokenEnd(text: string, at: number, shape: TokenShape): number {
  shape.pattern.lastIndex = at;
  const found = shape.pattern.exec(text);
  if (found === null) return cutTokenEnd(text, at, shape);
  const content = found[0].replace(/[.:-]+$/, "");
  return isWords(content, shape.prefix) || (shape.kind === "jwt" && !isJwt(content)) ? at : at + content.length;
}

const CUT_TOKEN = /([A-Za-z0-9_-]{4,64})(?:\.{3}|…)?$/y;

/** A token that the end of the text cut short: a telling prefix and a few characters. */
function cutTokenEnd(text: string, at: number, { prefix }: TokenShape): number {
  if (prefix.length < 4 || !/[_-]$/.test(prefix) || prefix === "secret_" || text.length - at > 80) return at;
  CUT_TOKEN.lastIndex = at + prefix.length;
  const rest = CUT_TOKEN.exec(text)?.[1];
  return rest !== undefined && /\d|[a-z][A-Z]/.test(rest) ? at + prefix.length + rest.length : at;
}

/** `sk-live-checkout-service-account` is a name: lower-case words and dashes. */
function isWords(content: string, prefix: string): boolean {
  const body = content.slice(prefix.length);
  return /^[a-z]+(?:[-_.][a-z]+)*\d{0,2}$/.test(body);
}

/** The head of a JWT is a JSON object. */
function isJwt(content: string): boolean {
  const head = Buffer.from(content.split(".", 1)[0] as string, "base64url").toString("latin1");
  return /^\{\s*"/.test(head);
}

const HASHES =
  /\$(?:2[abxy]?\$\d\d\$[./A-Za-z0-9]{16,53}|argon2(?:id|i|d)\$[^\s"',;<>]{16,200}|(?:[156y]|sha1|md5|apr1|P|H|S|gy|7|pbkdf2(?:-sha\d+)?|scrypt|bcrypt-sha256)\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,64}(?:\$[./A-Za-z0-9+=]{8,128}){1,2})/y;

/** A `$`: crypt(3) forms such as `$2a$10$…` and `$argon2id$…`. */
export function scanCryptHash(scan: ScanText, at: number): number {
  HASHES.lastIndex = at;
  const found = HASHES.exec(scan.text);
  if (found === null) return at + 1;
  scan.add(at, at + found[0].length, "hash");
  return at + found[0].length;
}

const MYSQL_HASH = /\*[0-9A-F]{40}(?![0-9A-Za-z])/y;
const LDAP_HASH = /\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT|PBKDF2(?:-SHA\d+)?|bcrypt|noop)\}[A-Za-z0-9+/=$.]{12,200}/y;

/** `*` and 40 upper-case hexadecimal digits: MySQL's native password hash; `{SSHA}…`: LDAP's. */
export function scanMarkedHash(scan: ScanText, at: number): number {
  const pattern = scan.text[at] === "*" ? MYSQL_HASH : LDAP_HASH;
  pattern.lastIndex = at;
  const found = pattern.exec(scan.text);
  if (found === null) return at + 1;
  scan.add(at, at + found[0].length, "hash");
  return at + found[0].length;
}

const TELEGRAM = /\d{8,10}:AA[A-Za-z0-9_-]{20,36}(?![A-Za-z0-9_-])/y;

/** A Telegram bot token (core.telegram.org/bots/api): digits, a colon and 35 characters. */
export function scanBotToken(scan: ScanText, at: number): number {
  TELEGRAM.lastIndex = at;
  const found = TELEGRAM.exec(scan.text);
  if (found === null) return at;
  scan.add(at, at + found[0].length, "vendor");
  return at + found[0].length;
}

const ENTRA = /[A-Za-z0-9_.~-]{3}[78]Q~[A-Za-z0-9_.~-]{20,40}/y;

/** A client secret of Microsoft Entra (learn.microsoft.com). `at` is the `~`. */
export function scanEntraSecret(scan: ScanText, at: number): void {
  if (at < 5) return;
  ENTRA.lastIndex = at - 5;
  const found = ENTRA.exec(scan.text);
  if (found !== null && !isAlphanumeric(scan.text.charCodeAt(at - 6)))
    scan.add(at - 5, at - 5 + found[0].length, "vendor");
}

const SESSION_FILE =
  /(?:sess_|session[/:_-]|spring:session:sessions:(?:expires:)?|connect\.sid=s(?:%3A|:)|sess:)([A-Za-z0-9-]{20,64})(?![A-Za-z0-9-])/y;

/** A session's id in a file name or a Redis key: `sess_2x3su9…`, `spring:session:sessions:…`. */
export function scanSessionName(scan: ScanText, at: number): void {
  SESSION_FILE.lastIndex = at;
  const found = SESSION_FILE.exec(scan.text);
  const id = found?.[1];
  if (found === null || id === undefined || !/\d/.test(id) || !/[a-zA-Z]/.test(id)) return;
  const end = at + found[0].length;
  scan.add(end - id.length, end, "sess");
}

/** Whether a run is nothing but hexadecimal digits: ids, digests and checksums, which stay. */
export function isHexRun(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isHex(text.charCodeAt(at))) return false;
  return true;
}
