import { canonical } from "../model/codec.ts";
import { BOUNDARY_ERRORS, BoundaryError, type BoundaryErrorCode } from "../model/errors.ts";
import { type AgentResult, type EvidenceStatus, evidenceStatusOf } from "../model/evidence.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import type { Scope } from "../model/scope.ts";
import type { Redactor } from "../redact/redact.ts";
import type { PreparedCall } from "../tools/tool.ts";

const MAX_ITEM_ID_LENGTH = 200;

export interface Projected {
  readonly agentResult: AgentResult;
  /** UTF-8 bytes of its JSON. */
  readonly bytes: number;
  readonly evidence: EvidenceStatus;
}

/**
 * raw → what the model may see, checked: the promised form, the room it was given, no secret this run knows. Throws a
 * BoundaryError only.
 */
export function project(
  call: PreparedCall,
  raw: JsonValue,
  scope: Scope,
  redactor: Redactor,
  maxBytes: number,
): Projected {
  const result = canonicalResult(derive(call, raw, redactor, maxBytes), maxBytes);
  const agentResult = checkForm(result.value);
  checkLeaks(redactor, [result.text, JSON.stringify(scope)], [result.value, scope as JsonValue]);
  return { agentResult, bytes: result.bytes, evidence: evidenceStatusOf(agentResult) };
}

/** The projector's own output; for deriving it again, byte for byte. */
function derive(call: PreparedCall, raw: JsonValue, redactor: Redactor, maxBytes: number): AgentResult {
  try {
    return call.project(raw, { limits: { maxBytes }, redact: redactor });
  } catch (error) {
    throw new BoundaryError(projectionCode(error), BoundaryError.is(error) ? error.field : undefined);
  }
}

function projectionCode(error: unknown): BoundaryErrorCode {
  if (!BoundaryError.is(error)) return "PROJECTION_FAILED";
  return BOUNDARY_ERRORS[error.code].outcome === "HOST" ? "PROJECTION_FAILED" : error.code;
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
function checkLeaks(redactor: Redactor, texts: readonly string[], values: readonly JsonValue[]): void {
  const escaped = texts.some((text) => text.includes("\\"));
  const all = escaped ? [...texts, ...values.map((value) => leavesOf(value).join("\n"))] : texts;
  let leaked: boolean;
  try {
    leaked = all.some((text) => redactor.leaks(text));
  } catch {
    throw new BoundaryError("REDACTION_FAILED");
  }
  if (leaked) throw new BoundaryError("LEAK_DETECTED");
}

/** Every string of a tree, keys included. The codec has bounded its depth. */
function leavesOf(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...leavesOf(member)]);
}
