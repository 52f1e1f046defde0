import { reject } from "./rejection.ts";
import type { ResolvedBody, ResolvedExpression, ResolvedFrom, ResolvedQuery } from "./resolved.ts";

/**
 * Refuses a recursive table that cannot come to an end by its own wording: every part that reads the table itself needs a
 * condition on what it read. Whether the condition ever fails is for the server's own limit to say.
 */
export function checkBounded({ body }: ResolvedQuery, id: string, at: number): void {
  if (body.kind !== "set") return;
  for (const { body: arm } of body.rest) {
    if (!isBounded(arm, id)) reject("SQL_CLAUSE", at, "the recursive part needs a condition on the recursive table");
  }
}

function isBounded(arm: ResolvedBody, id: string): boolean {
  if (arm.kind !== "select" || arm.from === undefined) return arm.kind === "select";
  const relations = relationsOf(arm.from, id);
  const conditions = [...conditionsOf(arm.from), ...(arm.where === undefined ? [] : [arm.where])];
  return relations.length === 0 || conditions.some((condition) => reads(condition, relations));
}

/** Names under which a FROM reads the table. */
function relationsOf(from: ResolvedFrom, id: string): readonly string[] {
  if (from.kind === "join") return [...relationsOf(from.left, id), ...relationsOf(from.right, id)];
  return from.kind === "cte" && from.id === id ? [from.relation] : [];
}

function conditionsOf(from: ResolvedFrom): readonly ResolvedExpression[] {
  if (from.kind !== "join") return [];
  return [...conditionsOf(from.left), ...conditionsOf(from.right), ...(from.on === undefined ? [] : [from.on])];
}

function reads(expression: ResolvedExpression, relations: readonly string[]): boolean {
  if (expression.kind === "column") {
    return expression.column.kind === "field" && relations.includes(expression.column.relation);
  }
  return "operands" in expression && expression.operands.some((operand) => reads(operand, relations));
}
