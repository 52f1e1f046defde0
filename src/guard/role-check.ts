import type { ResolvedCitation } from "./citation.ts";
import type { CheckFinding, ClaimContext } from "./claim-context.ts";

const isKnowledge = ({ view }: ResolvedCitation): boolean => view.reading.role === "knowledge";
const isReference = (citation: ResolvedCitation): boolean =>
  isKnowledge(citation) && citation.item?.relevance === "REFERENCE";

/** Knowledge explains; only what was observed in this incident proves. */
export function checkRoles(context: ClaimContext): readonly CheckFinding[] {
  const { kind } = context.claim;
  if ((kind !== "observation" && kind !== "root_cause") || context.citations.length === 0) return [];
  const empty = context.citations.find(({ view, item }) => view.empty && item === null);
  if (empty !== undefined && !isCountOfNothing(context))
    return [{ code: "EG_POSITIVE_FROM_NO_EVIDENCE", citation: empty }];
  const observed = context.citations.some((citation) => !isKnowledge(citation));
  if (!observed) return [{ code: unobserved(context) }];
  return context.citations.some(isReference) ? [{ code: "EG_REFERENCE_SUPPORT_ONLY" }] : [];
}

function unobserved({ claim, citations }: ClaimContext) {
  if (claim.kind === "observation") return "EG_KNOWLEDGE_AS_OBSERVATION" as const;
  return citations.every(isReference)
    ? ("EG_REFERENCE_AS_ROOT_CAUSE" as const)
    : ("EG_ROOT_CAUSE_NO_OBSERVATION" as const);
}

/** That nothing was returned is a count, and a count is checked as one. */
function isCountOfNothing({ claim }: ClaimContext): boolean {
  return claim.kind === "observation" && claim.count !== undefined;
}
