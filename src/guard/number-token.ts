import { absolute, type Decimal, multiply, negate, parseDecimal } from "./decimal.ts";
import { findUnit, isCurrency, readCurrencyBefore, readUnitAfter, type Unit } from "./units.ts";

/** A number as a text writes it. */
export interface NumberToken {
  /** Without its sign. */
  readonly value: Decimal;
  /** `+` or `-` where it is written. */
  readonly sign: "+" | "-" | null;
  readonly unit: Unit | null;
  readonly currency: Unit | null;
  readonly start: number;
  readonly end: number;
}

/** Numbers, and names that hold digits. A part of a name is never a number. */
export interface NumberTokens {
  readonly numbers: readonly NumberToken[];
  readonly names: readonly string[];
}

/** A stretch without a gap that may hold a number; a scan then tells what it is. */
const CHUNK = /[A-Za-z0-9_][A-Za-z0-9_.,:@/\-+]*[A-Za-z0-9_]|[A-Za-z0-9]/g;
const NUMBER = "\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d{1,2})?";
const GROUPED = "\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?";
const PLAIN = new RegExp(`^(${GROUPED}|${NUMBER})([A-Za-z]{1,14})?$`);
const RANGE = new RegExp(`^(${NUMBER})([A-Za-z]{0,12})-(${NUMBER})([A-Za-z]{0,12})$`);
const RATE = new RegExp(`^(${NUMBER})[A-Za-z]{0,12}(/(?:s|sec|second|min|minute|h|hour))$`);
const HYPHENED = new RegExp(`^(${NUMBER})-([A-Za-z]{1,14})$`);
const FRACTION = /^\d+\/\d+$/;
const DURATION = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/;
const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}|^[0-9a-f]{8}-[0-9a-f]{4}-|^(?:[0-9a-f]{2}:){3,}|^0x[0-9a-f]+$|:\/\/|@/i;
const DOTTED_HOST = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+:\d+$|^localhost:\d+$/;
const THOUSANDS = new RegExp(`^${GROUPED}[A-Za-z]*$`);
/** Words of the trade with a digit in them that name no thing of the incident. */
const TERMS =
  /^(?:k8s|http[12]?|h2|oauth2|utf-?8|utf-?16|ipv[46]|log4j2?|slf4j|ec2|s3|md5|sha-?\d+|base64|x86|x64|i18n|l[1-7]|raid\d|2fa)$/i;
const PLAIN_SUFFIX = /^(?:|[xXkK]|st|nd|rd|th)$/;

export function readNumbers(text: string): NumberTokens {
  const numbers: NumberToken[] = [];
  const names: string[] = [];
  for (const found of text.matchAll(CHUNK)) {
    if (/\d/.test(found[0])) readChunk({ text, numbers, names }, found[0], found.index);
  }
  return { numbers: shareUnits(text, numbers), names };
}

interface Scan {
  readonly text: string;
  readonly numbers: NumberToken[];
  readonly names: string[];
}

function readChunk(scan: Scan, chunk: string, at: number): void {
  const path = scan.text[at - 1] === "/" && /[A-Za-z]/.test(chunk) && !/^\d/.test(chunk);
  if (path || ADDRESS.test(chunk) || DOTTED_HOST.test(chunk)) {
    scan.names.push(chunk);
    return;
  }
  let offset = at;
  for (const part of splitChunk(chunk)) {
    if (/\d/.test(part)) readPart(scan, part, offset);
    offset += part.length + 1;
  }
}

/** A comma joins only groups of three; a colon joins nothing but addresses. */
function splitChunk(chunk: string): readonly string[] {
  return chunk.split(":").flatMap((part) => (THOUSANDS.test(part) ? [part] : part.split(",")));
}

function readPart(scan: Scan, part: string, at: number): void {
  const range = RANGE.exec(part);
  if (range !== null && knownSuffix(range[2]) && knownSuffix(range[4])) {
    const second = at + part.length - (range[3] ?? "").length - (range[4] ?? "").length;
    const first = take(scan, range[1] ?? "", at, range[2]);
    const last = take(scan, range[3] ?? "", second, range[4], true);
    scan.numbers.push({ ...first, unit: first.unit ?? last.unit }, last);
    return;
  }
  const duration = DURATION.exec(part);
  if (duration !== null && duration.slice(1).filter((piece) => piece !== undefined).length > 1) {
    scan.numbers.push(durationToken(duration, at, part.length));
    return;
  }
  const rate = RATE.exec(part);
  if (rate !== null) {
    const token = take(scan, rate[1] ?? "", at, "");
    scan.numbers.push({ ...token, unit: findUnit(rate[2] ?? "") });
    return;
  }
  readPlain(scan, part, at);
}

function readPlain(scan: Scan, part: string, at: number): void {
  const plain = PLAIN.exec(part) ?? HYPHENED.exec(part);
  if (plain !== null && knownSuffix(plain[2])) scan.numbers.push(take(scan, plain[1] ?? "", at, plain[2]));
  else if (FRACTION.test(part)) {
    const slash = part.indexOf("/");
    readPlain(scan, part.slice(0, slash), at);
    readPlain(scan, part.slice(slash + 1), at + slash + 1);
  } else if (!TERMS.test(part)) scan.names.push(part);
}

/** A multiple, a thousand, an ordinal or a unit; any other letters make it a name. */
function knownSuffix(suffix = ""): boolean {
  return PLAIN_SUFFIX.test(suffix) || findUnit(suffix) !== null;
}

function take(scan: Scan, numeral: string, at: number, suffix: string | undefined, inRange = false): NumberToken {
  const end = at + numeral.length;
  const plain = parseDecimal(numeral.replaceAll(",", "")) ?? {
    digits: BigInt(numeral.replace(/\D/g, "").slice(0, 400)),
    scale: 0,
  };
  const attached = suffix !== undefined && suffix !== "" && findUnit(suffix) !== null ? findUnit(suffix) : null;
  const after = readUnitAfter(scan.text, end);
  const unit =
    attached ?? after.unit ?? (/百分之\s?$/.test(scan.text.slice(Math.max(0, at - 5), at)) ? findUnit("%") : null);
  const before = readCurrencyBefore(scan.text, at);
  const money = unit !== null && isCurrency(unit);
  return {
    value: after.factor === null ? plain : multiply(plain, after.factor),
    sign: inRange ? null : signBefore(scan.text, at),
    unit: money ? null : unit,
    currency: before ?? (money ? unit : null),
    start: at,
    end: Math.max(end + (suffix ?? "").length, after.end),
  };
}

/** A sign stands directly before its number and directly behind nothing that it could join. */
function signBefore(text: string, at: number): "+" | "-" | null {
  const skipped = /[$¥€£] ?$/.exec(text.slice(Math.max(0, at - 2), at))?.[0].length ?? 0;
  const char = text[at - skipped - 1];
  if (char !== "+" && char !== "-") return null;
  const before = text[at - skipped - 2];
  return before !== undefined && /[A-Za-z0-9)\]}_\u0001+-]/.test(before) ? null : char;
}

function durationToken(found: RegExpExecArray, at: number, length: number): NumberToken {
  const [, hours = "0", minutes = "0", seconds = "0"] = found;
  const whole = parseDecimal(String(Number(hours) * 3600 + Number(minutes) * 60)) as Decimal;
  const rest = parseDecimal(seconds) as Decimal;
  const scale = 10n ** BigInt(rest.scale);
  const value = { digits: whole.digits * scale + rest.digits, scale: rest.scale };
  return { value, sign: null, unit: findUnit("s"), currency: null, start: at, end: at + length };
}

const RANGE_GAP = /^\s?(?:[-–—~～至到]|to|until)\s?$/;
const AND_GAP = /^\s?(?:and|和|与)\s?$/;

/** In a range the unit behind the second number is meant for both. */
function shareUnits(text: string, numbers: readonly NumberToken[]): readonly NumberToken[] {
  return numbers.map((token, i) => {
    const next = numbers[i + 1];
    if (next === undefined || token.unit !== null || next.unit === null) return token;
    const gap = text.slice(token.end, next.start);
    const between =
      AND_GAP.test(gap) && /(?:between|介于|在)\s?$/i.test(text.slice(Math.max(0, token.start - 10), token.start));
    return RANGE_GAP.test(gap) || between ? { ...token, unit: next.unit } : token;
  });
}

/** The number with its sign. */
export function signed(token: NumberToken): Decimal {
  return token.sign === "-" ? negate(token.value) : absolute(token.value);
}
