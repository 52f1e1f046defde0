import { type Decimal, multiply, parseDecimal } from "./decimal.ts";

/** A unit as a dimension and an exact factor to the smallest unit of it. Values of one dimension compare exactly. */
export interface Unit {
  readonly dimension: string;
  readonly factor: Decimal;
}

const amount = (text: string): Decimal => parseDecimal(text) ?? { digits: 1n, scale: 0 };
const POWERS_OF_1024 = ["1", "1024", "1048576", "1073741824", "1099511627776", "1125899906842624"] as const;

/** Spellings by dimension and factor. Latin spellings of one or two letters are matched in the case given, longer ones in any. */
const TABLE: readonly (readonly [dimension: string, factor: string, spellings: string])[] = [
  ["time", "1", "ns nanosecond nanoseconds nanos 纳秒"],
  ["time", "1e3", "us μs microsecond microseconds micros 微秒"],
  ["time", "1e6", "ms MS msec msecs millis millisecond milliseconds 毫秒"],
  ["time", "1e9", "s S sec secs second seconds 秒 秒钟"],
  ["time", "60e9", "min mins minute minutes 分钟"],
  ["time", "3600e9", "h H hr hrs hour hours 小时 个小时 钟头"],
  ["time", "86400e9", "d day days 天"],
  ["bytes", "1", "B byte bytes 字节"],
  ["bytes", "1e3", "KB kB kilobyte kilobytes 千字节"],
  ["bytes", "1e6", "MB megabyte megabytes 兆字节"],
  ["bytes", "1e9", "GB gigabyte gigabytes 吉字节"],
  ["bytes", "1e12", "TB terabyte terabytes"],
  ["bytes", "1e15", "PB petabyte petabytes"],
  ["bytes", POWERS_OF_1024[1], "KiB Ki kibibyte kibibytes"],
  ["bytes", POWERS_OF_1024[2], "MiB Mi mebibyte mebibytes"],
  ["bytes", POWERS_OF_1024[3], "GiB Gi gibibyte gibibytes"],
  ["bytes", POWERS_OF_1024[4], "TiB Ti tebibyte tebibytes"],
  ["bytes", POWERS_OF_1024[5], "PiB Pi pebibyte pebibytes"],
  ["bit rate", "1", "bps"],
  ["bit rate", "1e3", "kbps kbit/s"],
  ["bit rate", "1e6", "mbps mbit/s"],
  ["bit rate", "1e9", "gbps gbit/s"],
  ["frequency", "1", "Hz"],
  ["frequency", "1e3", "kHz"],
  ["frequency", "1e6", "MHz"],
  ["frequency", "1e9", "GHz"],
  ["rate", "3600", "qps tps rps /s /sec /second 每秒"],
  ["rate", "60", "qpm rpm /min /minute 每分钟"],
  ["rate", "1", "/h /hour 每小时"],
  ["share", "1e-2", "% pct percent per cent 百分比"],
  ["share", "1e-3", "‰"],
  ["temperature", "1", "°C ℃ celsius 摄氏度"],
  ["CNY", "1", "元 块钱 人民币 rmb cny yuan"],
  ["CNY", "1e-2", "角钱"],
  ["USD", "1", "usd $ us$ 美元 美金 dollar dollars"],
  ["EUR", "1", "eur € 欧元 euro euros"],
  ["GBP", "1", "gbp £ 英镑 pound pounds"],
  ["JPY", "1", "jpy 日元 yen 円"],
  ["HKD", "1", "hkd hk$ 港元 港币"],
  ["KRW", "1", "krw ₩ 韩元"],
  ["SGD", "1", "sgd s$ 新加坡元 新元"],
  ["INR", "1", "inr ₹ 卢比"],
  ["yen or yuan", "1", "¥"],
];

const CURRENCIES = new Set(["CNY", "USD", "EUR", "GBP", "JPY", "HKD", "KRW", "SGD", "INR", "yen or yuan"]);

/** Words that multiply the number before them. */
const MULTIPLIERS: readonly (readonly [string, string])[] = [
  ["百万", "1e6"],
  ["千万", "1e7"],
  ["万亿", "1e12"],
  ["万", "1e4"],
  ["亿", "1e8"],
  ["千", "1e3"],
  ["k", "1e3"],
  ["K", "1e3"],
  ["thousand", "1e3"],
  ["million", "1e6"],
  ["billion", "1e9"],
];

const UNITS: ReadonlyMap<string, Unit> = new Map(
  TABLE.flatMap(([dimension, factor, spellings]) =>
    spellings.split(" ").map((word) => [keyOf(word), { dimension, factor: amount(factor) }] as const),
  ),
);
const MULTIPLIER_MAP: ReadonlyMap<string, Decimal> = new Map(
  MULTIPLIERS.map(([word, factor]) => [word, amount(factor)] as const),
);

/** Short Latin spellings differ by case (MB, Mb); long ones do not. */
function keyOf(word: string): string {
  return word.length > 2 && /^[A-Za-z/]+$/.test(word) ? word.toLowerCase() : word;
}

export function findUnit(word: string): Unit | null {
  return UNITS.get(keyOf(word)) ?? UNITS.get(word.toLowerCase()) ?? null;
}

export function isCurrency(unit: Unit): boolean {
  return CURRENCIES.has(unit.dimension);
}

/** The yen sign stands for two currencies; it agrees with either. */
export function sameDimension(a: Unit, b: Unit): boolean {
  const yen = (unit: Unit, other: Unit): boolean =>
    unit.dimension === "yen or yuan" && (other.dimension === "CNY" || other.dimension === "JPY");
  return a.dimension === b.dimension || yen(a, b) || yen(b, a);
}

/** The amount in the smallest unit of its dimension. */
export function inBase(value: Decimal, unit: Unit | null): Decimal {
  return unit === null ? value : multiply(value, unit.factor);
}

const literal = (word: string): string => word.replace(/[$/.*+?^()[\]{}|\\]/g, "\\$&");
const byLength = (a: string, b: string): number => b.length - a.length;
const latin = (word: string): boolean => /[A-Za-z]$/.test(word);

function alternatives(words: readonly string[]): string {
  return [...words]
    .sort(byLength)
    .map((word) => (latin(word) ? `${literal(word)}(?![A-Za-z0-9_])` : literal(word)))
    .join("|");
}

const SPELLINGS = TABLE.flatMap(([, , spellings]) => spellings.split(" "));
const SHORT = SPELLINGS.filter((word) => keyOf(word) === word);
const LONG = SPELLINGS.filter((word) => keyOf(word) !== word || /^[a-z/]{3,}$/.test(word));
const MULTIPLIER = new RegExp(`\\s?(${alternatives(MULTIPLIERS.map(([word]) => word))})`, "y");
const UNIT_SHORT = new RegExp(`[ -]?(${alternatives(SHORT)})`, "y");
const UNIT_LONG = new RegExp(
  `[ -]?(${alternatives([...new Set([...SHORT.filter((w) => w.length > 2), ...LONG])])})`,
  "iy",
);
const RATE = /\s?[A-Za-z\u4e00-\u9fff]{0,12}(\/\s?(?:sec(?:ond)?|s|min(?:ute)?|hour|h)(?![A-Za-z]))/y;
const CURRENCY_BEFORE =
  /(?:^|[^A-Za-z])(US\$|HK\$|S\$|\$|¥|€|£|₩|₹|USD|CNY|RMB|EUR|GBP|JPY|HKD|SGD|INR|KRW|人民币|美元|欧元|日元)\s?[-+]?$/;

/** What stands behind a number: a multiplier, a unit, both or none. `end` is where it ends. */
export interface UnitAfter {
  readonly factor: Decimal | null;
  readonly unit: Unit | null;
  readonly end: number;
}

export function readUnitAfter(text: string, at: number): UnitAfter {
  const multiplier = match(MULTIPLIER, text, at);
  const start = multiplier === null ? at : multiplier.end;
  const found = match(UNIT_SHORT, text, start) ?? match(UNIT_LONG, text, start) ?? match(RATE, text, start);
  return {
    factor:
      multiplier === null
        ? null
        : (MULTIPLIER_MAP.get(multiplier.word) ?? MULTIPLIER_MAP.get(multiplier.word.toLowerCase()) ?? null),
    unit: found === null ? null : findUnit(found.word.replace(/\s/g, "")),
    end: found?.end ?? start,
  };
}

/** The currency that stands directly before a number. */
export function readCurrencyBefore(text: string, at: number): Unit | null {
  const found = CURRENCY_BEFORE.exec(text.slice(Math.max(0, at - 8), at));
  return found === null ? null : findUnit(found[1] ?? "");
}

function match(pattern: RegExp, text: string, at: number): { word: string; end: number } | null {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? null : { word: found[1] ?? "", end: at + found[0].length };
}

/** Words in a column's name that tell its unit, apart from the spellings above. */
const COLUMN_WORDS: ReadonlyMap<string, string> = new Map([
  ["sec", "s"],
  ["secs", "s"],
  ["m", ""],
  ["mi", ""],
  ["kb", "KB"],
  ["mb", "MB"],
  ["gb", "GB"],
  ["tb", "TB"],
  ["b", ""],
  ["kib", "KiB"],
  ["mib", "MiB"],
  ["gib", "GiB"],
  ["d", ""],
  ["percentage", "%"],
  ["rate", ""],
  ["pi", ""],
  ["ti", ""],
  ["k", ""],
]);

/** The unit that a column's name gives its cells: `latency_ms`, `sizeBytes`, `耗时(毫秒)`, `amount_usd`. */
export function unitOfColumn(name: string): Unit | null {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}%$¥€£]+/u)
    .filter((word) => word !== "");
  const last = words.at(-1);
  if (last === undefined || words.length < 2) return last === undefined ? null : unitOfWord(last, true);
  return unitOfWord(last, false) ?? unitOfWord(words[0] ?? "", true);
}

function unitOfWord(word: string, onlyLong: boolean): Unit | null {
  if (onlyLong && word.length < 4 && /^[a-z]+$/.test(word) && !/^[qtr]ps$/.test(word)) return null;
  return findUnit(COLUMN_WORDS.get(word) ?? word);
}
