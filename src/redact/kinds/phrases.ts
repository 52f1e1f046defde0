import { skipBlanks } from "../chars.ts";
import type { SecretClass } from "../keys.ts";
import { isNoValue, isProse, isRandom, isSecretValue } from "../plausible.ts";
import type { SecretKind } from "../policy.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue } from "../values.ts";
import { scanScheme } from "./headers.ts";

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
  "identified",
  "auth",
  "createuser",
  "login",
]);

const LINK =
  /(?: (?:(?:was |is |has been )?(?:changed|set|reset|updated) to|is|was|as|of|to|be|value|used|provided|now|with|has value))? {1,3}(?:is |was |now )?(?=[^\s])/y;

/** A word of `PHRASE_WORDS` ends at `end`. */
export function scanPhrase(scan: ScanText, start: number, end: number, word: string): void {
  switch (word) {
    case "bearer":
    case "basic":
      scanScheme(scan, end, word);
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
      if (/(?:api|secret|access|private|license|encryption|signing|master) $/i.test(before(scan, start)))
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
  if (text.charCodeAt(start) === 0x50 && scanSqlPassword(scan, start, end)) return;
  LINK.lastIndex = end;
  const link = LINK.exec(text)?.[0];
  const value = link === undefined || text[start - 1] === "/" ? null : readValue(text, end + link.length, PLAIN);
  if (link === undefined || value === null) return;
  const content = text.slice(value.start, value.end);
  if (isNoValue(content) || /^[A-Za-z_][\w.-]*[=:]/.test(content)) return;
  const noun: Noun = {
    found,
    word: text.slice(start, end),
    isSetting: isSetting(text, start, end),
    isStated: link.trim() !== "",
  };
  if (isProse(content) && !noun.isSetting) return;
  if (isNamedWithout(noun, content, value.quote !== "")) scan.add(value.start, value.end, found.kind);
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
  if (found.kind === "otp")
    return isSecretValue(found, content, { separator: "=", quoted, after: "" }) && /\d{4}/.test(content);
  if ((quoted && word === "PASSWORD") || (isSetting && /^\S{3,}$/.test(content))) return true;
  if (/^(?:[A-Za-z0-9]{1,3}$|[()])/.test(content)) return false;
  if (isHalfMasked(content) || isRandom(content)) return !NO_SECRET.test(content) && !isHexId(content, found);
  return (isStated || quoted) && found.strength === "any" && /^(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])\S{6,}$/.test(content);
}

const NO_SECRET = /^\d{4}-\d\d|^[\w.-]+\/[\w./-]+$|^v?\d+(?:\.\d+)+/;

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

const IDENTIFIED = / (?:WITH ['"`]?[\w-]{1,40}['"`]? )?(?:BY|AS)(?: PASSWORD)? (?=['"])/iy;

/** `IDENTIFIED [WITH plugin] BY '…'` of MySQL and Oracle. */
function scanIdentified(scan: ScanText, end: number): void {
  IDENTIFIED.lastIndex = end;
  const found = IDENTIFIED.exec(scan.text);
  const value = found === null ? null : readValue(scan.text, end + found[0].length, PLAIN);
  if (value !== null && !isNoValue(scan.text.slice(value.start, value.end))) scan.add(value.start, value.end, "pw");
}

const SASL = / (?:PLAIN|LOGIN|XOAUTH2|OAUTHBEARER|CRAM-MD5|NTLM)(?: |")(?:=? ?)([A-Za-z0-9+/]{4,2000}={0,2})/y;
const LOGIN = /(?:["'] ["']|["'], ?["']| )([^\s"']{1,80})(?:(?:["'] ["']|["'], ?["']| )([^\s"']{1,256}))?/y;

/** `AUTH PLAIN <base64>` of SMTP and IMAP; `AUTH [user] password` of Redis; `LOGIN user password` of IMAP. */
function scanLogin(scan: ScanText, start: number, end: number): void {
  const { text } = scan;
  const word = text.slice(start, end);
  if (word !== "AUTH" && word !== "LOGIN" && !(word === "auth" && text[start - 1] === '"')) return;
  if (word !== "LOGIN" && scanSasl(scan, end)) return;
  LOGIN.lastIndex = end;
  const login = LOGIN.exec(text);
  if (login === null || isProse(login[1] as string) || (login[2] === undefined && word === "LOGIN")) return;
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
  if (/["']$/.test(text.slice(start - 1, start))) return true;
  if (login[2] !== undefined && /^[A-Za-z]+$/.test(last)) return false;
  return isRandom(last) || (/\d/.test(last) && /[A-Za-z]/.test(last) && last.length >= 6);
}

const SNMP_USER =
  / \S{1,40} (?:MD5|SHA(?:-?\d{3})?) {1,3}(?:"([^"\n]{1,80})"|(\S{1,80}))(?: {1,3}(?:DES|AES(?:-?\d{3})?) {1,3}(?:"([^"\n]{1,80})"|(\S{1,80})))?/y;

/** net-snmp's `createUser name SHA "auth" AES "privacy"`. */
function scanSnmpUser(scan: ScanText, end: number): void {
  SNMP_USER.lastIndex = end;
  const found = SNMP_USER.exec(scan.text);
  if (found === null) return;
  let from = end;
  for (const content of [found[1] ?? found[2], found[3] ?? found[4]]) {
    if (content === undefined) continue;
    const at = scan.text.indexOf(content, scan.text.indexOf(" ", from + 1));
    scan.add(at, at + content.length, "pw");
    from = at + content.length;
  }
}

const CHINESE_NOUN =
  /(密码|密碼|口令|动态码|動態碼|验证码|驗證碼|校验码|令牌|权杖|權杖|密钥|密鑰|秘钥|秘鑰|凭证|憑證|授权码|授權碼|配置值|实际值|当前值|传入值|实际配置|进程|進程|主机|主機)(?:已?(?:就是|改为|改成|設為|设为|设置为|重置为|修改为|更新为|应为|實為|实为|是|为|為)|内容|值)?(?:\s?(?:\[|【|「|『|“|"|<|\(|（)|[:：=]\s?|\s?(?:->|=>|→|-->)\s?|\s{1,2}|(?=[!-~]))/y;
const CHINESE_CLASSES: readonly (readonly [RegExp, SecretClass])[] = [
  [/^(?:密码|密碼|口令)/, secret("pw", "any")],
  [/^(?:动态码|動態碼|验证码|驗證碼|校验码)/, CODE],
  [/^(?:令牌|权杖|權杖)/, secret("tkn", "token")],
  [/^凭证|^憑證/, secret("cred", "token")],
];

/** A Chinese noun at `at` with a value behind it and no sign between: `令牌是…`, `密码 …`, `动态码490126`. Returns where to go on. */
export function scanChinesePhrase(scan: ScanText, at: number): number {
  const { text } = scan;
  CHINESE_NOUN.lastIndex = at;
  const found = CHINESE_NOUN.exec(text);
  if (found === null) return at + 1;
  const noun = found[1] as string;
  const from = skipBlanks(text, at + found[0].length, 2);
  if (/[:：=]\s?$/.test(found[0]) && found[0].trim() === noun) return at + noun.length;
  if (/^(?:进程|進程|主机|主機)/.test(noun)) return at + noun.length;
  if (/值$|配置$/.test(noun) && !/密[码碼钥鑰]|口令|令牌|秘钥|凭证/.test(text.slice(Math.max(0, at - 40), at)))
    return at + noun.length;
  const value = readValue(text, from, PLAIN);
  if (value === null || /[\u4e00-\u9fff]/.test(text[value.start] ?? "")) return at + noun.length;
  const end = /[[【「『“"<(（]$/.test(found[0]) ? closing(text, value.start, value.end) : value.end;
  const content = text.slice(value.start, end);
  const cls = CHINESE_CLASSES.find(([pattern]) => pattern.test(noun))?.[1] ?? secret("generic", "token");
  if (isChineseValue(cls, content, found[0])) scan.add(value.start, end, cls.kind);
  return at + noun.length;
}

function closing(text: string, start: number, end: number): number {
  for (let at = start; at < end; at++) if (/[\]】」』”"＞>）)]/.test(text[at] as string) && at > start) return at;
  return end;
}

function isChineseValue(cls: SecretClass, content: string, lead: string): boolean {
  if (!isSecretValue(cls, content, { separator: "=", quoted: false, after: "" })) return false;
  if (cls.kind === "otp") return true;
  const stated = /->|=>|→|是|为|為|改成|\[|【|「|『|“|"/.test(lead);
  if (stated) return content.length >= 3 && !/^[A-Z]{2,}\d*$/.test(content);
  return (
    isRandom(content) ||
    (content.length >= 6 && /\d/.test(content) && /[A-Za-z]/.test(content) && /[^A-Za-z0-9]/.test(content))
  );
}
