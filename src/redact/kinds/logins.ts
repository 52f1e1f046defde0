import { indexWithin } from "../chars.ts";
import { isNoValue, isProse, isRandom } from "../plausible.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue } from "../values.ts";

const IDENTIFIED = / (?:WITH ['"`]?[\w-]{1,40}['"`]? )?(?:BY|AS)(?: PASSWORD| VALUES)? /iy;

/** `IDENTIFIED [WITH plugin] BY '…'` of MySQL and Oracle. */
export function scanIdentified(scan: ScanText, end: number): void {
  IDENTIFIED.lastIndex = end;
  const found = IDENTIFIED.exec(scan.text);
  const value = found === null ? null : readValue(scan.text, end + found[0].length, PLAIN);
  if (value === null || isNoValue(scan.text.slice(value.start, value.end))) return;
  if (value.quote !== "" || /IDENTIFIED$/.test(scan.text.slice(end - 10, end))) scan.add(value.start, value.end, "pw");
}

const SASL = / (?:PLAIN|LOGIN|XOAUTH2|OAUTHBEARER|CRAM-MD5|NTLM)(?: |")(?:=? ?)([A-Za-z0-9+/]{4,2000}={0,2})/y;
const MECHANISM =
  /^(?:PLAIN|LOGIN|CRAM-MD5|DIGEST-MD5|SCRAM-SHA-\d+(?:-PLUS)?|XOAUTH2|OAUTHBEARER|GSSAPI|NTLM|EXTERNAL|TLS|SSL)$/;
const LOGIN = /(?:["'] ["']|["'], ?["']| )([^\s"']{1,80})(?:(?:["'] ["']|["'], ?["']| )([^\s"']{1,256}))?/y;

/** `AUTH PLAIN <base64>` of SMTP and IMAP; `AUTH [user] password` of Redis; `LOGIN user password` of IMAP. */
export function scanLogin(scan: ScanText, start: number, end: number): void {
  const { text } = scan;
  const word = text.slice(start, end);
  if (word !== "AUTH" && word !== "LOGIN" && !(word === "auth" && text[start - 1] === '"')) return;
  if (word !== "LOGIN" && scanSasl(scan, end)) return;
  LOGIN.lastIndex = end;
  const login = LOGIN.exec(text);
  if (
    login === null ||
    isProse(login[1] as string) ||
    MECHANISM.test(login[1] as string) ||
    (login[2] === undefined && word === "LOGIN")
  )
    return;
  const last = (login[2] ?? login[1]) as string;
  if (isNoValue(last) || isProse(last) || !isLoginSecret(text, start, login, last)) return;
  const from = end + login[0].length - last.length;
  scan.add(from, from + last.replace(/[.,;]$/, "").length, "pw");
}

function scanSasl(scan: ScanText, end: number): boolean {
  SASL.lastIndex = end;
  const sasl = SASL.exec(scan.text);
  if (sasl === null) return false;
  const content = sasl[1] as string;
  const decoded = Buffer.from(content, "base64").toString("latin1").slice(0, -1);
  const stop = end + sasl[0].length;
  if (/[:\0]/.test(decoded) || isRandom(content)) scan.add(stop - content.length, stop, "header");
  return true;
}

function isLoginSecret(text: string, start: number, login: RegExpExecArray, last: string): boolean {
  if (/^["']/.test(login[0]) && /["']/.test(text[start - 1] ?? "")) return true;
  if (login[2] !== undefined && /^[A-Za-z]+$/.test(last)) return false;
  return isRandom(last) || (/\d/.test(last) && /[A-Za-z]/.test(last) && last.length >= 6);
}

const SNMP_USER =
  / \S{1,40} (?:MD5|SHA(?:-?\d{3})?) {1,3}(?:"([^"\n]{1,80})"|(\S{1,80}))(?: {1,3}(?:DES|AES(?:-?\d{3})?) {1,3}(?:"([^"\n]{1,80})"|(\S{1,80})))?/y;

/** net-snmp's `createUser name SHA "auth" AES "privacy"`. */
export function scanSnmpUser(scan: ScanText, end: number): void {
  SNMP_USER.lastIndex = end;
  const found = SNMP_USER.exec(scan.text);
  if (found === null) return;
  let from = end;
  for (const content of [found[1] ?? found[2], found[3] ?? found[4]]) {
    if (content === undefined) continue;
    const at = indexWithin(scan.text, content, from + 1, 300);
    scan.add(at, at + content.length, "pw");
    from = at + content.length;
  }
}
