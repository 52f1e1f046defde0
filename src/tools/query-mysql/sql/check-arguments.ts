import { GROWING } from "./functions.ts";
import { LIMITS } from "./limits.ts";
import { isPlainPath } from "./parse-json-table.ts";
import type { ParsedExpression } from "./parsed.ts";
import { checkPattern } from "./pattern.ts";
import { reject } from "./rejection.ts";

/** Rules on single arguments: lengths, patterns and paths that have to stand in the statement. */
export function checkArguments(name: string, operands: readonly ParsedExpression[], at: number): void {
  const length = GROWING.get(name);
  if (length !== undefined) checkGrowth(operands, length, at);
  if (name === "REPLACE" || name === "INSERT") refuseGrowthInside(operands, at);
  if (name.startsWith("REGEXP_")) checkPattern(operands[1], at);
  if (name === "REGEXP_LIKE" && operands.length === 3) checkMatchType(operands[2], at);
  if (name === "JSON_VALUE" || name === "JSON_QUERY") checkPath(operands[1], at);
}

function checkGrowth(operands: readonly ParsedExpression[], place: number, at: number): void {
  const length = operands[place];
  const isSmall =
    length?.kind === "literal" &&
    length.literal.type === "number" &&
    /^\d{1,4}$/.test(length.literal.value) &&
    Number(length.literal.value) <= LIMITS.growth;
  if (!isSmall) reject("SQL_FUNCTION", at, "the length must be written as a number of at most 1000");
  refuseGrowthInside(operands, at);
}

/** Growth inside of growth multiplies. */
function refuseGrowthInside(operands: readonly ParsedExpression[], at: number): void {
  const pending = [...operands];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isGrowth(node)) reject("SQL_FUNCTION", at, "functions that lengthen text cannot be nested");
    if ("operands" in node) pending.push(...node.operands);
  }
}

function isGrowth(node: ParsedExpression): boolean {
  if (node.kind !== "call") return false;
  return GROWING.has(node.name) || (node.name === "REPLACE" && node.operands.some(isLongText));
}

function isLongText(node: ParsedExpression): boolean {
  return node.kind === "literal" && node.literal.type === "string" && node.literal.value.length > 16;
}

function checkPath(path: ParsedExpression | undefined, at: number): void {
  const isPlain = path?.kind === "literal" && path.literal.type === "string" && isPlainPath(path.literal.value);
  if (!isPlain) reject("SQL_LITERAL", at, "a JSON path of this form is not supported here");
}

function checkMatchType(node: ParsedExpression | undefined, at: number): void {
  const isPlain =
    node?.kind === "literal" && node.literal.type === "string" && /^[cimnu]{0,5}$/.test(node.literal.value);
  if (!isPlain) reject("SQL_LITERAL", at, "a match type of letters c, i, m, n, u");
}
