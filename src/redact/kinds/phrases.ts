import type { SecretClass } from "../keys.ts";
import { isNoValue, isProse, isRandom, isSecretValue } from "../plausible.ts";
import type { SecretKind } from "../policy.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue } from "../values.ts";
import { scanDigest, scanScheme } from "./headers.ts";
import { scanIdentified, scanLogin, scanSnmpUser } from "./logins.ts";
import { isQuotedPhrase, NO_SECRET, PLAIN_SECRET, scanSentence } from "./sentences.ts";

const secret = (kind: SecretKind, strength: SecretClass["strength"]): SecretClass => ({
  role: "secret",
  kind,
  strength,
});

const NOUNS: Readonly<Record<string, SecretClass>> = {
  password: secret("pw", "any"),
  passwd: secret("pw", "any"),
  pwd: secret("pw", "any"),
  passphrase: secret("pw", "any"),
  passcode: secret("pw", "any"),
  pin: secret("pw", "any"),
  pass: secret("pw", "token"),
  pw: secret("pw", "token"),
  token: secret("tkn", "token"),
  secret: secret("generic", "token"),
  credential: secret("cred", "token"),
  credentials: secret("cred", "token"),
  otp: secret("otp", "random"),
  requirepass: secret("pw", "any"),
  masterauth: secret("pw", "any"),
  community: secret("pw", "any"),
  rocommunity: secret("pw", "any"),
  rwcommunity: secret("pw", "any"),
};
const CODE: SecretClass = secret("otp", "random");
const KEY: SecretClass = secret("akey", "token");

/** Lower-case words after which a secret may follow without a sign between. */
export const PHRASE_WORDS: ReadonlySet<string> = new Set([
  ...Object.keys(NOUNS),
  "code",
  "key",
  "bearer",
  "basic",
  "digest",
  "identified",
  "auth",
  "createuser",
  "login",
]);

const LINK =
  /(?: (?:(?:was |is |has been )?(?:changed|set|reset|updated) to:?|is:?|was:?|as|of|to|be|value|used|provided|now|with|has value|[04578](?= \S{4})))? {1,3}(?:is |was |now )?(?=[^\s])/y;
/** `password for user bob: …`, `temporary password is generated for root@localhost: …` */
const FOR = / (?:is generated |was generated |generated )?for (?:user |key |account )?["']?[\w@.-]{0,40}["']?: /y;

/** A word of `PHRASE_WORDS` ends at `end`. */
export function scanPhrase(scan: ScanText, start: number, end: number, word: string): void {
  switch (word) {
    case "bearer":
    case "basic":
      scanScheme(scan, end, word);
      return;
    case "digest":
      scanDigest(scan, end);
      return;
    case "identified":
      scanIdentified(scan, end);
      return;
    case "auth":
    case "login":
      scanLogin(scan, start, end);
      return;
    case "createuser":
      scanSnmpUser(scan, end);
      return;
    case "code":
      if (
        /(?:verification|security|auth(?:entication)?|otp|sms|pin|login|one-time|confirmation|access) $/i.test(
          before(scan, start),
        )
      )
        scanNoun(scan, start, end, CODE);
      return;
    case "key":
      if (
        /^ [057] \S{6}/.test(scan.text.slice(end, end + 10)) ||
        /(?:api|secret|access|private|license|encryption|signing|master)[ -]$/i.test(before(scan, start)) ||
        /^ [^\s*]{5,64}\*{3}/.test(scan.text.slice(end, end + 72))
      )
        scanNoun(scan, start, end, KEY);
      return;
    default:
      scanNoun(scan, start, end, NOUNS[word] as SecretClass);
      return;
  }
}

const before = (scan: ScanText, start: number): string => scan.text.slice(Math.max(0, start - 24), start);

function scanNoun(scan: ScanText, start: number, end: number, found: SecretClass): void {
  const { text } = scan;
  if (scanStored(scan, start, end, found)) return;
  if (text[start - 1] === "/" || scanSqlPassword(scan, start, end) || scanFor(scan, end, found)) return;
  scanSentence(scan, start, end, found);
  LINK.lastIndex = end;
  const link = LINK.exec(text)?.[0];
  const value = link === undefined ? null : readValue(text, end + link.length, PLAIN);
  if (link === undefined || value === null) return;
  const content = text.slice(value.start, value.end);
  const noun: Noun = {
    found,
    word: text.slice(start, end),
    isSetting: / \d $/.test(link) || isSetting(text, start, end),
    isStated: link.trim() !== "" || isStatedBefore(text.slice(Math.max(0, start - 64), start), content),
  };
  if (isNamedWithout(noun, content, value.quote !== "")) scan.add(value.start, value.end, found.kind);
}

const STORE = /(?:^|[\s"'])(?:put|set|setnx|--name)[ =]["']?[\w./:-]{0,80}[/:.-]$/i;
const STORED = /["']?(?: --type \S{1,20})? (?:--value[ =])?/y;

/** `kv put app/db/password x`, `SET app:db:password x`: a store is given a value under a name that ends with the noun. */
function scanStored(scan: ScanText, start: number, end: number, found: SecretClass): boolean {
  const { text } = scan;
  if (!/[/:.-]/.test(text[start - 1] ?? "") || !STORE.test(text.slice(Math.max(0, start - 96), start))) return false;
  STORED.lastIndex = end;
  const value = STORED.test(text) ? readValue(text, STORED.lastIndex, PLAIN) : null;
  const content = value === null ? "" : text.slice(value.start, value.end);
  if (value === null || isNoValue(content) || isProse(content) || !/^[^\s=-]\S{2,}$/.test(content)) return false;
  if (/^[a-z]+$/.test(content) && value.quote === "") return false;
  scan.add(value.start, value.end, found.kind);
  return true;
}

const SQL_PASSWORD = /(?: ?\(\s?| FOR [^\n=;]{1,80}?= ?(?:PASSWORD\()?)(?=['"])/y;

/** `PASSWORD('…')` and `SET PASSWORD FOR user = '…'`. */
function scanSqlPassword(scan: ScanText, start: number, end: number): boolean {
  if (scan.text.slice(start, end) !== "PASSWORD") return false;
  SQL_PASSWORD.lastIndex = end;
  const found = SQL_PASSWORD.exec(scan.text);
  const value = found === null ? null : readValue(scan.text, end + found[0].length, PLAIN);
  if (value === null) return false;
  scan.add(value.start, value.end, "pw");
  return true;
}

function scanFor(scan: ScanText, end: number, found: SecretClass): boolean {
  FOR.lastIndex = end;
  const link = FOR.exec(scan.text)?.[0];
  const value = link === undefined ? null : readValue(scan.text, end + link.length, PLAIN);
  if (link === undefined || value === null) return false;
  const content = scan.text.slice(value.start, value.end);
  const around = { separator: ":", quoted: value.quote !== "", after: scan.text.slice(value.end, value.end + 48) };
  if (isSecretValue(found, content, around) && /[^A-Za-z]/.test(content)) scan.add(value.start, value.end, found.kind);
  return true;
}

/** Behind such words the noun's value follows without a sign: `user admin and password …`, `invalid password …`. */
const LOGIN = /\b(?:user(?:name)?|login|account)[ :=]{1,3}["']?[\w.@-]{1,40}["']?(?:,? and|,? with|,)(?: the)? $/i;
const REFUSED = /\b(?:invalid|wrong|incorrect|bad|temporary|initial|default) $/i;

function isStatedBefore(lead: string, content: string): boolean {
  return LOGIN.test(lead) || (REFUSED.test(lead) && /[^a-z\d]/.test(content));
}

interface Noun {
  readonly found: SecretClass;
  readonly word: string;
  /** A settings file's or command's own form, which takes any value. */
  readonly isSetting: boolean;
  /** `is`, `was` or the like stands between noun and value. */
  readonly isStated: boolean;
}

/** Whether a value without a sign before it is one: SQL and settings take any, sentences only what looks made up. */
function isNamedWithout({ found, word, isSetting, isStated }: Noun, content: string, quoted: boolean): boolean {
  if (isNoValue(content) || NO_VALUE_HERE.test(content)) return false;
  if (isSetting || (quoted && word === "PASSWORD")) return quoted || /^\S{3,}$/.test(content);
  if (found.kind === "otp") return isOtp(found, content);
  if (isStated && isPinOrPhrase(found, word, content, quoted)) return true;
  return !isProse(content) && isMadeUp(found, content, isStated || quoted);
}

const isPinOrPhrase = (found: SecretClass, word: string, content: string, quoted: boolean): boolean =>
  quoted ? isQuotedPhrase(found, content) : /^pin$/i.test(word) && /^\d{4,8}$/.test(content);

function isMadeUp(found: SecretClass, content: string, isStated: boolean): boolean {
  if (isHalfMasked(content) || isRandom(content)) return !NO_SECRET.test(content) && !isHexId(content, found);
  return isStated && found.strength === "any" && PLAIN_SECRET.test(content);
}

/** The next pair of a list, a very short word, a bracket. */
const NO_VALUE_HERE = /^(?:-|[A-Za-z_][\w.-]*[=:][^=]|[A-Za-z0-9]{1,3}$|[()])/;

const isOtp = (found: SecretClass, content: string): boolean =>
  /\d{4}/.test(content) && isSecretValue(found, content, { separator: "=", quoted: true, after: "" });

/** `Token 9b2f1d3`-like numbers of windows and parsers are no credentials; a digest after `token` is. */
const isHexId = (content: string, found: SecretClass): boolean =>
  found.strength === "token" && /^[0-9a-f]{1,15}$/.test(content);

/** `requirepass x`, `snmp-server community x`, netrc's `password x`. */
function isSetting(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end);
  if (/^(?:requirepass|masterauth|rocommunity|rwcommunity)$/i.test(word)) return true;
  const line = text.slice(Math.max(0, start - 60), start);
  return word === "community" ? /snmp-server $/.test(line) : word === "password" && /\blogin \S{1,40} $/.test(line);
}

const isHalfMasked = (content: string): boolean =>
  /^[^*]{5,}\*{2,}$|^\*{2,}[^*]{5,}$|^[^*]{5,}\*{3,}[^*]*$/.test(content);
