import type { SqliteValue } from "./database.ts";

type Entry = readonly [string, (...values: readonly (number | string)[]) => SqliteValue | boolean];

const text = (value: number | string | undefined): string => String(value ?? "");
const number = (value: number | string | undefined): number => Number.parseFloat(text(value)) || 0;
const characters = (value: number | string | undefined): readonly string[] => [...text(value)];

/** Texts and numbers as MySQL treats them: characters are code points, positions start at 1. */
export const TEXT_FUNCTIONS: readonly Entry[] = [
  ["UPPER", (value) => text(value).toUpperCase()],
  ["LOWER", (value) => text(value).toLowerCase()],
  ["UCASE", (value) => text(value).toUpperCase()],
  ["LCASE", (value) => text(value).toLowerCase()],
  ["REVERSE", (value) => [...characters(value)].reverse().join("")],
  [
    "LEFT",
    (value, count) =>
      characters(value)
        .slice(0, Math.max(0, number(count)))
        .join(""),
  ],
  ["RIGHT", (value, count) => (number(count) <= 0 ? "" : characters(value).slice(-number(count)).join(""))],
  ["SUBSTRING", substring],
  ["SUBSTR", substring],
  ["MID", substring],
  ["LPAD", (value, length, fill) => pad(value, length, fill) + cut(value, length)],
  ["RPAD", (value, length, fill) => cut(value, length) + pad(value, length, fill)],
  ["REPEAT", (value, count) => text(value).repeat(Math.max(0, Math.min(1_000, number(count))))],
  ["SPACE", (count) => " ".repeat(Math.max(0, Math.min(1_000, number(count))))],
  ["LOCATE", (needle, value, from) => locate(text(needle), text(value), from === undefined ? 1 : number(from))],
  ["SUBSTRING_INDEX", substringIndex],
  ["STRCMP", (a, b) => (text(a) < text(b) ? -1 : Number(text(a) > text(b)))],
  ["FIND_IN_SET", (value, list) => text(list).split(",").indexOf(text(value)) + 1],
  ["FIELD", (value, ...list) => (value === null ? 0 : list.findIndex((item) => text(item) === text(value)) + 1)],
  ["HEX", (value) => (typeof value === "number" ? Math.round(value).toString(16) : hexOf(value)).toUpperCase()],
  ["MOD", (a, b) => (number(b) === 0 ? null : decimal(number(a) % number(b)))],
  ["TRUNCATE", (value, digits) => decimal(Math.trunc(number(value) * 10 ** number(digits)) / 10 ** number(digits))],
  ["SIGNED", signed],
  ["ELT", (place, ...list) => (list[number(place) - 1] === undefined ? null : text(list[number(place) - 1]))],
  ["INSERT", insert],
  ["JSON_LENGTH", (document, path) => jsonLength(text(document), path === undefined ? "$" : text(path))],
];

/** CAST AS SIGNED: numbers are rounded, of a text the digits at its start are taken. */
function signed(value?: number | string): SqliteValue {
  if (typeof value === "number") return Math.sign(value) * Math.round(Math.abs(value));
  return BigInt(/^\s*([+-]?\d{1,18})/.exec(text(value))?.[1] ?? "0");
}

function insert(
  value?: number | string,
  at?: number | string,
  length?: number | string,
  other?: number | string,
): string {
  const all = characters(value);
  const from = number(at) - 1;
  if (from < 0 || from >= all.length) return text(value);
  const behind = number(length) < 0 ? [] : all.slice(from + number(length));
  return all.slice(0, from).join("") + text(other) + behind.join("");
}

/** Binary fractions of a decimal calculation are taken off at the fifteenth digit. */
function decimal(value: number): number {
  return Number(value.toPrecision(15));
}

function hexOf(value: number | string | undefined): string {
  return Buffer.from(text(value), "utf8").toString("hex");
}

function substring(value?: number | string, position?: number | string, length?: number | string): string {
  const all = characters(value);
  const at = number(position);
  const from = at > 0 ? at - 1 : all.length + at;
  if (at === 0 || from < 0) return "";
  return all.slice(from, length === undefined ? undefined : from + Math.max(0, number(length))).join("");
}

function cut(value?: number | string, length?: number | string): string {
  return characters(value)
    .slice(0, Math.max(0, number(length)))
    .join("");
}

function pad(value?: number | string, length?: number | string, fill?: number | string): string {
  const missing = Math.min(1_000, number(length)) - characters(value).length;
  const filling = fill === undefined ? " " : text(fill);
  if (missing <= 0 || filling === "") return "";
  return [...filling.repeat(Math.ceil(missing / [...filling].length))].slice(0, missing).join("");
}

function locate(needle: string, value: string, from: number): number {
  if (from < 1) return 0;
  return value.indexOf(needle, from - 1) + 1;
}

function substringIndex(value?: number | string, separator?: number | string, count?: number | string): string {
  const parts = text(separator) === "" ? [] : text(value).split(text(separator));
  const wanted = Math.trunc(number(count));
  const kept = wanted >= 0 ? parts.slice(0, wanted) : parts.slice(wanted);
  return kept.join(text(separator));
}

/** Members of the value at a path of plain names. */
function jsonLength(document: string, path: string): number | null {
  let value: unknown;
  try {
    value = JSON.parse(document);
  } catch {
    return null;
  }
  for (const [, name = ""] of path.matchAll(/[.[]"?([^".[\]]+)"?\]?/g)) {
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }
  if (value === undefined) return null;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 1;
}
