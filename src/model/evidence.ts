import type { JsonObject, JsonValue } from "./json.ts";

export type RelevanceLevel = "HIGH" | "MEDIUM" | "REFERENCE";

/** One citable piece of an agent result: an excerpt, an event, a pattern, a row. */
export interface EvidenceItem {
  readonly item_id: string;
  readonly text?: string;
  readonly cells?: JsonObject;
  readonly relevance_level?: RelevanceLevel;
  readonly [field: string]: JsonValue | undefined;
}

/** What a projector gives: the allow-listed, redacted, bounded part of raw. `truncated` says exactly whether anything was left out. */
export interface AgentResult {
  readonly items: readonly EvidenceItem[];
  readonly truncated: boolean;
  readonly [field: string]: JsonValue | readonly EvidenceItem[];
}

export type EvidenceStatus = "EVIDENCE_FOUND" | "NO_EVIDENCE";

/** Follows from the items alone, so that no tool can call an empty answer evidence. */
export function evidenceStatusOf(result: AgentResult): EvidenceStatus {
  return result.items.length > 0 ? "EVIDENCE_FOUND" : "NO_EVIDENCE";
}
