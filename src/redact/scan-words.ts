import { isAlphanumeric, isBase64, isDigit, isHex, isWord } from "./chars.ts";
import { scanBase64Run, scanHexRun } from "./kinds/encodings.ts";
import { FORM_WORDS, scanForm } from "./kinds/forms.ts";
import { HOST_LEADS, scanHostAfter, scanHostWord } from "./kinds/hosts.ts";
import { scanNameAndValue } from "./kinds/named-values.ts";
import { scanIpv4, scanIpv6, scanMac } from "./kinds/network.ts";
import { scanGrouped, scanPersonNumber } from "./kinds/people.ts";
import { PHRASE_WORDS, scanPhrase } from "./kinds/phrases.ts";
import { scanPuttyKey } from "./kinds/private-keys.ts";
import { scanBotToken, scanSessionName, scanVendorToken } from "./kinds/tokens.ts";
import { scanContainer, scanKlogHeader, scanPod, scanProcess } from "./kinds/workloads.ts";
import type { ScanText } from "./scan-text.ts";
import { SQL_WORDS, scanStatement } from "./sql.ts";
import { SQL_ERROR_WORDS, scanSqlMessage } from "./sql-errors.ts";

type KeywordScanner = (scan: ScanText, start: number, end: number, word: string) => void;

/** What to do at a word, by the word in lower case. */
const KEYWORDS = new Map<string, readonly KeywordScanner[]>();
function at(words: Iterable<string>, scanner: KeywordScanner): void {
  for (const word of words) KEYWORDS.set(word, [...(KEYWORDS.get(word) ?? []), scanner]);
}
at(PHRASE_WORDS, scanPhrase);
at(SQL_WORDS, (scan, start) => scanStatement(scan, start));
at(SQL_ERROR_WORDS, (scan, start, _end, word) => scanSqlMessage(scan, start, word));
at(FORM_WORDS, scanForm);
at(HOST_LEADS, (scan, _start, end, word) => scanHostAfter(scan, end, word));
at(["private"], (scan, start) => scanPuttyKey(scan, start));
at(["session"], (scan, start) => scanSessionName(scan, start));

/** By length, then by first letter: whether any keyword is like that, so that most words are never sliced. */
const KEYWORD_FILTER = new Uint32Array(24);
for (const word of KEYWORDS.keys()) {
  if (word.length < 24)
    KEYWORD_FILTER[word.length] = (KEYWORD_FILTER[word.length] as number) | (1 << (word.charCodeAt(0) - 0x61));
}

/** A run of digits, or one that begins with them: addresses, process ids, numbers of persons, hexadecimal and base64 runs. */
export function scanNumber(scan: ScanText, start: number): number {
  const { text } = scan;
  let end = start + 1;
  while (isDigit(text.charCodeAt(end))) end++;
  const next = text.charCodeAt(end);
  if (isWord(next)) {
    if (end - start === 17) scanPersonNumber(scan, start, end);
    return scanMixed(scan, start);
  }
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
export function scanWord(scan: ScanText, start: number): number {
  const { text } = scan;
  const token = scanVendorToken(scan, start);
  if (token > start) return token;
  const end = wordEnd(text, start);
  const length = end - start;
  if (length < 24 && (((KEYWORD_FILTER[length] as number) >> ((text.charCodeAt(start) | 0x20) - 0x61)) & 1) === 1) {
    scanKeyword(scan, start, end);
  }
  if (length === 5 && isDigit(text.charCodeAt(start + 1))) scanKlogHeader(scan, start);
  if (length >= 6 && text.charCodeAt(end) === 0x20) scanNameAndValue(scan, start, end);
  return scanRun(scan, start, end);
}

function scanKeyword(scan: ScanText, start: number, end: number): void {
  const word = scan.text.slice(start, end).toLowerCase();
  const scanners = KEYWORDS.get(word);
  if (scanners !== undefined) for (const scanner of scanners) scanner(scan, start, end, word);
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
