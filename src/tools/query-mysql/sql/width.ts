import { reject } from "./rejection.ts";
import type { ResolvedExpression } from "./resolved.ts";
import type { Operator } from "./syntax.ts";

const COMPARING: ReadonlySet<Operator> = new Set<Operator>(["=", "<=>", "<>", "<", "<=", ">", ">=", "IN", "BETWEEN"]);

/** How many values an expression stands for: a row or a subquery can be more than one. */
export function widthOf(node: ResolvedExpression | undefined): number {
  if (node?.kind === "operation" && node.operator === "ROW") return node.operands.length;
  return node?.kind === "query" && node.form === "scalar" ? node.query.outputs.length : 1;
}

/** Rows are compared with rows of the same length and stand nowhere else. */
export function checkWidths(node: ResolvedExpression): ResolvedExpression {
  if (!("operands" in node)) return node;
  const compares = node.kind === "operation" && COMPARING.has(node.operator);
  const isRight = node.kind === "query" && node.form !== "scalar" && node.form !== "exists";
  const width = compares ? widthOf(node.operands[0]) : isRight ? node.query.outputs.length : 1;
  if (node.operands.some((operand) => widthOf(operand) !== width)) {
    reject("SQL_SYNTAX", node.at, "rows of different lengths are compared, or a row stands where one value is needed");
  }
  return node;
}
