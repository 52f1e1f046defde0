import { canonical } from "../model/codec.ts";
import { BoundaryError } from "../model/errors.ts";
import { type AgentResult, type EvidenceStatus, evidenceStatusOf } from "../model/evidence.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import { appendMemory, type RunMemory } from "../model/memory.ts";
import type { Scope } from "../model/scope.ts";
import type { Redactor } from "../redact/redact.ts";
import type { PreparedCall } from "../tools/tool.ts";
import { toolError } from "./tool-code.ts";

const MAX_ITEM_ID_LENGTH = 200;

export interface Projected {
  readonly agentResult: AgentResult;
  /** UTF-8 bytes of its JSON. */
  readonly bytes: number;
  readonly evidence: EvidenceStatus;
  /** What the projection learned beyond the memory it was given. */
  readonly learned: RunMemory;
  /** Values held back in it, by kind. */
  readonly heldBack: Readonly<Record<string, number>>;
}

export interface ProjectionInput {
  readonly call: PreparedCall;
  readonly raw: JsonValue;
  /** Shown beside the result, and scanned with it. */
  readonly scope: Scope;
  readonly memory: RunMemory;
  readonly redactor: (memory: RunMemory) => Redactor;
  readonly maxBytes: number;
}

/**
 * raw → what the model may see, checked: the promised form, the room it was given, no secret this run knows. A value may be
 * proven secret only after an earlier text was shown with it; then the projection is made again by a redactor that knows it
 * from the start. What still leaks is an error. Throws a BoundaryError only; gives the same for the same input.
 */
export function project(input: ProjectionInput): Projected {
  const first = attempt(input, input.memory);
  if (!first.leaks) return first.projected;
  const again = attempt(input, appendMemory(input.memory, first.projected.learned));
  if (again.leaks) throw new BoundaryError("LEAK_DETECTED");
  return { ...again.projected, learned: appendMemory(first.projected.learned, again.projected.learned) };
}

function attempt(
  input: ProjectionInput,
  memory: RunMemory,
): { readonly projected: Projected; readonly leaks: boolean } {
  const { call, raw, scope, maxBytes } = input;
  const redactor = input.redactor(memory);
  const result = canonicalResult(derive(call, raw, redactor, maxBytes), maxBytes);
  const agentResult = checkForm(result.value);
  const leaks = isLeaking(redactor, [result.text, JSON.stringify(scope)], [result.value, scope as JsonValue]);
  const projected = {
    agentResult,
    bytes: result.bytes,
    evidence: evidenceStatusOf(agentResult),
    learned: redactor.learned(),
    heldBack: Object.fromEntries(redactor.counts),
  };
  return { projected, leaks };
}

function derive(call: PreparedCall, raw: JsonValue, redactor: Redactor, maxBytes: number): AgentResult {
  try {
    return call.project(raw, { limits: { maxBytes }, redact: redactor });
  } catch (error) {
    throw toolError(error, "PROJECTION_FAILED");
  }
}

function canonicalResult(result: unknown, maxBytes: number): { value: JsonValue; text: string; bytes: number } {
  try {
    return canonical(result, maxBytes);
  } catch (error) {
    const tooLarge = BoundaryError.is(error) && error.code === "RAW_TOO_LARGE";
    throw new BoundaryError(tooLarge ? "PROJECTION_TOO_LARGE" : "PROJECTION_INVALID");
  }
}

function checkForm(result: JsonValue): AgentResult {
  if (!isJsonObject(result) || !Array.isArray(result["items"]) || typeof result["truncated"] !== "boolean") {
    throw new BoundaryError("PROJECTION_INVALID");
  }
  const ids = new Set<string>();
  for (const item of result["items"] as readonly JsonValue[]) {
    const id = isJsonObject(item) ? item["item_id"] : null;
    if (typeof id !== "string" || id.length === 0 || id.length > MAX_ITEM_ID_LENGTH || ids.has(id)) {
      throw new BoundaryError("PROJECTION_INVALID", "item_id");
    }
    ids.add(id);
  }
  // an empty answer that was cut is no proof of absence
  if (ids.size === 0 && result["truncated"]) throw new BoundaryError("NOTHING_FITS");
  return result as AgentResult;
}

/** Both as JSON and leaf by leaf: escapes may hide a secret in the one, joints make one up in the other. */
function isLeaking(redactor: Redactor, texts: readonly string[], values: readonly JsonValue[]): boolean {
  const escaped = texts.some((text) => text.includes("\\"));
  const all = escaped ? [...texts, ...values.map((value) => leavesOf(value).join("\n"))] : texts;
  try {
    return all.some((text) => redactor.leaks(text));
  } catch {
    throw new BoundaryError("REDACTION_FAILED");
  }
}

/** Every string of a tree, keys included. The codec has bounded its depth. */
function leavesOf(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...leavesOf(member)]);
}
