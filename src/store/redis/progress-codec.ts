import { isJsonObject, type JsonValue } from "../../model/json.ts";
import { damaged } from "./redis-failure.ts";
import { countOf, jsonOf } from "./reply.ts";

/** So many small elements of an array share a field; of objects each has its own. */
const CHUNK = 8;
/** Holds the names of the members in order, and which of them are arrays. */
const SHAPE = "progress";
/**
 * Field of what is no object, and beginning of the fields of members: `p:2`, which for an array holds its length, and `p:2:0`,
 * `p:2:1` and so on for its elements.
 */
const PART = "p";

type Shape = readonly (readonly [name: string, isArray: boolean])[] | null;
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
  const fields = [SHAPE, shapeText(membersOf(progress))];
  for (const member of membersOf(progress)) pushChanges(fields, undefined, member);
  return fields;
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
  const set = sameShape(stored, members) ? [] : [SHAPE, shapeText(members)];
  for (const [i, member] of members.entries()) pushChanges(set, stored[i], member);
  const gone = stored.flatMap((member, i) => goneFields(member, members[i]));
  return [String(set.length), String(gone.length), ...set, ...gone];
}

export function decodeProgress(fields: ReadonlyMap<string, unknown>): JsonValue {
  const shape = jsonOf(fields.get(SHAPE), "run");
  if (shape === null) return jsonOf(fields.get(PART), "run");
  if (!isShape(shape)) throw damaged("run");
  return Object.fromEntries(shape.map(([name, isArray], i) => [name, memberOf(fields, `${PART}:${i}`, isArray)]));
}

function memberOf(fields: ReadonlyMap<string, unknown>, field: string, isArray: boolean): JsonValue {
  if (!isArray) return jsonOf(fields.get(field), "run");
  const length = countOf(fields.get(field), "run");
  const elements: JsonValue[] = [];
  for (let n = 0; elements.length < length; n += 1) {
    const chunk = jsonOf(fields.get(`${field}:${n}`), "run");
    if (!Array.isArray(chunk)) throw damaged("run");
    const size = chunkSize(n === 0 ? chunk : elements);
    if (chunk.length !== Math.min(size, length - elements.length)) throw damaged("run");
    elements.push(...chunk);
  }
  return elements;
}

function isShape(value: JsonValue): value is NonNullable<Shape> & JsonValue {
  return Array.isArray(value) && value.every(isShapeOfMember);
}

function isShapeOfMember(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && typeof value[1] === "boolean";
}

function shapeText(members: readonly Member[]): string {
  const shape: Shape = members.some(({ name }) => name === null)
    ? null
    : members.map(({ name, value }) => [name ?? "", Array.isArray(value)]);
  return JSON.stringify(shape);
}

function sameShape(stored: readonly Member[], next: readonly Member[]): boolean {
  return stored.length === next.length && stored.every((member, i) => isSameMember(member, next[i]));
}

function isSameMember(one: Member, other: Member | undefined): boolean {
  return one.name === other?.name && Array.isArray(one.value) === Array.isArray(other.value);
}

function membersOf(progress: JsonValue): readonly Member[] {
  if (!isJsonObject(progress)) return [{ name: null, field: PART, value: progress }];
  return Object.keys(progress).map((name, i) => ({ name, field: `${PART}:${i}`, value: progress[name] ?? null }));
}

/** In how many chunks a member is stored; null where it has the one field. */
function chunksOf({ name, value }: Member): number | null {
  return name !== null && Array.isArray(value) ? Math.ceil(value.length / chunkSize(value)) : null;
}

function chunkSize([first]: readonly JsonValue[]): number {
  return first !== undefined && isJsonObject(first) ? 1 : CHUNK;
}

/** Appends field and value of each part of a member that is not what is stored in its place. */
function pushChanges(fields: string[], stored: Member | undefined, { name, field, value }: Member): void {
  const before = stored?.name === name ? stored.value : undefined;
  if (before === value) return;
  if (name === null || !Array.isArray(value)) {
    fields.push(field, JSON.stringify(value));
    return;
  }
  const size = chunkSize(value);
  const elements: readonly JsonValue[] = Array.isArray(before) && chunkSize(before) === size ? before : [];
  if (!Array.isArray(before) || before.length !== value.length) fields.push(field, String(value.length));
  for (let start = 0; start < value.length; start += size) {
    if (sameChunk(elements, value, start, size)) continue;
    fields.push(`${field}:${start / size}`, JSON.stringify(value.slice(start, start + size)));
  }
}

function sameChunk(before: readonly JsonValue[], value: readonly JsonValue[], start: number, size: number): boolean {
  const end = Math.min(start + size, value.length);
  if (Math.min(start + size, before.length) !== end) return false;
  for (let i = start; i < end; i += 1) if (before[i] !== value[i]) return false;
  return true;
}

/** Fields of a stored member that the one in its place does not overwrite. */
function goneFields(stored: Member, next: Member | undefined): readonly string[] {
  const inPlace = next?.field === stored.field ? next : undefined;
  const had = chunksOf(stored) ?? 0;
  const from = inPlace === undefined ? 0 : (chunksOf(inPlace) ?? 0);
  const gone = Array.from({ length: Math.max(0, had - from) }, (_, n) => `${stored.field}:${from + n}`);
  return inPlace === undefined ? [stored.field, ...gone] : gone;
}
