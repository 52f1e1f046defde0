import { isJsonObject, type JsonValue } from "../../model/json.ts";
import { damaged } from "./redis-failure.ts";
import { jsonOf } from "./reply.ts";

/** So many elements of an array share a field. */
const CHUNK = 8;
/** Holds the names of the members in order, and the lengths of those that are arrays. */
const SHAPE = "progress";
/** Field of what is no object, and beginning of the fields of members: `p:2`, of an array `p:2:0`, `p:2:1` and so on. */
const PART = "p";

type Shape = readonly (readonly [name: string, length: number | null])[] | null;
type Part = readonly [field: string, value: JsonValue];
/** A member of the top level with its field. What is no object is one member without a name. */
interface Member {
  readonly name: string | null;
  readonly field: string;
  readonly value: JsonValue;
}

/**
 * Progress grows with a run, and a call changes little of it. It is stored in parts, so that a change sends those alone that
 * differ: members of the top level, and of arrays a few elements at a time. Parts are compared by identity, which a pure
 * function keeps for what it does not touch; a copy is sent once more and does no harm.
 */
export function encodeProgress(progress: JsonValue): string[] {
  const parts = membersOf(progress).flatMap((member) => changedParts(undefined, member));
  return [SHAPE, JSON.stringify(shapeOf(progress)), ...parts.flatMap(textOfPart)];
}

/**
 * The change as the scripts take it: how many arguments set fields, how many name fields to remove (`all`: every other part),
 * then these. `before` is null where it is not known what is stored.
 */
export function encodeProgressChange(before: { readonly progress: JsonValue } | null, next: JsonValue): string[] {
  if (before === null) {
    const set = encodeProgress(next);
    return [String(set.length), "all", ...set];
  }
  const stored = membersOf(before.progress);
  const members = membersOf(next);
  const set = members.flatMap((member, i) => changedParts(stored[i], member)).flatMap(textOfPart);
  set.push(SHAPE, JSON.stringify(shapeOf(next)));
  const gone = stored.flatMap((member, i) => goneFields(member, members[i]));
  return [String(set.length), String(gone.length), ...set, ...gone];
}

export function decodeProgress(fields: ReadonlyMap<string, unknown>): JsonValue {
  const shape = jsonOf(fields.get(SHAPE), "run");
  if (shape === null) return jsonOf(fields.get(PART), "run");
  if (!isShape(shape)) throw damaged("run");
  return Object.fromEntries(shape.map(([name, length], i) => [name, memberOf(fields, `${PART}:${i}`, length)]));
}

function memberOf(fields: ReadonlyMap<string, unknown>, field: string, length: number | null): JsonValue {
  if (length === null) return jsonOf(fields.get(field), "run");
  const elements: JsonValue[] = [];
  while (elements.length < length) {
    const chunk = jsonOf(fields.get(`${field}:${elements.length / CHUNK}`), "run");
    if (!Array.isArray(chunk) || chunk.length !== Math.min(CHUNK, length - elements.length)) throw damaged("run");
    elements.push(...chunk);
  }
  return elements;
}

function isShape(value: JsonValue): value is NonNullable<Shape> & JsonValue {
  return Array.isArray(value) && value.every(isShapeOfMember);
}

function isShapeOfMember(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== "string") return false;
  return value[1] === null || (Number.isSafeInteger(value[1]) && value[1] >= 0);
}

function shapeOf(progress: JsonValue): Shape {
  if (!isJsonObject(progress)) return null;
  return Object.entries(progress).map(([name, value]) => [name, Array.isArray(value) ? value.length : null]);
}

function membersOf(progress: JsonValue): readonly Member[] {
  if (!isJsonObject(progress)) return [{ name: null, field: PART, value: progress }];
  return Object.entries(progress).map(([name, value], i) => ({ name, field: `${PART}:${i}`, value }));
}

/** In how many chunks a member is stored; null where it has the one field. */
function chunksOf({ name, value }: Member): number | null {
  return name !== null && Array.isArray(value) ? Math.ceil(value.length / CHUNK) : null;
}

/** The parts of a member that are not what is stored in its place. */
function changedParts(stored: Member | undefined, { name, field, value }: Member): readonly Part[] {
  const before = stored?.name === name ? stored.value : undefined;
  if (before === value) return [];
  if (name === null || !Array.isArray(value)) return [[field, value]];
  const elements: readonly JsonValue[] = Array.isArray(before) ? before : [];
  const changed: Part[] = [];
  for (let start = 0; start < value.length; start += CHUNK) {
    if (!sameChunk(elements, value, start))
      changed.push([`${field}:${start / CHUNK}`, value.slice(start, start + CHUNK)]);
  }
  return changed;
}

function sameChunk(before: readonly JsonValue[], value: readonly JsonValue[], start: number): boolean {
  const end = Math.min(start + CHUNK, value.length);
  if (Math.min(start + CHUNK, before.length) !== end) return false;
  for (let i = start; i < end; i += 1) if (before[i] !== value[i]) return false;
  return true;
}

/** Fields of a stored member that the one in its place does not overwrite. */
function goneFields(stored: Member, next: Member | undefined): readonly string[] {
  const had = chunksOf(stored);
  const has = next?.field === stored.field ? chunksOf(next) : undefined;
  if (had === null) return has === null ? [] : [stored.field];
  const from = has ?? 0;
  return Array.from({ length: Math.max(0, had - from) }, (_, n) => `${stored.field}:${from + n}`);
}

function textOfPart([field, value]: Part): [string, string] {
  return [field, JSON.stringify(value)];
}
