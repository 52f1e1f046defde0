import type { Cell } from "../executor.ts";

/** The description of a column as the driver reads it; its row parser follows what stands here. */
export interface MysqlField {
  columnType: number;
  characterSet: number;
  readonly decimals: number;
  extendedFormat?: string | undefined;
}

/** A value of one column as the driver gives it, as a cell. */
export type ReadCell = (value: unknown) => Cell;

const FLOAT = 4;
const TIME = 11;
const DATETIMES: ReadonlySet<number> = new Set([7, 12]);
const BIT = 16;
const JSON_TYPE = 245;
const VECTOR = 242;
const GEOMETRY = 255;
const BLOB = 252;
/** Numbers that have a length of their own on the wire, decimals and dates: the driver gives all of them without loss. */
const PLAIN: ReadonlySet<number> = new Set([0, 1, 2, 3, 5, 6, 8, 9, 10, 13, 14, 246]);
const BINARY_CHARACTERS = 63;
/** More digits than a time can have: the server does not know how many there are. */
const MOST_DECIMALS = 6;

/**
 * Makes the driver give bytes for everything that is text, JSON or binary, and says how they become cells: what is not UTF-8 is
 * shown as bytes and not as other characters, and a point is not taken apart.
 */
export function prepareField(field: MysqlField): ReadCell {
  const { columnType, characterSet, decimals } = field;
  if (columnType === FLOAT) return (value) => (typeof value === "number" ? shortest(value) : null);
  if (columnType === TIME || DATETIMES.has(columnType)) return (value) => withFraction(value, decimals);
  if (PLAIN.has(columnType)) return plain;
  const binary = columnType === BIT || columnType === VECTOR || columnType === GEOMETRY;
  field.columnType = BLOB;
  field.characterSet = BINARY_CHARACTERS;
  field.extendedFormat = undefined;
  const isText = columnType === JSON_TYPE || (!binary && characterSet !== BINARY_CHARACTERS);
  return isText ? textOf : hexOf;
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

/** The driver drops a fraction of zeros; the column has as many digits as it was made with. */
function withFraction(value: unknown, decimals: number): Cell {
  if (typeof value !== "string") return null;
  if (decimals === 0 || decimals > MOST_DECIMALS) return value;
  const [whole = "", fraction = ""] = value.split(".");
  return `${whole}.${fraction.padEnd(decimals, "0")}`;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(value: unknown): Cell {
  if (!Buffer.isBuffer(value)) return null;
  const text = value.toString("utf8");
  return text.includes("\ufffd") ? checkedText(value) : text;
}

/** The character that stands for broken bytes can be in a text of its own right. */
function checkedText(bytes: Buffer): Cell {
  try {
    return decoder.decode(bytes);
  } catch {
    return hexOf(bytes);
  }
}

function hexOf(value: unknown): Cell {
  return Buffer.isBuffer(value) ? { hex: value.toString("hex") } : null;
}
