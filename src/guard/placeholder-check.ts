import type { CheckFinding, ClaimContext } from "./claim-context.ts";
import { holdsMask } from "./placeholder-text.ts";

/** What was held back is no fact: a claim may quote a line that holds a placeholder, and say nothing of it, least of all that it is a name. */
export function checkPlaceholders(context: ClaimContext): readonly CheckFinding[] {
  const named = Object.values(context.claim.entities ?? {});
  return [context.own, ...named].some(holdsMask) ? [{ code: "EG_PLACEHOLDER_AS_FACT" }] : [];
}
