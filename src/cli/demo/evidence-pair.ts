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

/** Beyond this length a text is no better an example than a shorter one. */
const TELLING_ENOUGH = 120;

/**
 * A text of the observation and the raw text that it came from: one with a held-back secret where there is one, else an alias,
 * else the rows, else the longest text.
 */
export function pairOf(raw: JsonValue, observation: JsonValue): Pair | null {
  const returned = leavesOf(raw);
  const items = isJsonObject(observation) ? (observation["items"] ?? []) : [];
  const seen = leavesOf(items).filter((text) => text.length > 12);
  const secret = seen.filter((text) => text.includes("[[secret:"));
  const redacted = seen.filter((text) => PLACEHOLDER.test(text));
  const plain = [...seen].sort((a, b) => Math.min(b.length, TELLING_ENOUGH) - Math.min(a.length, TELLING_ENOUGH));
  return firstPair([...secret, ...redacted], returned) ?? pairOfRows(raw, items) ?? firstPair(plain, returned);
}

function firstPair(texts: readonly string[], returned: readonly string[]): Pair | null {
  for (const text of texts) {
    const source = returned.find((candidate) => cameFrom(text, candidate));
    if (source !== undefined) return around(source, text);
  }
  return null;
}

/** Rows as a whole: what is masked in them is a cell of its own, without a text around it to know it by. */
function pairOfRows(raw: JsonValue, items: JsonValue): Pair | null {
  const rows = isJsonObject(raw) ? raw["rows"] : null;
  if (!Array.isArray(rows) || !Array.isArray(items) || items.length === 0) return null;
  const cells = items.map((item) => (isJsonObject(item) ? (item["cells"] ?? null) : null));
  return { returned: showRows(rows.slice(0, items.length)), seen: showRows(cells) };
}

function showRows(rows: readonly JsonValue[]): string {
  return rows.map((row) => `(${leavesOf(row).join(", ")})`).join(" ");
}

/** How much of a text stands before its first placeholder; both sides begin at the same words. */
const LEAD = 48;

function around(returned: string, seen: string): Pair {
  const secret = seen.indexOf("[[secret:");
  const at = secret < 0 ? seen.search(PLACEHOLDER) : secret;
  const before = at < 0 ? "" : (seen.slice(0, at).split(PLACEHOLDER).at(-1) ?? "");
  const lead = before.slice(-LEAD);
  const from = lead === "" ? -1 : returned.indexOf(lead);
  if (from <= 0) return { returned, seen };
  return { returned: `…${returned.slice(from)}`, seen: `…${seen.slice(at - lead.length)}` };
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
