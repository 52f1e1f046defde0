import type {
  ResolvedBody,
  ResolvedColumn,
  ResolvedExpression,
  ResolvedFrom,
  ResolvedOrderItem,
  ResolvedQuery,
  ResolvedSelect,
  ResolvedWindow,
} from "./resolved.ts";
import type { CallNode, Literal, WindowFrame } from "./syntax.ts";

/**
 * The text of a resolved tree that equal questions share: names are what they were resolved to, the order of AND, OR and IN
 * is folded, aliases and comments are gone. Literals, LIMIT and ORDER BY stay.
 */
export function canonicalQuery(query: ResolvedQuery): string {
  const ctes = query.ctes.map(({ id, query: inner }) => `${id}=${canonicalQuery(inner)}`);
  const limit = query.limit === undefined ? "" : `${query.limit.count}+${query.limit.offset}`;
  return node(
    "query",
    query.recursive ? "recursive" : "",
    ...ctes,
    canonicalBody(query.body),
    order(query.orderBy),
    limit,
  );
}

function canonicalBody(body: ResolvedBody): string {
  if (body.kind === "select") return canonicalSelect(body);
  if (body.kind === "nested") return canonicalQuery(body.query);
  const arms = body.rest.map((arm) => node(arm.operator, arm.all ? "all" : "", canonicalBody(arm.body)));
  return node("set", canonicalBody(body.first), ...arms);
}

function canonicalSelect(select: ResolvedSelect): string {
  return node(
    select.distinct ? "distinct" : "select",
    list(select.items),
    select.from === undefined ? "" : canonicalFrom(select.from),
    conditions(select.where).sort().join("&"),
    list(select.groupBy),
    select.rollup ? "rollup" : "",
    conditions(select.having).sort().join("&"),
    ...select.windows.map(({ name, spec }) => `${name}=${window(spec)}`),
  );
}

/** The parts of a condition that all have to hold. */
export function conditions(expression: ResolvedExpression | undefined): string[] {
  if (expression === undefined) return [];
  const isAnd = expression.kind === "operation" && expression.operator === "AND";
  return isAnd ? expression.operands.flatMap(conditions) : [canonicalExpression(expression)];
}

export function canonicalFrom(from: ResolvedFrom): string {
  switch (from.kind) {
    case "table":
      return node("table", from.schema, from.table, from.relation);
    case "cte":
      return node("cte", from.id, from.relation);
    case "derived":
      return node("derived", canonicalQuery(from.query), from.relation);
    case "jsonTable":
      return node("json", canonicalExpression(from.document), from.path, JSON.stringify(from.columns), from.relation);
    case "join": {
      const on = conditions(from.on).sort().join("&");
      return node(from.type, canonicalFrom(from.left), canonicalFrom(from.right), on);
    }
  }
}

export function canonicalExpression(expression: ResolvedExpression): string {
  switch (expression.kind) {
    case "literal":
      return literal(expression.literal);
    case "column":
      return column(expression.column);
    case "operation": {
      const parts = expression.operands.map(canonicalExpression);
      const name = `${expression.negated ? "NOT " : ""}${expression.operator}`;
      return node(name, expression.detail ?? "", ...sorted(expression.operator, parts));
    }
    case "chain":
      return node("chain", expression.operators.join(" "), ...expression.operands.map(canonicalExpression));
    case "case":
      return node("case", `${expression.hasBase}${expression.hasElse}`, list(expression.operands));
    case "cast": {
      const { type, length, scale } = expression.target;
      return node("cast", type, length ?? "", scale ?? "", list(expression.operands));
    }
    case "dateArithmetic":
      return node("date", expression.operator, expression.unit, list(expression.operands));
    case "call":
      return call(expression);
    case "query":
      return node(
        expression.form,
        `${expression.negated}${expression.operator ?? ""}`,
        list(expression.operands),
        canonicalQuery(expression.query),
      );
  }
}

/** Order means nothing to AND, OR and XOR, nor to the items of IN. */
function sorted(operator: string, parts: readonly string[]): readonly string[] {
  if (operator === "AND" || operator === "OR" || operator === "XOR") return [...parts].sort();
  if (operator !== "IN") return parts;
  return [parts[0] ?? "", ...new Set(parts.slice(1).sort())];
}

function call(expression: CallNode<ResolvedColumn, ResolvedQuery>): string {
  const { over } = expression;
  return node(
    expression.name,
    expression.keyword ?? "",
    `${expression.distinct ? "distinct" : ""}${expression.star ? "*" : ""}`,
    list(expression.operands),
    order(expression.orderBy),
    expression.separator === undefined ? "" : JSON.stringify(expression.separator),
    over === undefined ? "" : typeof over === "string" ? over : window(over),
  );
}

function window(spec: ResolvedWindow): string {
  return node("over", spec.base ?? "", list(spec.partitionBy), order(spec.orderBy), frame(spec.frame));
}

function frame(of: WindowFrame | undefined): string {
  if (of === undefined) return "";
  const bounds = [of.from, ...(of.to === undefined ? [] : [of.to])];
  const texts = bounds.map(({ type, amount, unit }) =>
    node(type, amount === undefined ? "" : canonicalExpression(amount), unit ?? ""),
  );
  return node(of.unit, ...texts);
}

function column(of: ResolvedColumn): string {
  return of.kind === "output" ? `#${of.index}` : `${of.relation}.${JSON.stringify(of.name)}`;
}

function literal(of: Literal): string {
  return "value" in of ? `${of.type}:${JSON.stringify(of.value)}` : of.type;
}

function list(expressions: readonly ResolvedExpression[]): string {
  return expressions.map(canonicalExpression).join(",");
}

function order(items: readonly ResolvedOrderItem[]): string {
  return items
    .map(({ expression, descending }) => canonicalExpression(expression) + (descending ? " desc" : ""))
    .join(",");
}

function node(name: string, ...parts: readonly string[]): string {
  return `(${name} ${parts.join(" ")})`;
}
