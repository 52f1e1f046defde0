import { isJsonObject, type JsonValue } from "../../model/json.ts";

/** One piece of text as the backend returned it, and as the model saw it. */
export interface Pair {
  readonly returned: string;
  readonly seen: string;
}

const PLACEHOLDER = /\[\[[^\]]*\]\]/;
/** Text between placeholders that is long enough to find the raw text by. */
const TELLING = 4;

/** Every text and number of a tree, in order; keys are left out. */
export function leavesOf(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isJsonObject(value) ? Object.values(value).flatMap(leavesOf) : [];
}

/** A text of the observation and the raw text that it came from; one with a placeholder where there is one. */
export function pairOf(raw: JsonValue, observation: JsonValue): Pair | null {
  const returned = leavesOf(raw);
  const items = isJsonObject(observation) ? (observation["items"] ?? []) : [];
  const seen = leavesOf(items).filter((text) => text.length > 12);
  const redacted = seen.filter((text) => PLACEHOLDER.test(text));
  for (const text of [...redacted, ...seen]) {
    const source = returned.find((candidate) => cameFrom(text, candidate));
    if (source !== undefined) return { returned: source, seen: text };
  }
  return null;
}

/** Whether all that stands between the placeholders stands in the raw text too, in the same order. */
function cameFrom(seen: string, raw: string): boolean {
  const parts = seen
    .split(PLACEHOLDER)
    .map((part) => part.trim())
    .filter((part) => part.length >= TELLING);
  if (parts.length === 0) return false;
  let from = 0;
  for (const part of parts) {
    const at = raw.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}
