import { skipBlanks } from "../chars.ts";
import type { SecretClass } from "../keys.ts";
import { isRandom, isSecretValue } from "../plausible.ts";
import type { SecretKind } from "../policy.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue } from "../values.ts";
import { readKeyBefore } from "./key-reader.ts";

const secret = (kind: SecretKind, strength: SecretClass["strength"]): SecretClass => ({
  role: "secret",
  kind,
  strength,
});
const CODE: SecretClass = secret("otp", "random");

const CHINESE_NOUN =
  /(密码|密碼|口令|动态码|動態碼|验证码|驗證碼|校验码|令牌|权杖|權杖|密钥|密鑰|秘钥|秘鑰|凭证|憑證|授权码|授權碼|期望值|配置值|实际值|当前值|传入值|输入值|提交值|实际配置|进程|進程|主机|主機)(?:已?(?:就是|改为|改成|换成|換成|设成|变更为|更换为|统一为|统一是|默认为|默认是|設為|设为|设置为|重置为|修改为|更新为|应为|實為|实为|是|为|為)了?|内容|值)?(?:\s?(?:\[|【|「|『|“|"|<|\(|（)|[:：=]\s?|\s?(?:->|=>|→|-->)\s?|\s{1,2}|(?=[!-~]))/y;
const CHINESE_CLASSES: readonly (readonly [RegExp, SecretClass])[] = [
  [/^(?:密码|密碼|口令)/, secret("pw", "any")],
  [/^(?:动态码|動態碼|验证码|驗證碼|校验码)/, CODE],
  [/^(?:令牌|权杖|權杖)/, secret("tkn", "token")],
  [/^凭证|^憑證/, secret("cred", "token")],
];

/** A Chinese noun at `at` with a value behind it and no sign between: `令牌是…`, `密码 …`, `动态码490126`. Returns where to go on. */
export function scanChinesePhrase(scan: ScanText, at: number): number {
  const { text } = scan;
  scanStatedElsewhere(scan, at);
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

/** Secrets that do not follow a noun and a sign. */
function scanStatedElsewhere(scan: ScanText, at: number): void {
  switch (scan.text[at]) {
    case "是":
    case "为":
    case "為":
      scanEnglishNoun(scan, at);
      return;
    case "密":
    case "口":
      scanReplaced(scan, at);
      return;
    case "验":
    case "驗":
    case "动":
    case "動":
    case "校":
      scanCodeBefore(scan, at);
      return;
  }
}

/** `AppSecret 是…`, `token为…`: an English key in a Chinese sentence. */
function scanEnglishNoun(scan: ScanText, at: number): void {
  const { text } = scan;
  const name = readKeyBefore(text, at)?.name.replace(/^.*[\u4e00-\u9fff]/, "") ?? "";
  const found = name === "" ? null : scan.keys.classOf(name);
  const value = found?.role === "secret" ? readValue(text, at + 1, PLAIN) : null;
  if (found?.role !== "secret" || value === null || text.charCodeAt(value.start) > 0x7f) return;
  const content = text.slice(value.start, value.end);
  if (/\d/.test(content) && isChineseValue(found, content, "是")) scan.add(value.start, value.end, found.kind);
}

const REPLACED =
  /(?:密码|密碼|口令)已?[由从從]\s?([!-~]{4,64})\s?(?:改为|改成|換成|换成|变更为|變更為|更新为|修改为|更换为)\s?([!-~]{4,64})/y;

/** `密码由 … 改为 …`: the old one and the new one. */
function scanReplaced(scan: ScanText, at: number): void {
  REPLACED.lastIndex = at;
  const found = REPLACED.exec(scan.text);
  if (found === null) return;
  const [whole, old, next] = found as unknown as readonly [string, string, string];
  const from = at + whole.indexOf(old);
  scan.add(from, from + old.length, "pw");
  scan.add(at + whole.length - next.length, at + whole.length, "pw");
}

const CODE_NOUN = /(?:验证|驗證|动态|動態|校验)[码碼]/y;
const CODE_BEFORE = /(?:^|[^\dA-Za-z.:-])(\d{4,8})\s?(?:[（(【]|[是为為](?:您|你|本次))[\u4e00-\u9fff]{0,8}$/;

/** `660182（登录验证码）`, `660182为您的验证码`: a short message that begins with the code. */
function scanCodeBefore(scan: ScanText, at: number): void {
  CODE_NOUN.lastIndex = at;
  if (!CODE_NOUN.test(scan.text)) return;
  const from = Math.max(0, at - 28);
  const found = CODE_BEFORE.exec(scan.text.slice(from, at));
  if (found === null) return;
  const start = from + found.index + found[0].indexOf(found[1] as string);
  scan.add(start, start + (found[1] as string).length, "otp");
}

function closing(text: string, start: number, end: number): number {
  for (let at = start; at < end; at++) if (/[\]】」』”"＞>）)]/.test(text[at] as string) && at > start) return at;
  return end;
}

function isChineseValue(cls: SecretClass, content: string, lead: string): boolean {
  if (!isSecretValue(cls, content, { separator: "=", quoted: false, after: "" })) return false;
  if (cls.kind === "otp") return true;
  const stated = /->|=>|→|是|为|為|成了?\s?$|\[|【|「|『|“|"/.test(lead);
  if (stated) return content.length >= 3 && !/^[A-Z]{2,}\d*$/.test(content);
  return (
    isRandom(content) ||
    (content.length >= 6 && /\d/.test(content) && /[A-Za-z]/.test(content) && /[^A-Za-z0-9]/.test(content))
  );
}
