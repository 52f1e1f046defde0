import type { Citation, Draft } from "../../../model/draft.ts";
import type { EvidenceItem } from "../../../model/evidence.ts";
import type { ItemChoice, ScriptedCitation, ScriptedDraft } from "./script.ts";

/** Stands in where there is no such item or no such call; the guard has to say so. */
const NO_ITEM = "r1";

/** A draft of the script with the item ids of this run, from the items each call showed. */
export function toDraft(scripted: ScriptedDraft, shown: ReadonlyMap<string, readonly EvidenceItem[]>): Draft {
  const claims = scripted.claims.map((claim) => ({
    ...claim,
    citations: claim.citations.map((citation) => toCitation(citation, shown.get(citation.tool_call_id) ?? [])),
  }));
  return { claims };
}

function toCitation({ item, ...citation }: ScriptedCitation, items: readonly EvidenceItem[]): Citation {
  return item === undefined ? citation : { ...citation, item_id: choose(items, item) };
}

function choose(items: readonly EvidenceItem[], { includes }: ItemChoice): string {
  const found = items.find((item) => {
    const text = JSON.stringify(item);
    return includes.every((part) => text.includes(JSON.stringify(part).slice(1, -1)));
  });
  return found?.item_id ?? NO_ITEM;
}
