import { isAlphanumeric, isBase64, isDigit, isHan, isHex, isLetter, isWord } from "./chars.ts";
import { scanFlag, scanOracleLogin } from "./kinds/commands.ts";
import { scanElement } from "./kinds/elements.ts";
import { scanBase64Run, scanHexRun } from "./kinds/encodings.ts";
import { scanHostAfter, scanHostWord, scanSyslogHeader } from "./kinds/hosts.ts";
import { scanIpv4, scanIpv6, scanMac } from "./kinds/network.ts";
import { scanPair } from "./kinds/pairs.ts";
import { scanEmail, scanGrouped, scanPersonNumber } from "./kinds/people.ts";
import { PHRASE_WORDS, scanChinesePhrase, scanPhrase } from "./kinds/phrases.ts";
import { scanPrivateKey, scanPuttyKey } from "./kinds/private-keys.ts";
import {
  scanBotToken,
  scanCryptHash,
  scanEntraSecret,
  scanMarkedHash,
  scanSessionName,
  scanVendorToken,
} from "./kinds/tokens.ts";
import { scanDsn, scanUrl } from "./kinds/urls.ts";
import { scanContainer, scanKlogHeader, scanPod, scanProcess } from "./kinds/workloads.ts";
import type { ScanText } from "./scan-text.ts";
import { SQL_WORDS, scanStatement } from "./sql.ts";
import { SQL_ERROR_WORDS, scanBinlogColumn, scanSqlMessage } from "./sql-errors.ts";

/** Set in `ScanText.escapes`. */
export const ESCAPED = 1;

const KEYWORDS: ReadonlySet<string> = new Set([
  ...PHRASE_WORDS,
  ...SQL_WORDS,
  ...SQL_ERROR_WORDS,
  "private",
  "sess",
  "session",
  "sess_",
]);
/** By length, then by first letter: whether any keyword is like that, so that most words are never sliced. */
const KEYWORD_FILTER = new Uint32Array(16);
for (const word of KEYWORDS) {
  if (word.length < 16)
    KEYWORD_FILTER[word.length] = (KEYWORD_FILTER[word.length] as number) | (1 << (word.charCodeAt(0) - 0x61));
}

/** A fragment of JSON may begin at `at`: returns where it ends, or `at`. */
export type JsonHandler = (scan: ScanText, at: number) => number;

/** One pass over a text: each character that can begin a find is handed to the scanners of that kind. */
export function scanAll(scan: ScanText, json: JsonHandler): void {
  const { text } = scan;
  let at = 0;
  scanLineHeaders(scan, 0);
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isLetter(code)) at = scanWord(scan, at);
    else if (isDigit(code)) at = scanNumber(scan, at);
    else if (code === 0x20) at++;
    else if (code > 0x7f) at = scanWide(scan, at, code);
    else at = scanSign(scan, at, code, json);
  }
}

function scanLineHeaders(scan: ScanText, at: number): void {
  scanSyslogHeader(scan, at);
  scanKlogHeader(scan, at);
}

function scanWide(scan: ScanText, at: number, code: number): number {
  if (isHan(code)) return scanChinesePhrase(scan, at);
  return code === 0xff1a || code === 0xff1d ? scanPair(scan, at, 1) : at + 1;
}

const EQUALS = 0x3d;

function scanSign(scan: ScanText, at: number, code: number, json: JsonHandler): number {
  switch (code) {
    case EQUALS:
      return scanPair(scan, at, scan.text.charCodeAt(at + 1) === 0x3e ? 2 : 1);
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
      scanBinlogColumn(scan, at);
      return at + 1;
    case 0x0a:
      scanLineHeaders(scan, at + 1);
      return at + 1;
    default:
      return scanOtherSign(scan, at, code);
  }
}

function scanOtherSign(scan: ScanText, at: number, code: number): number {
  switch (code) {
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
  if (isDigit(text.charCodeAt(at - 1)) && isDigit(next)) return at + 1;
  return scanPair(scan, at, 1);
}

function scanBracket(scan: ScanText, at: number, code: number, json: JsonHandler): number {
  const placeholder = scan.placeholderEnd(at);
  if (placeholder > at) return placeholder;
  const end = json(scan, at);
  if (end > at) return end;
  return code === 0x7b ? scanMarkedHash(scan, at) : at + 1;
}

function scanDash(scan: ScanText, at: number): number {
  if (scan.text.startsWith("-----BEGIN ", at)) return scanPrivateKey(scan, at);
  scanFlag(scan, at);
  return at + 1;
}

/** A run of digits, or one that begins with them: addresses, process ids, numbers of persons, hexadecimal and base64 runs. */
function scanNumber(scan: ScanText, start: number): number {
  const { text } = scan;
  let end = start + 1;
  while (isDigit(text.charCodeAt(end))) end++;
  const next = text.charCodeAt(end);
  if (isWord(next)) return scanMixed(scan, start);
  if (next === 0x2e && end - start <= 3) {
    const stop = scanIpv4(scan, start);
    if (stop > start) return stop;
  }
  if (next === 0x3a || next === 0x2d) {
    const stop = scanColonRun(scan, start, end);
    if (stop > start) return stop;
  }
  scanDecimal(scan, start, end);
  return end;
}

function scanDecimal(scan: ScanText, start: number, end: number): void {
  const { text } = scan;
  const length = end - start;
  if (length <= 8) scanProcess(scan, start, end);
  if (length >= 11 && length <= 19 && !isWord(text.charCodeAt(start - 1))) scanPersonNumber(scan, start, end);
  const next = text.charCodeAt(end);
  if ((next === 0x20 || next === 0x2d) && length <= 4 && length >= 3 && !isWord(text.charCodeAt(start - 1)))
    scanGrouped(scan, start);
}

/** Digits before a `:` or `-`: a MAC or IPv6 address, a bot's token. */
function scanColonRun(scan: ScanText, start: number, end: number): number {
  const length = end - start;
  if (length >= 8) return scanBotToken(scan, start);
  if (length === 2) {
    const mac = scanMac(scan, start);
    if (mac > start) return mac;
  }
  return length <= 4 && scan.text.charCodeAt(end) === 0x3a ? scanIpv6(scan, start) : start;
}

/** A run that begins with digits and goes on with letters. */
function scanMixed(scan: ScanText, start: number): number {
  const end = wordEnd(scan.text, start);
  return scanRun(scan, start, end);
}

function wordEnd(text: string, start: number): number {
  let end = start + 1;
  while (isWord(text.charCodeAt(end))) end++;
  return end;
}

/** A word: a vendor's token by its prefix, a keyword, a host or pod name, a hexadecimal or base64 run. */
function scanWord(scan: ScanText, start: number): number {
  const { text } = scan;
  const token = scanVendorToken(scan, start);
  if (token > start) return token;
  const end = wordEnd(text, start);
  const length = end - start;
  if (length < 16 && (((KEYWORD_FILTER[length] as number) >> ((text.charCodeAt(start) | 0x20) - 0x61)) & 1) === 1) {
    const stop = scanKeyword(scan, start, end);
    if (stop > end) return stop;
  }
  return scanRun(scan, start, end);
}

function scanKeyword(scan: ScanText, start: number, end: number): number {
  const word = scan.text.slice(start, end).toLowerCase();
  if (!KEYWORDS.has(word)) return end;
  if (PHRASE_WORDS.has(word)) scanPhrase(scan, start, end, word);
  if (SQL_WORDS.has(word)) return scanStatement(scan, start);
  if (SQL_ERROR_WORDS.has(word)) scanSqlMessage(scan, start, word);
  if (word === "private") scanPuttyKey(scan, start);
  if (word === "session") scanSessionName(scan, start);
  return end;
}

/** What a run of letters and digits is part of: an address, a dotted or dashed name, encoded text. */
function scanRun(scan: ScanText, start: number, end: number): number {
  const { text } = scan;
  const next = text.charCodeAt(end);
  const stop = next === 0x3a || next === 0x2d ? scanGroups(scan, start, end, next) : start;
  if (stop > start) return stop;
  const length = end - start;
  if (length >= 12) scanLong(scan, start, end);
  else if (length >= 8 && isBase64(next) && next !== 0x2d) scanBase64Run(scan, start);
  if (text.charCodeAt(start) === 0x73 && text.startsWith("sess", start)) scanSessionName(scan, start);
  scanHostAfter(scan, start);
  const goesOn = (next === 0x2d || next === 0x2e) && isAlphanumeric(text.charCodeAt(end + 1));
  return goesOn ? scanName(scan, start, end) : end;
}

/** A run before a `:` or `-`: pairs of hexadecimal digits, groups of an address, a bot's token. Returns its end, or `start`. */
function scanGroups(scan: ScanText, start: number, end: number, next: number): number {
  const length = end - start;
  if (length <= 4 && isHex(scan.text.charCodeAt(start)))
    return next === 0x3a ? scanHexGroups(scan, start, length) : length === 2 ? scanMac(scan, start) : start;
  return next === 0x3a && length >= 11 && scan.text.startsWith("bot", start)
    ? Math.max(start, scanBotToken(scan, start + 3) === start + 3 ? start : end)
    : start;
}

function scanHexGroups(scan: ScanText, start: number, length: number): number {
  if (length === 2) {
    const mac = scanMac(scan, start);
    if (mac > start) return mac;
  }
  return scanIpv6(scan, start);
}

function scanLong(scan: ScanText, start: number, end: number): void {
  scanContainer(scan, start, end);
  if (end - start < 16) return;
  if (!scanHexRun(scan, start, end)) scanBase64Run(scan, start);
}

/** A name with dashes or dots, looked at as a whole when its first piece is met. */
function scanName(scan: ScanText, start: number, end: number): number {
  const { text } = scan;
  const before = text[start - 1] ?? "";
  if (before === "-" || before === ".") return end;
  let stop = end;
  while (stop - start < 160 && (isWord(text.charCodeAt(stop)) || text[stop] === "-")) stop++;
  if (text.charCodeAt(end) === 0x2d && stop - start > 8) scanPod(scan, start, stop);
  scanHostWord(scan, start);
  return end;
}
