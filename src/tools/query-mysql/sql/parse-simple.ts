import type { Cursor } from "./cursor.ts";
import { BARE_CALLS } from "./functions.ts";
import { LIMITS } from "./limits.ts";
import { parseCall } from "./parse-call.ts";
import { parseLiteral } from "./parse-literal.ts";
import { parseUnit } from "./parse-window.ts";
import type { ParsedExpression } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { Operator } from "./syntax.ts";

const PREFIXES: Readonly<Record<string, Operator>> = { "-": "NEGATE", "!": "NOT", "~": "~", BINARY: "BINARY" };

/** The tightest level: literals, columns, calls, parentheses, prefix operators, COLLATE. */
export function parseSimple(cursor: Cursor): ParsedExpression {
  const { at, text } = cursor.peek();
  if (cursor.take("+")) return cursor.nested(() => parseSimple(cursor));
  const prefix = text === "" ? undefined : PREFIXES[text];
  if (prefix !== undefined) {
    cursor.next();
    const operand = cursor.nested(() => parseSimple(cursor));
    return { kind: "operation", operator: prefix, negated: false, operands: [operand], at };
  }
  const primary = parsePrimary(cursor);
  return cursor.take("COLLATE") ? collated(cursor, primary, at) : primary;
}

function collated(cursor: Cursor, operand: ParsedExpression, at: number): ParsedExpression {
  const token = cursor.next();
  const name = token.value.toLowerCase();
  if (token.kind !== "word" || !/^utf8mb4_[a-z0-9_]{1,40}$/.test(name)) {
    reject("SQL_CLAUSE", token.at, "a collation other than those of utf8mb4");
  }
  return { kind: "operation", operator: "COLLATE", negated: false, operands: [operand], detail: name, at };
}

function parsePrimary(cursor: Cursor): ParsedExpression {
  const literal = parseLiteral(cursor);
  if (literal !== null) return literal;
  const token = cursor.peek();
  if (token.text === "(") return parseParenthesised(cursor);
  if (token.text === "CASE") return parseCase(cursor);
  if (token.text === "EXISTS") return parseExists(cursor);
  if (token.text === "INTERVAL") return parseLeadingInterval(cursor);
  if (token.text === "ROW" && cursor.peek(1).text === "(") cursor.next();
  if (cursor.peek().text === "(") return parseParenthesised(cursor);
  if (cursor.peek(1).text === "(" || BARE_CALLS.has(token.text)) return parseCall(cursor);
  return parseColumn(cursor);
}

function parseColumn(cursor: Cursor): ParsedExpression {
  const { at, kind, text } = cursor.peek();
  if (kind === "word" && (text === "CURRENT_USER" || text === "DEFAULT")) {
    reject("SQL_FUNCTION", at, `${text} is not available`);
  }
  const parts = [cursor.name("an expression")];
  while (parts.length < 4 && cursor.take(".")) parts.push(cursor.nameAfterDot());
  if (cursor.sees("(")) reject("SQL_FUNCTION", at, "a function with a qualified or quoted name is not available");
  const column: ParsedExpression = { kind: "column", column: { parts }, at };
  return parseJsonArrow(cursor, column);
}

/** `column->path` and `column->>path` are short for calls that every server has. */
function parseJsonArrow(cursor: Cursor, column: ParsedExpression): ParsedExpression {
  const { at } = cursor.peek();
  const arrow = cursor.takeAny(["->>", "->"]);
  if (arrow === undefined) return column;
  const path = parseLiteral(cursor);
  if (path?.kind !== "literal" || path.literal.type !== "string") return cursor.unexpected("expected a JSON path");
  const call = { distinct: false, star: false, orderBy: [], at } as const;
  const extract: ParsedExpression = { kind: "call", name: "JSON_EXTRACT", operands: [column, path], ...call };
  return arrow === "->" ? extract : { kind: "call", name: "JSON_UNQUOTE", operands: [extract], ...call };
}

function parseParenthesised(cursor: Cursor): ParsedExpression {
  const { at } = cursor.peek();
  const isQuery = cursor.opensQuery();
  cursor.expect("(");
  if (isQuery) {
    const query = cursor.grammar.query(cursor);
    cursor.expect(")");
    return { kind: "query", form: "scalar", negated: false, operands: [], query, at };
  }
  const operands = cursor.list(() => cursor.grammar.expression(cursor), LIMITS.arguments);
  cursor.expect(")");
  const [first] = operands;
  if (first !== undefined && operands.length === 1) return first;
  return { kind: "operation", operator: "ROW", negated: false, operands, at };
}

function parseExists(cursor: Cursor): ParsedExpression {
  const { at } = cursor.next();
  if (!cursor.opensQuery()) cursor.unexpected("expected a query behind EXISTS");
  cursor.expect("(");
  const query = cursor.grammar.query(cursor);
  cursor.expect(")");
  return { kind: "query", form: "exists", negated: false, operands: [], query, at };
}

function parseCase(cursor: Cursor): ParsedExpression {
  const { at } = cursor.next();
  const operands: ParsedExpression[] = [];
  const hasBase = !cursor.sees("WHEN");
  if (hasBase) operands.push(cursor.grammar.expression(cursor));
  while (cursor.take("WHEN")) {
    if (operands.length >= LIMITS.arguments * 2) reject("SQL_TOO_COMPLEX", cursor.peek().at, "too many branches");
    operands.push(cursor.grammar.expression(cursor));
    cursor.expect("THEN");
    operands.push(cursor.grammar.expression(cursor));
  }
  if (operands.length < 2) cursor.unexpected("expected WHEN");
  const hasElse = cursor.take("ELSE");
  if (hasElse) operands.push(cursor.grammar.expression(cursor));
  cursor.expect("END");
  return { kind: "case", hasBase, hasElse, operands, at };
}

/** `INTERVAL 1 DAY + date`. */
function parseLeadingInterval(cursor: Cursor): ParsedExpression {
  const { at } = cursor.next();
  const amount = cursor.grammar.expression(cursor);
  const unit = parseUnit(cursor);
  cursor.expect("+");
  const date = cursor.nested(() => parseSimple(cursor));
  return { kind: "dateArithmetic", operator: "+", unit, operands: [date, amount], at };
}
