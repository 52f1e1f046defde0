import type { Ready } from "../model/invocation.ts";
import { findPlaceholders, LEGEND } from "../redact/placeholders.ts";
import { type OkObservation, observeReady } from "../views/observation.ts";

/** An observation with the sentence on placeholders, where it shows any. */
export function observeWithLegend(record: Omit<Ready, "raw">): OkObservation {
  const shown = findPlaceholders(JSON.stringify([record.scope, record.agentResult])).length > 0;
  return observeReady(record, shown ? LEGEND : null);
}
