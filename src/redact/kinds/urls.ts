import { indexWithin, isAlphanumeric, lastIndexWithin } from "../chars.ts";
import { isNoValue, isRandom } from "../plausible.ts";
import type { ScanText } from "../scan-text.ts";
import { isHostName, readHost } from "./hosts.ts";

const MAX_USERINFO = 160;
const MAX_AUTHORITY = MAX_USERINFO + 96;
const AUTHORITY = new RegExp(`[^ \\t\\n\\v\\f\\r"'<>\`;，。；]{1,${MAX_AUTHORITY}}`, "y");

/** `://` was met at `at`: the password in the URL, its host, a webhook's last segment. */
export function scanUrl(scan: ScanText, at: number): void {
  const from = at + 3;
  const hostStart = scanUserinfo(scan, from);
  scanUrlHost(scan, hostStart);
  scanWebhook(scan, from);
}

/** Returns where the host begins. */
function scanUserinfo(scan: ScanText, from: number): number {
  const { text } = scan;
  const end = authorityEnd(text, from);
  const sign = lastAt(text, from, end);
  const colon = indexWithin(text, ":", from, MAX_USERINFO);
  if (sign < 0) {
    scanCutUserinfo(scan, from, end, colon);
    return from;
  }
  if (colon > from - 1 && colon < sign) {
    const password = text.slice(colon + 1, sign);
    if (password !== "" && !isNoValue(password) && !password.startsWith("[[")) scan.add(colon + 1, sign, "pw");
  } else if (isLoneCredential(text.slice(from, sign))) scan.add(from, sign, "tkn");
  return sign + 1;
}

/** Userinfo may hold unescaped signs; it ends at white space, quotes or a bracket, and at a `/` unless an `@` with a host follows. */
function authorityEnd(text: string, from: number): number {
  AUTHORITY.lastIndex = from;
  return AUTHORITY.test(text) ? AUTHORITY.lastIndex : from;
}

/** The `@` that ends the userinfo: the last one before the path, or a later one when only that is followed by a host. */
function lastAt(text: string, from: number, end: number): number {
  const path = indexWithin(text, "/", from, MAX_AUTHORITY);
  const stop = path < 0 || path > end ? end : path;
  const sign = lastIndexWithin(text, "@", stop, stop - from);
  const first = sign >= from && sign - from <= MAX_USERINFO ? sign : -1;
  if (first >= 0 && isAuthority(text, first + 1, end)) return first;
  const later = lastIndexWithin(text, "@", end, end - from);
  return goesOnTo(text, from, stop, path, later) && isAuthority(text, later + 1, end) ? later : first;
}

/** Whether the userinfo may reach behind a `/`: a colon opened a password before it, and no port or query explains the rest. */
function goesOnTo(text: string, from: number, stop: number, path: number, at: number): boolean {
  const colon = indexWithin(text, ":", from, MAX_USERINFO);
  if (at < from || at - from > MAX_USERINFO || colon < 0 || colon > stop) return false;
  return !/^:\d{1,5}(?:[/?#]|$)/.test(text.slice(colon, colon + 7)) && !isQuery(text, from, path, at);
}

/** A host with an optional port, several of them, or a driver's `tcp(…)`. */
function isAuthority(text: string, at: number, end: number): boolean {
  const rest = text.slice(at, Math.min(end, at + 96));
  return /^(?:(?:[A-Za-z0-9][\w.-]{0,80}|\[[\w:.%]{2,60}\]|\[\[[\w:]{3,60}\]\])(?::\d{1,5})?(?:[/?,#;)\]}|\\]|$)|(?:tcp|unix|udp)?\()/.test(
    rest,
  );
}

/** An `@` inside a query string belongs to it. */
function isQuery(text: string, from: number, path: number, at: number): boolean {
  const query = indexWithin(text, "?", from, MAX_AUTHORITY);
  return query >= 0 && query < at && path >= 0 && path < query;
}

/** `mysql://app:secre` at the end of a cut line: no port, so the rest is the password. */
function scanCutUserinfo(scan: ScanText, from: number, end: number, colon: number): void {
  const { text } = scan;
  if (colon < from || colon >= end || !/^[A-Za-z_][\w.-]{0,40}$/.test(text.slice(from, colon))) return;
  const rest = text.slice(colon + 1, end).replace(/(?:\.{3}|…)$/, "");
  const atEnd =
    end >= text.length ||
    /^(?:\s*$|\.{3}|…|\s*\(truncated)/.test(text.slice(end - (end - colon - 1 - rest.length), end + 16));
  if (atEnd && rest.length >= 6 && /^[^/?#]+$/.test(rest) && !/^\d+$/.test(rest) && !/^port\W?$/.test(rest))
    scan.add(colon + 1, colon + 1 + rest.length, "pw");
}

const isLoneCredential = (user: string): boolean =>
  user.length >= 20 && /\d/.test(user) && /[A-Za-z]/.test(user) && /^[\w-]+$/.test(user);

function scanUrlHost(scan: ScanText, start: number): void {
  const { text } = scan;
  const end = readHost(text, start);
  const name = text.slice(start, end);
  if (end > start && isHostName(name, false)) scan.add(start, end, "host");
  else if (/^(?:,|:\d{1,5},)/.test(text.slice(end, end + 7))) scanHostList(scan, end);
}

/** `a:27017,b:27017`: further hosts of a replica set. */
function scanHostList(scan: ScanText, from: number): void {
  const { text } = scan;
  let at = from;
  for (let count = 0; count < 16; count++) {
    const comma = /^(?::\d{1,5})?,/.exec(text.slice(at, at + 7));
    if (comma === null) return;
    const start = at + comma[0].length;
    at = readHost(text, start);
    if (isHostName(text.slice(start, at), false)) scan.add(start, at, "host");
  }
}

const WEBHOOK =
  /^(?:hooks\.slack\.com\/(?:services|workflows)\/[\w/]{1,60}\/|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/\d{1,24}\/|open\.feishu\.cn\/open-apis\/bot\/v2\/hook\/|open\.larksuite\.com\/open-apis\/bot\/v2\/hook\/|[\w.-]{1,80}\.webhook\.office\.com\/webhookb2\/[\w@-]{1,90}\/IncomingWebhook\/\w{1,60}\/|outlook\.office\.com\/webhook\/[\w@-]{1,90}\/IncomingWebhook\/\w{1,60}\/|hooks\.zapier\.com\/hooks\/catch\/\d{1,12}\/|maker\.ifttt\.com\/trigger\/\w{1,60}\/with\/key\/|events\.pagerduty\.com\/integration\/|sctapi\.ftqq\.com\/|api\.day\.app\/|chat\.googleapis\.com\/v1\/spaces\/\w{1,24}\/messages\?key=|[\w.-]{1,80}\/(?:webhooks?|hooks?)\/(?:[\w-]{1,40}\/){0,3})([\w-]{8,200})(?![\w-])/;

function scanWebhook(scan: ScanText, from: number): void {
  const found = WEBHOOK.exec(scan.text.slice(from, from + 320));
  const segment = found?.[1];
  if (found === null || segment === undefined || !/\d/.test(segment) || !/[A-Za-z]/.test(segment)) return;
  const end = from + found[0].length;
  scan.add(end - segment.length, end, "vendor");
}

const DSN =
  /([A-Za-z_][\w.-]{0,40}):([^\s:@/"'<>]{1,128}|[^\s"'<>]{1,128}?)@(?=(?:tcp|unix|udp)?\(|[A-Za-z0-9][\w.-]{0,62}:\d{2,5}(?:\/|\b)|\/\/|(?:\d{1,3}\.){3}\d{1,3}\b|\[\[host:|[A-Za-z0-9][\w-]{0,62}(?:\.[\w-]{1,62}){1,6}\b)/y;

const DSN_STOP = new Uint8Array(128);
for (const mark of " \t\n\r\f\v\"'<>=(,;") DSN_STOP[mark.charCodeAt(0)] = 1;

/** Where the userinfo before the `@` at `at` begins; -1 when no colon stands in it. */
function dsnStart(text: string, at: number): number {
  const stop = Math.max(0, at - 170);
  let start = at;
  let colon = false;
  while (start > stop) {
    const code = text.charCodeAt(start - 1);
    if (code < 128 && DSN_STOP[code] === 1) break;
    if (code === 0x3a) colon = true;
    start--;
  }
  return colon ? start : -1;
}

/** `user:password@tcp(db:3306)/x`, `user:password@host:port`: userinfo without a scheme. `at` is the `@`. */
export function scanDsn(scan: ScanText, at: number): void {
  const { text } = scan;
  const start = dsnStart(text, at);
  if (start < 0) return;
  if (/:\/\/|^jdbc:/.test(text.slice(start, at)) || text[start - 1] === "/") return;
  DSN.lastIndex = start;
  const found = DSN.exec(text);
  if (found === null || start + found[0].length - 1 > at + 128) return;
  const password = found[2] as string;
  const end = start + found[0].length - 1;
  const rest = text.slice(at + 1, at + 80);
  if (/^[A-Za-z0-9][\w.-]*(?![\w.:(/-])/.test(rest) && !/^[\w.-]+:\d/.test(rest) && !isRandom(password)) return;
  if (isNoValue(password) || /^\d{1,5}$/.test(password) || !isAlphanumeric(text.charCodeAt(start))) return;
  scan.add(end - password.length, end, "pw");
}
