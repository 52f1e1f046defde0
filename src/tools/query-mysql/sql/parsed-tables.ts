import type { ParsedBody, ParsedExpression, ParsedFrom, ParsedQuery, ParsedSelect } from "./parsed.ts";

/** Whether a body reads a table of this unqualified name, in FROM or in a subquery of any depth. The parser bounds the depth. */
export function bodyReads(body: ParsedBody, name: string): boolean {
  if (body.kind === "nested") return queryReads(body.query, name);
  if (body.kind === "set") return bodyReads(body.first, name) || body.rest.some((arm) => bodyReads(arm.body, name));
  return (body.from !== undefined && fromReads(body.from, name)) || expressionsOf(body).some((e) => reads(e, name));
}

function queryReads(query: ParsedQuery, name: string): boolean {
  return bodyReads(query.body, name) || query.ctes.some((cte) => queryReads(cte.query, name));
}

function fromReads(from: ParsedFrom, name: string): boolean {
  switch (from.kind) {
    case "table":
      return from.parts.length === 1 && from.parts[0] === name;
    case "derived":
      return queryReads(from.query, name);
    case "jsonTable":
      return reads(from.document, name);
    case "join":
      return (
        fromReads(from.left, name) || fromReads(from.right, name) || (from.on !== undefined && reads(from.on, name))
      );
  }
}

function expressionsOf(select: ParsedSelect): readonly ParsedExpression[] {
  const items = select.items.flatMap((item) => (item.kind === "expression" ? [item.expression] : []));
  return [...items, ...[select.where, select.having].filter((condition) => condition !== undefined)];
}

function reads(expression: ParsedExpression, name: string): boolean {
  if (expression.kind === "query" && queryReads(expression.query, name)) return true;
  return "operands" in expression && expression.operands.some((operand) => reads(operand, name));
}
