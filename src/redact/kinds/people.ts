import { isAlphanumeric, isDigit } from "../chars.ts";
import type { ScanText } from "../scan-text.ts";

const LOCAL = new Uint8Array(128);
for (const mark of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+'-")
  LOCAL[mark.charCodeAt(0)] = 1;
const DOMAIN = /@((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,8}[A-Za-z]{2,24})(?![A-Za-z0-9-])/y;
/** RFC 2606 and 6761: nobody's mailbox. */
const RESERVED = /(?:^|\.)(?:example\.(?:com|org|net|cn)|example|invalid|test|localhost)$/i;
const FILE_LIKE =
  /\.(?:js|ts|mjs|cjs|py|go|rs|java|json|yaml|yml|png|jpg|jpeg|gif|svg|css|md|txt|sh|rb|php|service|socket|timer|so|dll|exe)$/i;

/** An `@` was met: the e-mail address around it. */
export function scanEmail(scan: ScanText, at: number): void {
  const { text } = scan;
  DOMAIN.lastIndex = at;
  const domain = DOMAIN.exec(text)?.[1];
  if (domain === undefined || FILE_LIKE.test(domain)) return;
  let start = at;
  while (start > 0 && at - start < 64 && LOCAL[text.charCodeAt(start - 1)] === 1) start--;
  while (start < at && !isAlphanumeric(text.charCodeAt(start))) start++;
  start = afterEscape(text, start);
  if (text.startsWith("git@", start)) return;
  if (start === at || text[start - 1] === "/" || text[start - 1] === ":") {
    scanMailto(scan, start, at, domain);
    return;
  }
  if (!isDocumentation(text.slice(start, at), domain)) scan.add(start, at + 1 + domain.length, "email");
}

function scanMailto(scan: ScanText, start: number, at: number, domain: string): void {
  const before = scan.text.slice(Math.max(0, start - 12), start);
  if (
    start < at &&
    /(?:mailto|user|email|mail|from|to|cc|login|sender|recipient|rcpt to|邮箱|账号)\s?:$/i.test(before) &&
    !isDocumentation(scan.text.slice(start, at), domain)
  ) {
    scan.add(start, at + 1 + domain.length, "email");
  }
}

/** `\nname@host`: the letter behind a backslash belongs to the escape. */
function afterEscape(text: string, start: number): number {
  return text[start - 1] === "\\" && /[nrt]/.test(text[start] as string) ? start + 1 : start;
}

/** A reserved domain and a plain word before the `@`: a sample. Real test mailboxes carry numbers or tags. */
function isDocumentation(local: string, domain: string): boolean {
  return RESERVED.test(domain) && /^[A-Za-z]+(?:[.-][A-Za-z]+)?$/.test(local);
}

const MOBILE = /^(?:(?:\+|00)?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}$/;
const LANDLINE = /^(?:(?:\+|00)?86[- ]?)?(?:\(0\d{2,3}\)|0\d{2,3})[- ]?[2-9]\d{2,3}[- ]?\d{4}(?:[-转]\d{1,5})?$/;
const INTERNATIONAL = /^\+\d{1,3}[- ]?(?:\(\d{1,4}\)[- ]?)?\d[\d -]{5,13}\d$/;

/** Whether a text is a telephone number; `named` when its key says so. */
export function isPhone(text: string, named: boolean): boolean {
  return (
    MOBILE.test(text) ||
    (named && (LANDLINE.test(text) || INTERNATIONAL.test(text) || /^400[- ]?\d{3}[- ]?\d{4}$/.test(text)))
  );
}

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** Mainland identity card: 18 characters with a check digit (GB 11643), or the older 15. */
export function isIdCard(text: string): boolean {
  if (/^[1-9]\d{7}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}$/.test(text)) return true;
  if (!/^[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]$/.test(text)) return false;
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return "10X98765432"[sum % 11] === (text[17] as string).toUpperCase();
}

/** Card number: 12 to 19 digits, grouped or not, with a Luhn check digit. */
export function isBankCard(text: string): boolean {
  const digits = text.replace(/[ -]/g, "");
  if (!/^\d{14,19}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 0x30;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const PHONE_CONTEXT =
  /(?:phone|mobile|tel|cell|msisdn|sms|callee|caller|dial|call|手机|电话|電話|手機|号码|號碼|短信|联系|聯繫|来电|用户|客户|会员|致电|拨打|向|至|给)\W{0,24}[^\d\n]{0,16}$/i;
const CARD_CONTEXT = /(?:card|pan|卡|账号|帐号|帳號|賬號|账户|帳戶|acct|account)[^\d\n]{0,16}$/i;

/** Words that name a card itself; the check digit of test numbers is often wrong. */
const CARD_NOUN = /(?:bank ?card|card ?(?:no|number)|银行卡号?|銀行卡號?|卡号|卡號)[^\d\n]{0,8}$/i;

/** A run of digits that may belong to a person: mobile number, identity card, card number. Returns its end when it was taken. */
export function scanPersonNumber(scan: ScanText, start: number, end: number): boolean {
  const { text } = scan;
  const length = end - start;
  if (length === 11) return scanMobile(scan, start, end);
  if (length === 13 && text.startsWith("86", start)) return scanMobile(scan, start + 2, end);
  if (length === 17 || length === 18 || length === 15)
    return scanIdCard(scan, start, end) || scanCard(scan, start, end);
  if (length >= 14 && length <= 19) return scanCard(scan, start, end);
  return false;
}

function scanMobile(scan: ScanText, start: number, end: number): boolean {
  const { text } = scan;
  if (text[start] !== "1" || !isPhone(text.slice(start, end), false)) return false;
  if (!PHONE_CONTEXT.test(text.slice(Math.max(0, start - 40), start)) && isMeasured(text, start, end)) return false;
  scan.add(text.startsWith("+86", start - 3) ? start - 3 : start, end, "phone");
  return true;
}

/** Eleven digits behind `offset`, `size=` or `id:`, or before a unit, count something. */
function isMeasured(text: string, start: number, end: number): boolean {
  if (/[.:/_\w-]/.test(text[end] ?? "") && !/[.:]\s|[.:]$/.test(text.slice(end, end + 2))) return true;
  if (/^\s?(?:条|條|行|个|個|次|件|笔|筆|字节|毫秒|rows?\b|records?\b|bytes?\b)/.test(text.slice(end, end + 10)))
    return true;
  const before = text.slice(Math.max(0, start - 28), start);
  if (/[\w.]$/.test(before) && !/[^\x00-\x7f]$/.test(before)) return true;
  return /(?:offset|size|bytes|count|total|seq|lag|epoch|ts|time|id|ids|no|num|rows?|length|port|key|version|position|pos|lsn|cost|memory|mem|len|capacity|free|used|node|block|blk|txn?|index|order|订单号?|流水号?|编号|序号)\W{0,3}$/i.test(
    before,
  );
}

function scanIdCard(scan: ScanText, start: number, end: number): boolean {
  const last = scan.text[end] ?? "";
  const stop =
    end - start === 17 && /[Xx]/.test(last) && !isAlphanumeric(scan.text.charCodeAt(end + 1)) ? end + 1 : end;
  const length = stop - start;
  if (length !== 18 && length !== 15) return false;
  if (!isIdCard(scan.text.slice(start, stop))) return false;
  if (
    length === 15 &&
    !/(?:身份|證件|证件|id_?card|cert)[^\d\n]{0,16}$/i.test(scan.text.slice(Math.max(0, start - 30), start))
  )
    return false;
  scan.add(start, stop, "idcard");
  return true;
}

function scanCard(scan: ScanText, start: number, end: number): boolean {
  const before = scan.text.slice(Math.max(0, start - 30), start);
  if (end - start >= 16 && CARD_NOUN.test(before)) {
    scan.add(start, end, "bankcard");
    return true;
  }
  if (!isBankCard(scan.text.slice(start, end))) return false;
  if (!CARD_CONTEXT.test(before)) return false;
  scan.add(start, end, "bankcard");
  return true;
}

const GROUPED =
  /\d{4}(?:[ -]\d{4}){3}(?:[ -]?\d{1,3})?(?!\d)|\d{3}[ -]\d{4}[ -]\d{4}(?!\d)|0\d{2,3}[ -][2-9]\d{2,3}[ -]?\d{4}(?!\d)/y;

/** Numbers written in groups: `6222 0240 1261 8754`, `138-1234-5678`, `0571-87483633`. */
export function scanGrouped(scan: ScanText, start: number): void {
  GROUPED.lastIndex = start;
  const found = GROUPED.exec(scan.text)?.[0];
  if (found === undefined || isDigit(scan.text.charCodeAt(start + found.length))) return;
  const before = scan.text.slice(Math.max(0, start - 40), start);
  const end = start + found.length;
  if (isBankCard(found) && CARD_CONTEXT.test(before)) scan.add(start, end, "bankcard");
  else if (isPhone(found, true) && PHONE_CONTEXT.test(before)) scan.add(start, end, "phone");
}
