import type { CheckFinding, ClaimContext } from "./claim-context.ts";
import { holdsMask } from "./placeholder-text.ts";

/** What was held back is no fact: a claim may quote a line that holds a placeholder, and say nothing of it. */
export function checkPlaceholders(context: ClaimContext): readonly CheckFinding[] {
  return holdsMask(context.own) ? [{ code: "EG_PLACEHOLDER_AS_FACT" }] : [];
}
