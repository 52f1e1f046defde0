import type { Ready } from "../model/invocation.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import { findPlaceholders, LEGEND } from "../redact/placeholders.ts";
import { type OkObservation, observeReady } from "../views/observation.ts";

/** An observation with the sentence on placeholders, where it shows any. */
export function observeWithLegend(record: Omit<Ready, "raw">): OkObservation {
  const shown = showsPlaceholder(record.scope as JsonValue) || showsPlaceholder(record.agentResult as JsonValue);
  return observeReady(record, shown ? LEGEND : null);
}

/** The codec has bounded the depth. */
function showsPlaceholder(value: JsonValue): boolean {
  if (typeof value === "string") return findPlaceholders(value).length > 0;
  if (Array.isArray(value)) return value.some(showsPlaceholder);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, member]) => findPlaceholders(key).length > 0 || showsPlaceholder(member));
}
