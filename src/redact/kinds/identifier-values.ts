import { isAlphanumeric } from "../chars.ts";
import type { IdentifierKind } from "../policy.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue } from "../values.ts";
import { isHostName, readHost } from "./hosts.ts";
import { isBankCard, isIdCard, isPhone } from "./people.ts";

export interface Named {
  readonly key: string;
  readonly quote: string;
  readonly separator: string;
}

/** The value of a key that names an identifier: `host=`, `pid:`, `mobile=`, `卡号`. */
export function scanIdentifierValue(scan: ScanText, kind: IdentifierKind, from: number, named: Named): void {
  if (kind === "host") {
    scanHostValue(scan, from);
    return;
  }
  if (kind === "phone" && scanPhoneValue(scan, from)) return;
  if (kind === "pid") {
    scanPidValue(scan, from, named);
    return;
  }
  const value = readValue(scan.text, from, PLAIN);
  if (value === null) return;
  const content = scan.text.slice(value.start, value.end);
  if (!fitsIdentifier(kind, content)) return;
  const bare = value.quote === "" && named.quote !== "" && /^\d+$/.test(content);
  const scheme = kind === "container" ? content.lastIndexOf("/") + 1 : 0;
  scan.add(value.start + scheme, value.end, kind, bare ? named.quote : undefined);
}

const PHONE = /\s{0,4}["']?((?:\+?\d{1,3}[ -]?)?(?:\(\d{2,4}\)|\d{2,4})(?:[ -]?\d{3,8}){1,3})(?![\w.])/y;

/** A telephone number may hold blanks. */
function scanPhoneValue(scan: ScanText, from: number): boolean {
  PHONE.lastIndex = from;
  const found = PHONE.exec(scan.text);
  const number = found?.[1];
  if (found === null || number === undefined || !number.includes(" ") || !isPhone(number, true)) return false;
  const end = from + found[0].length;
  scan.add(end - number.length, end, "phone");
  return true;
}

/** Whether a whole value is an identifier of the kind its key or column names. */
export function fitsIdentifier(kind: IdentifierKind, content: string): boolean {
  switch (kind) {
    case "host":
      return isHostName(content, true);
    case "pid":
      return /^[1-9]\d{0,7}$/.test(content);
    case "phone":
      return isPhone(content, true);
    case "idcard":
      return isIdCard(content) || /^[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])\d{5}[\dXx]$/.test(content);
    case "bankcard":
      return isBankCard(content);
    case "container":
      return /^(?:[a-z-]+:\/\/)?[0-9a-f]{12,64}$/.test(content);
    default:
      return false;
  }
}

/** One host or several separated by commas, each with an optional port, scheme and prefix. */
function scanHostValue(scan: ScanText, from: number): void {
  const { text } = scan;
  let at = from;
  while (at < text.length && at - from < 16 && /[\s"'[(\\]/.test(text[at] as string) && text[at] !== "\n") at++;
  for (let count = 0; count < 32; count++) {
    const scheme = /^(?:[a-z]{2,10}:\/\/|tcp:)/.exec(text.slice(at, at + 16));
    if (scheme !== null) at += scheme[0].length;
    const end = readHost(text, at);
    if (end === at) return;
    if (isHostName(text.slice(at, end), true) && followsHost(text, end)) scan.add(at, end, "host");
    const port = /^(?::\d{1,5})?,\s?/.exec(text.slice(end, end + 9));
    if (port === null) return;
    at = end + port[0].length;
  }
}

/** A path or a version behind the name says that it is none: `Server: nginx/1.27`. */
function followsHost(text: string, end: number): boolean {
  const next = text[end];
  return !(
    next === "(" ||
    next === "=" ||
    (next === "/" && /\d/.test(text[end + 1] ?? "") && !/^\/\d{1,3}\.\d/.test(text.slice(end, end + 6)))
  );
}

const PID = /[ \t]{0,4}(\[|#|=|"|')?(\d{1,8}|0x[0-9a-fA-F]{2,8})(?![\w.%-])/y;

function scanPidValue(scan: ScanText, from: number, named: Named): void {
  PID.lastIndex = from;
  const found = PID.exec(scan.text);
  if (found === null || isAlphanumeric(scan.text.charCodeAt(PID.lastIndex))) return;
  const number = found[2] as string;
  const end = from + found[0].length;
  if (number === "0") return;
  const bare = named.quote !== "" && found[1] === undefined;
  scan.add(end - number.length, end, "pid", bare ? named.quote : undefined);
}
