import { BoundaryError } from "./errors.ts";
import type { JsonValue } from "./json.ts";

/** Nesting that is still stored. Deeper input is refused, not cut. */
export const MAX_DEPTH = 128;

/** A backend's answer in the one form it is stored in, and that form's JSON text. */
export interface Canonical {
  readonly value: JsonValue;
  readonly text: string;
  readonly bytes: number;
}

interface Walk {
  readonly maxBytes: number;
  bytes: number;
  readonly above: Set<object>;
}

/**
 * Brings any answer of a backend into plain JSON, once; afterwards it is the same for ever. Dates become ISO 8601 with zone,
 * integers beyond 2^53-1 become strings, bytes become base64, ill-formed text becomes well-formed, absent members stay away.
 * What cannot be kept without loss is refused: cycles, symbols, functions, errors, maps, deep nesting. Stops at `maxBytes` of JSON text.
 */
export function canonical(raw: unknown, maxBytes: number): Canonical {
  if (raw === undefined) throw new BoundaryError("RAW_MISSING");
  const walk: Walk = { maxBytes, bytes: 0, above: new Set() };
  const value = guarded(() => encode(raw, walk, 0));
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text, "utf8");
  if (bytes > maxBytes) throw new BoundaryError("RAW_TOO_LARGE");
  return { value, text, bytes };
}

/** A getter, a proxy or a toJSON of the backend's may throw anything; none of it may leave. */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (BoundaryError.is(error)) throw error;
    throw new BoundaryError("RAW_NOT_SERIALIZABLE");
  }
}

function encode(value: unknown, walk: Walk, depth: number): JsonValue {
  switch (typeof value) {
    case "string":
      return spend(walk, value.isWellFormed() ? value : value.toWellFormed(), value.length + 2);
    case "number":
      return spend(walk, encodeNumber(value), 1);
    case "bigint":
      return spend(walk, encodeInteger(value), 1);
    case "boolean":
      return spend(walk, value, 4);
    case "object":
      return value === null ? spend(walk, null, 4) : encodeObject(value, walk, depth);
    default:
      throw new BoundaryError("RAW_NOT_SERIALIZABLE");
  }
}

/** Counts a lower bound of the text's size, so that a huge answer is refused before it is copied. */
function spend<T>(walk: Walk, value: T, atLeast: number): T {
  walk.bytes += atLeast;
  if (walk.bytes > walk.maxBytes) throw new BoundaryError("RAW_TOO_LARGE");
  return value;
}

/** NaN and the infinities have no JSON; their names are kept rather than turned into null. */
function encodeNumber(value: number): JsonValue {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return BigInt(value).toString();
  return value === 0 ? 0 : value;
}

function encodeInteger(value: bigint): JsonValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

function encodeObject(value: object, walk: Walk, depth: number): JsonValue {
  if (depth >= MAX_DEPTH || walk.above.has(value)) throw new BoundaryError("RAW_NOT_SERIALIZABLE");
  walk.above.add(value);
  const encoded = encodeContainer(value, walk, depth + 1);
  walk.above.delete(value);
  return encoded;
}

function encodeContainer(value: object, walk: Walk, depth: number): JsonValue {
  if (value instanceof Date) return spend(walk, encodeDate(value), 26);
  const bytes = bytesOf(value);
  if (bytes !== null) {
    spend(walk, null, Math.ceil(bytes.byteLength / 3) * 4);
    return bytes.toString("base64");
  }
  if (Array.isArray(value)) return encodeArray(value, walk, depth);
  const toJson = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson === "function") return encode(toJson.call(value), walk, depth);
  // an Error, a RegExp, a Map or a boxed text keeps what it holds out of its members: as members alone it would be empty
  if (Object.prototype.toString.call(value) !== "[object Object]") throw new BoundaryError("RAW_NOT_SERIALIZABLE");
  return encodeMembers(value, walk, depth);
}

function encodeDate(value: Date): string {
  if (Number.isNaN(value.getTime())) throw new BoundaryError("RAW_NOT_SERIALIZABLE");
  return value.toISOString();
}

function bytesOf(value: object): Buffer | null {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  return null;
}

function encodeArray(value: readonly unknown[], walk: Walk, depth: number): JsonValue {
  spend(walk, null, value.length + 1);
  // a hole or undefined in an array keeps its place, as in JSON
  return Array.from(value, (element) => (element === undefined ? null : encode(element, walk, depth)));
}

function encodeMembers(value: object, walk: Walk, depth: number): JsonValue {
  const members: [string, JsonValue][] = [];
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    const name = key.isWellFormed() ? key : key.toWellFormed();
    spend(walk, null, name.length + 4);
    members.push([name, encode(member, walk, depth)]);
  }
  return objectOf(members);
}

/** fromEntries defines members one by one, so `__proto__` is a member like any other; two keys that became equal are a loss. */
function objectOf(members: readonly (readonly [string, JsonValue])[]): JsonValue {
  const object = Object.fromEntries(members);
  if (Object.keys(object).length !== members.length) throw new BoundaryError("RAW_NOT_SERIALIZABLE");
  return object;
}
