import { isDigit, isHan, isHex, isLetter } from "./chars.ts";
import { isSentenceMark } from "./folded.ts";
import { scanCall } from "./kinds/calls.ts";
import { scanChinesePhrase } from "./kinds/chinese.ts";
import { scanFlag, scanOracleLogin } from "./kinds/commands.ts";
import { scanElement } from "./kinds/elements.ts";
import { scanNodeHost, scanSyslogHeader } from "./kinds/hosts.ts";
import { scanIpv6 } from "./kinds/network.ts";
import { scanListedPair, scanPair, scanSerializedPair } from "./kinds/pairs.ts";
import { scanEmail } from "./kinds/people.ts";
import { scanPrivateKey } from "./kinds/private-keys.ts";
import { scanCryptHash, scanEntraSecret, scanMarkedHash } from "./kinds/tokens.ts";
import { scanDsn, scanUrl } from "./kinds/urls.ts";
import type { ScanText } from "./scan-text.ts";
import { scanNumber, scanWord } from "./scan-words.ts";
import { scanBinlogColumn } from "./sql-errors.ts";

/** Set in `ScanText.escapes`: escapes of some kind were met. */
export const ESCAPED = 1;
/** Set in `ScanText.escapes`: characters were met that show nothing or stand for plain ones. */
export const MARKED = 2;

/** A fragment of JSON may begin at `at`: returns where it ends, or `at`. */
export type JsonHandler = (scan: ScanText, at: number) => number;

/** One pass over a text: each character that can begin a find is handed to the scanners of that kind. */
export function scanAll(scan: ScanText, json: JsonHandler): void {
  const { text } = scan;
  let at = 0;
  scanSyslogHeader(scan, 0);
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isLetter(code)) at = scanWord(scan, at);
    else if (isDigit(code)) at = scanNumber(scan, at);
    else if (code === 0x20) at++;
    else if (code > 0x7f) at = scanWide(scan, at, code);
    else at = scanSign(scan, at, code, json);
  }
}

function scanWide(scan: ScanText, at: number, code: number): number {
  if (isHan(code)) return scanChinesePhrase(scan, at);
  if (code === 0xff08 || code === 0x3010) scanCall(scan, at);
  if (!isSentenceMark(code)) scan.escapes |= MARKED;
  return code === 0xff1a || code === 0xff1d || code === RIGHT_ARROW ? scanPair(scan, at, 1) : at + 1;
}

const EQUALS = 0x3d;
const RIGHT_ARROW = 0x2192;

function scanSign(scan: ScanText, at: number, code: number, json: JsonHandler): number {
  switch (code) {
    case EQUALS:
      return scanPair(scan, at, signWidth(scan.text, at));
    case 0x3a:
      return scanColon(scan, at);
    case 0x7b:
    case 0x5b:
      return scanBracket(scan, at, code, json);
    case 0x2d:
      return scanDash(scan, at);
    case 0x40:
      scanEmail(scan, at);
      scanDsn(scan, at);
      scanNodeHost(scan, at);
      scanBinlogColumn(scan, at);
      return at + 1;
    case 0x2c:
      scanListedPair(scan, at);
      return at + 1;
    case 0x0a:
      scanSyslogHeader(scan, at + 1);
      return at + 1;
    default:
      return scanOtherSign(scan, at, code);
  }
}

/** `=`, `=>`, `==` and `===`. */
function signWidth(text: string, at: number): number {
  let end = at + 1;
  while (end - at < 3 && text.charCodeAt(end) === EQUALS) end++;
  return text.charCodeAt(end) === 0x3e ? end + 1 - at : end - at;
}

function scanOtherSign(scan: ScanText, at: number, code: number): number {
  switch (code) {
    case 0x28:
      scanCall(scan, at);
      return at + 1;
    case 0x3b:
      scanSerializedPair(scan, at);
      return at + 1;
    case 0x3c:
      scanElement(scan, at);
      return at + 1;
    case 0x24:
      return scanCryptHash(scan, at);
    case 0x2a:
      return scanMarkedHash(scan, at);
    case 0x2f:
      scanOracleLogin(scan, at);
      return at + 1;
    case 0x7e:
      scanEntraSecret(scan, at);
      return at + 1;
    case 0x5c:
    case 0x25:
    case 0x26:
      scan.escapes |= ESCAPED;
      return at + 1;
    default:
      if (code < 0x20 && code !== 0x09 && code !== 0x0d) scan.escapes |= MARKED;
      return at + 1;
  }
}

function scanColon(scan: ScanText, at: number): number {
  const { text } = scan;
  const next = text.charCodeAt(at + 1);
  if (next === 0x2f && text.charCodeAt(at + 2) === 0x2f) {
    scanUrl(scan, at);
    return at + 3;
  }
  if (next === 0x3a) {
    if (!isHex(text.charCodeAt(at - 1))) {
      const end = scanIpv6(scan, at);
      if (end > at) return end;
    }
    return at + 2;
  }
  if (isDigit(next) && isNumberBefore(text, at)) return at + 1;
  return scanPair(scan, at, next === EQUALS ? 2 : 1);
}

/** Whether digits alone stand before a colon, as in a time or a port; `password2:4821` is a pair. */
function isNumberBefore(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start < 12 && isDigit(text.charCodeAt(start - 1))) start--;
  const code = text.charCodeAt(start - 1);
  return start < at && !isLetter(code) && code !== 0x5f;
}

function scanBracket(scan: ScanText, at: number, code: number, json: JsonHandler): number {
  const placeholder = scan.placeholderEnd(at);
  if (placeholder > at) return placeholder;
  const end = json(scan, at);
  if (end > at) return end;
  scanCall(scan, at);
  return code === 0x7b ? scanMarkedHash(scan, at) : at + 1;
}

function scanDash(scan: ScanText, at: number): number {
  if (scan.text.startsWith("-----BEGIN ", at)) return scanPrivateKey(scan, at);
  if (scan.text.charCodeAt(at + 1) === 0x3e) return scanPair(scan, at, 2);
  scanFlag(scan, at);
  return at + 1;
}
