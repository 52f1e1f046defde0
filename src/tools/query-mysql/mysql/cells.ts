import type { Cell } from "../executor.ts";
import { dateText, datetimeText, timeText } from "./wire-times.ts";

/** The description of a column as the driver reads it; its row parser follows what stands here. */
export interface MysqlField {
  columnType: number;
  characterSet: number;
  encoding?: string;
  readonly decimals: number;
  extendedFormat?: string | undefined;
}

/** A value of one column as the driver gives it, as a cell. */
export type ReadCell = (value: unknown) => Cell;

const FLOAT = 4;
const DATES: ReadonlySet<number> = new Set([10, 14]);
const DATETIMES: ReadonlySet<number> = new Set([7, 12]);
const TIME = 11;
const JSON_TYPE = 245;
const BLOB = 252;
const VAR_STRING = 253;
/** Dates and times, bits, vectors and geometry: never text, whatever their character set is said to be. */
const BYTES: ReadonlySet<number> = new Set([...DATES, ...DATETIMES, TIME, 16, 242, 255]);
/** Whole numbers, doubles and decimals, which the driver gives without loss. */
const NUMBERS: ReadonlySet<number> = new Set([0, 1, 2, 3, 5, 6, 8, 9, 13, 246]);
const BINARY_CHARACTERS = 63;
const UTF8_CHARACTERS = 45;

/**
 * Makes the driver give bytes for everything that is no number, and says how they become cells: what is not UTF-8 is shown as bytes
 * and not as other characters, a fraction has the digits of its column, and a point is not taken apart.
 */
export function prepareField(field: MysqlField): ReadCell {
  const { columnType, characterSet } = field;
  if (columnType === FLOAT) return (value) => (typeof value === "number" ? shortest(value) : null);
  if (NUMBERS.has(columnType)) return plain;
  field.extendedFormat = undefined;
  if (columnType === JSON_TYPE || (!BYTES.has(columnType) && characterSet !== BINARY_CHARACTERS)) {
    // one character for each byte: most text is ASCII and needs nothing more, and nothing is lost of the other
    Object.assign(field, { columnType: VAR_STRING, characterSet: UTF8_CHARACTERS, encoding: "latin1" });
    return textOf;
  }
  const read = readerOf(field);
  Object.assign(field, { columnType: BLOB, characterSet: BINARY_CHARACTERS });
  return (value) => (Buffer.isBuffer(value) ? read(value) : null);
}

function readerOf({ columnType, decimals }: MysqlField): (bytes: Buffer) => Cell {
  if (DATES.has(columnType)) return dateText;
  if (DATETIMES.has(columnType)) return (bytes) => datetimeText(bytes, decimals);
  return columnType === TIME ? (bytes) => timeText(bytes, decimals) : hexOf;
}

function plain(value: unknown): Cell {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return typeof value === "string" ? value : null;
}

/** The shortest decimal that is the same 32-bit number: the 64-bit one shows digits that nobody stored. */
function shortest(value: number): Cell {
  if (!Number.isFinite(value)) return String(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

const BEYOND_ASCII = /[\u0080-\u00ff]/;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(value: unknown): Cell {
  if (typeof value !== "string" || !BEYOND_ASCII.test(value)) return typeof value === "string" ? value : null;
  const bytes = Buffer.from(value, "latin1");
  const text = bytes.toString();
  return text.includes("\ufffd") ? checkedText(bytes) : text;
}

/** The character that stands for broken bytes can be in a text of its own right. */
function checkedText(bytes: Buffer): Cell {
  try {
    return decoder.decode(bytes);
  } catch {
    return hexOf(bytes);
  }
}

function hexOf(bytes: Buffer): Cell {
  return { hex: bytes.toString("hex") };
}
