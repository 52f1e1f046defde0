import { isJsonObject, type JsonValue } from "../../model/json.ts";
import { damaged } from "./redis-failure.ts";
import { jsonOf } from "./reply.ts";

/** So many elements of an array share a field. */
const CHUNK = 8;
/** Holds the names of the members in order, and the lengths of those that are arrays. */
const SHAPE = "progress";
/** Fields with the members themselves: `p:2`, of an array `p:2:0`, `p:2:1` and so on; `p` for what is no object. */
const PART = "p";

type Member = readonly [name: string, length: number | null];
type Part = readonly [field: string, value: JsonValue];

/**
 * Progress grows with a run, and a call changes little of it. It is stored in parts, so that a change sends those alone that
 * differ: members of the top level, and of arrays a few elements at a time. Parts are compared by identity, which a pure
 * function keeps for what it does not touch; a copy is sent once more and does no harm.
 */
export function encodeProgress(progress: JsonValue): string[] {
  return [SHAPE, JSON.stringify(shapeOf(progress)), ...partsOf(progress).flatMap(textOfPart)];
}

/**
 * The change as the scripts take it: how many arguments set fields, how many name fields to remove (`all`: every part), then
 * these. `before` is null where it is not known what is stored.
 */
export function encodeProgressChange(before: { readonly progress: JsonValue } | null, next: JsonValue): string[] {
  if (before === null) {
    const set = encodeProgress(next);
    return [String(set.length), "all", ...set];
  }
  const stored = new Map(partsOf(before.progress));
  const parts = partsOf(next);
  const set = parts.filter(([field, value]) => !samePart(stored.get(field), value)).flatMap(textOfPart);
  for (const [field] of parts) stored.delete(field);
  set.push(SHAPE, JSON.stringify(shapeOf(next)));
  return [String(set.length), String(stored.size), ...set, ...stored.keys()];
}

export function decodeProgress(fields: ReadonlyMap<string, unknown>): JsonValue {
  const shape = jsonOf(fields.get(SHAPE), "run");
  if (shape === null) return jsonOf(fields.get(PART), "run");
  if (!Array.isArray(shape) || !shape.every(isMember)) throw damaged("run");
  const members = (shape as readonly Member[]).map(([name, length], i) => [name, memberOf(fields, i, length)] as const);
  return Object.fromEntries(members);
}

function memberOf(fields: ReadonlyMap<string, unknown>, i: number, length: number | null): JsonValue {
  if (length === null) return jsonOf(fields.get(`${PART}:${i}`), "run");
  const elements: JsonValue[] = [];
  for (let chunk = 0; elements.length < length; chunk += 1) {
    const some = jsonOf(fields.get(`${PART}:${i}:${chunk}`), "run");
    if (!Array.isArray(some) || some.length === 0) throw damaged("run");
    elements.push(...some);
  }
  if (elements.length !== length) throw damaged("run");
  return elements;
}

function isMember(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== "string") return false;
  return value[1] === null || (Number.isSafeInteger(value[1]) && value[1] >= 0);
}

function shapeOf(progress: JsonValue): readonly Member[] | null {
  if (!isJsonObject(progress)) return null;
  return Object.entries(progress).map(([name, value]) => [name, Array.isArray(value) ? value.length : null]);
}

function partsOf(progress: JsonValue): readonly Part[] {
  if (!isJsonObject(progress)) return [[PART, progress]];
  return Object.values(progress).flatMap((value, i): readonly Part[] =>
    Array.isArray(value) ? chunksOf(`${PART}:${i}`, value) : [[`${PART}:${i}`, value]],
  );
}

function chunksOf(field: string, elements: readonly JsonValue[]): readonly Part[] {
  const count = Math.ceil(elements.length / CHUNK);
  return Array.from({ length: count }, (_, n) => [`${field}:${n}`, elements.slice(n * CHUNK, (n + 1) * CHUNK)]);
}

function textOfPart([field, value]: Part): [string, string] {
  return [field, JSON.stringify(value)];
}

/** Chunks are slices made for comparing: of them the elements count. */
function samePart(stored: JsonValue | undefined, value: JsonValue): boolean {
  if (stored === value) return true;
  if (!Array.isArray(stored) || !Array.isArray(value) || stored.length !== value.length) return false;
  return stored.every((element, i) => element === value[i]);
}
