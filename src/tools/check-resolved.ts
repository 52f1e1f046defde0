import { canonical } from "../model/codec.ts";
import { BoundaryError } from "../model/errors.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import type { Coverage, Scope } from "../model/scope.ts";
import type { Resolved } from "./tool.ts";

/**
 * A resolver's answer in the form it promises, whoever wrote it: what it gives is stored with the run, and a broken part would
 * break every later call of it. Throws INTERNAL_ERROR.
 */
export function checkResolved<T>(call: Resolved<T>): Resolved<T> {
  const { resolved, identity, covers } = call;
  const scope = plain(call.scope);
  if (typeof identity !== "string" || !isScope(scope)) throw new BoundaryError("INTERNAL_ERROR");
  if (covers === undefined || covers === null) return { resolved, scope, identity };
  if (!isCoverage(covers)) throw new BoundaryError("INTERNAL_ERROR");
  return { resolved, scope, identity, covers };
}

/** As it will be stored: a date is a text, a cycle is refused. */
function plain(scope: unknown): JsonValue {
  try {
    return canonical(scope, Number.POSITIVE_INFINITY).value;
  } catch {
    throw new BoundaryError("INTERNAL_ERROR");
  }
}

function isScope(value: JsonValue): value is Scope & JsonValue {
  return isJsonObject(value) && Object.values(value).every((member) => !isJsonObject(member) && isScopeValue(member));
}

function isScopeValue(value: JsonValue): boolean {
  return Array.isArray(value) ? isTexts(value) : ["string", "number", "boolean"].includes(typeof value);
}

function isCoverage(value: Coverage): boolean {
  const { family, filters, columns, window, maxAgeMs } = value;
  return (
    typeof family === "string" &&
    isTexts(filters) &&
    (columns === undefined || isTexts(columns)) &&
    (window === undefined || (Number.isFinite(window?.from) && Number.isFinite(window?.to))) &&
    (maxAgeMs === undefined || Number.isFinite(maxAgeMs))
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}
