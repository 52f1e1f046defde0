import { findPlaceholders, wholeAlias } from "../../../redact/placeholders.ts";
import { foldCase } from "./characters.ts";
import { CLOCK_FUNCTIONS, FUNCTIONS } from "./functions.ts";
import type { ColumnName, ParsedExpression, ParsedOrderItem, ParsedQuery, ParsedWindow } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { ExpressionContext, Resolution } from "./resolution.ts";
import type {
  ResolvedColumn,
  ResolvedExpression,
  ResolvedOrderItem,
  ResolvedQuery,
  ResolvedWindow,
} from "./resolved.ts";
import { membersOfPath } from "./rewriting.ts";
import { findColumn, findHere, readable } from "./scope.ts";
import type { CallNode, LiteralNode, OperationNode, QueryNode } from "./syntax.ts";
import { checkWidths } from "./width.ts";

type ParsedCall = CallNode<ColumnName, ParsedQuery>;
type ParsedQueryNode = QueryNode<ColumnName, ParsedQuery>;

/** The expression with every name looked up. A sensitive column may stand only where `resolveSelectable` or IS NULL take it. */
export function resolveExpression(
  resolution: Resolution,
  node: ParsedExpression,
  context: ExpressionContext,
): ResolvedExpression {
  return checkWidths(resolveNode(resolution, node, context));
}

function resolveNode(resolution: Resolution, node: ParsedExpression, context: ExpressionContext): ResolvedExpression {
  switch (node.kind) {
    case "literal":
      return refusePlaceholder(node);
    case "column":
      return insensitive(resolveColumn(node.column.parts, node.at, context));
    case "call":
      return resolveCall(resolution, node, context);
    case "query":
      return resolveSubquery(resolution, node, context);
    case "operation":
      return { ...node, operands: resolveOperands(resolution, node, context) };
    default:
      return { ...node, operands: resolveAll(resolution, node.operands, context) };
  }
}

function resolveOperands(
  resolution: Resolution,
  { operator, operands }: OperationNode<ColumnName, ParsedQuery>,
  context: ExpressionContext,
): readonly ResolvedExpression[] {
  if (operator === "IS NULL") return operands.map((operand) => resolveSelectable(resolution, operand, context));
  const comparesValues = operator === "=" || operator === "<>" || operator === "IN";
  if (!comparesValues || !operands.some(isAlias)) return resolveAll(resolution, operands, context);
  return resolveAliases(resolution, operands, context);
}

/**
 * An identifier alias stands for its value where it is compared as a whole with a base column, and nowhere else: compared with
 * something that was calculated it would tell what it stands for, guess by guess.
 */
function resolveAliases(
  resolution: Resolution,
  operands: readonly ParsedExpression[],
  context: ExpressionContext,
): readonly ResolvedExpression[] {
  const resolved = operands.map((operand) =>
    isAlias(operand) ? operand : resolution.rules.expression(resolution, operand, context),
  );
  const compared = isAlias(resolved[0]) ? resolved[1] : resolved[0];
  if (compared?.kind !== "column" || compared.column.kind !== "field" || !compared.column.bare) {
    return reject("ALIAS_POSITION", operands[0]?.at ?? 0, "an alias can only be compared with a column by =, <> or IN");
  }
  return resolved.map((operand) => (isAlias(operand) ? dealiased(operand, resolution) : operand));
}

type StringNode = LiteralNode & { readonly literal: { readonly type: "string"; readonly value: string } };

function isAlias(node: ParsedExpression | ResolvedExpression | undefined): node is StringNode {
  return node?.kind === "literal" && node.literal.type === "string" && wholeAlias(node.literal.value) !== null;
}

function dealiased(node: StringNode, resolution: Resolution): LiteralNode {
  return { ...node, literal: { type: "string", value: resolution.alias(node.literal.value) } };
}

function refusePlaceholder(node: LiteralNode): LiteralNode {
  if (node.literal.type !== "string") return node;
  const [found] = findPlaceholders(node.literal.value);
  if (found === undefined) return node;
  if (found.alias === undefined) reject("PLACEHOLDER_IN_REQUEST", node.at, "the placeholder of a secret");
  return reject("ALIAS_POSITION", node.at, "an alias can only be compared with a column by =, <> or IN");
}

/** A bare column may be sensitive here: it is shown masked, or tested for NULL. */
export function resolveSelectable(
  resolution: Resolution,
  node: ParsedExpression,
  context: ExpressionContext,
): ResolvedExpression {
  return node.kind === "column"
    ? resolveColumn(node.column.parts, node.at, context)
    : resolution.rules.expression(resolution, node, context);
}

function resolveAll(
  resolution: Resolution,
  nodes: readonly ParsedExpression[],
  context: ExpressionContext,
): readonly ResolvedExpression[] {
  return nodes.map((node) => resolution.rules.expression(resolution, node, context));
}

function insensitive(node: ResolvedExpression): ResolvedExpression {
  if (node.kind === "column" && node.column.sensitive) {
    reject("SENSITIVE_COLUMN", node.at, "this column may only be selected as it is or tested with IS NULL");
  }
  return node;
}

function resolveColumn(parts: readonly string[], at: number, context: ExpressionContext): ResolvedExpression {
  const special = context.names?.(parts, at, context.insideAggregate) ?? null;
  if (special !== null) return remember(special, context);
  const found = readable(findColumn(context.scope, parts, at), parts, context.scope, at);
  return remember({ kind: "column", column: found.column, at }, context);
}

function remember(node: ResolvedExpression, context: ExpressionContext): ResolvedExpression {
  if (node.kind === "column") rememberOrigin(node.column, context);
  return node;
}

function rememberOrigin(
  { lineage, members }: Pick<ResolvedColumn, "lineage" | "members">,
  context: ExpressionContext,
): void {
  for (const source of lineage) context.lineage.add(source);
  for (const member of members) context.members.add(member);
}

function resolveCall(resolution: Resolution, node: ParsedCall, context: ExpressionContext): ResolvedExpression {
  const kind = FUNCTIONS.get(node.name)?.kind ?? "scalar";
  for (const member of membersOfCall(node)) context.members.add(member);
  if (CLOCK_FUNCTIONS.has(node.name)) resolution.seen.clock = true;
  const isWindow = node.over !== undefined;
  if (isWindow && !context.windowCalls) reject("SQL_FUNCTION", node.at, "a window function cannot stand here");
  const isAggregate = kind === "aggregate" && !isWindow;
  if (isAggregate && !context.aggregates) reject("SQL_FUNCTION", node.at, `${node.name} cannot stand here`);
  if (isWindow) resolution.seen.window = true;
  if (isAggregate) resolution.seen.aggregate = true;
  const inside = insideCall(context, isAggregate, isWindow);
  const { over, ...call } = node;
  const operands = resolveAll(resolution, node.operands, inside);
  const resolved = { ...call, operands, orderBy: resolveItems(resolution, node.orderBy, inside) };
  return over === undefined ? resolved : { ...resolved, over: resolveOver(resolution, over, node.at, inside) };
}

function membersOfCall({ name, operands }: ParsedCall): readonly string[] {
  if (!name.startsWith("JSON_")) return [];
  return operands.flatMap((node) =>
    node.kind === "literal" && node.literal.type === "string" ? membersOfPath(node.literal.value) : [],
  );
}

function insideCall(context: ExpressionContext, isAggregate: boolean, isWindow: boolean): ExpressionContext {
  if (isAggregate) return { ...context, aggregates: false, windowCalls: false, insideAggregate: true };
  return isWindow ? { ...context, windowCalls: false } : context;
}

function resolveItems(
  resolution: Resolution,
  items: readonly ParsedOrderItem[],
  context: ExpressionContext,
): readonly ResolvedOrderItem[] {
  return items.map(({ expression, descending }) => ({
    expression: resolution.rules.expression(resolution, expression, context),
    descending,
  }));
}

function resolveOver(
  resolution: Resolution,
  over: ParsedWindow | string,
  at: number,
  context: ExpressionContext,
): ResolvedWindow | string {
  return typeof over === "string" ? windowName(over, at, context) : resolveWindow(resolution, over, at, context);
}

function windowName(name: string, at: number, context: ExpressionContext): string {
  return context.windows.get(foldCase(name)) ?? reject("SQL_SYNTAX", at, `there is no window ${name}`);
}

export function resolveWindow(
  resolution: Resolution,
  { base, partitionBy, orderBy, frame }: ParsedWindow,
  at: number,
  context: ExpressionContext,
): ResolvedWindow {
  for (const node of partitionBy) refuseWindowAlias(node, context, "partitionBy");
  for (const { expression } of orderBy) refuseWindowAlias(expression, context, "orderBy");
  return {
    partitionBy: resolveAll(resolution, partitionBy, context),
    orderBy: resolveItems(resolution, orderBy, context),
    ...(base === undefined ? {} : { base: windowName(base, at, context) }),
    ...(frame === undefined ? {} : { frame }),
  };
}

/**
 * A bare name in a window: a server looks for an alias of the select list before the column in ORDER BY, and after it in PARTITION
 * BY. Where the two differ the name is refused.
 */
function refuseWindowAlias(
  node: ParsedExpression,
  { scope }: ExpressionContext,
  clause: "partitionBy" | "orderBy",
): void {
  if (node.kind !== "column" || node.column.parts.length !== 1 || scope === null) return;
  const [name = ""] = node.column.parts;
  const aliased = scope.aliases.get(foldCase(name)) ?? [];
  const own = findHere(scope, node.column.parts, node.at);
  if (own !== null && clause === "partitionBy") return;
  if (aliased.some((parts) => parts === null || own === null || findHere(scope, parts, node.at) !== own)) {
    reject("SQL_AMBIGUOUS", node.at, `${name} is an alias; a window needs the column or the expression itself`);
  }
}

/** A query inside an expression sees the names around it. What it gives back is compared, so it must not be sensitive. */
function resolveSubquery(
  resolution: Resolution,
  node: ParsedQueryNode,
  context: ExpressionContext,
): ResolvedExpression {
  const operands = resolveAll(resolution, node.operands, context);
  const query = resolution.rules.query(resolution, node.query, { ctes: context.ctes, outer: context.scope });
  if (node.form !== "exists") checkOutputs(query, node.at);
  for (const output of query.outputs) rememberOrigin(output, context);
  return { ...node, operands, query };
}

function checkOutputs({ outputs }: ResolvedQuery, at: number): void {
  if (outputs.some(({ sensitive }) => sensitive)) {
    reject("SENSITIVE_COLUMN", at, "a subquery inside of an expression cannot give back a sensitive column");
  }
}
