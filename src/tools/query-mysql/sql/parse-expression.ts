import type { Cursor } from "./cursor.ts";
import { LIMITS } from "./limits.ts";
import { parsePredicate } from "./parse-predicate.ts";
import type { ParsedExpression } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { ComparisonOperator, Operator } from "./syntax.ts";

const COMPARISONS = ["=", "<=>", "<>", "!=", "<=", ">=", "<", ">"] as const;

/** An expression by MySQL's own grammar: OR, XOR, AND, NOT, IS, comparisons, then predicates and arithmetic. */
export function parseExpression(cursor: Cursor): ParsedExpression {
  return cursor.nested(() =>
    flat(cursor, "OR", ["OR", "||"], () =>
      flat(cursor, "XOR", ["XOR"], () => flat(cursor, "AND", ["AND", "&&"], () => parseNot(cursor))),
    ),
  );
}

/** One node for a whole chain of one operator, however long. */
function flat(
  cursor: Cursor,
  operator: Operator,
  spellings: readonly string[],
  part: () => ParsedExpression,
): ParsedExpression {
  const { at } = cursor.peek();
  const first = part();
  if (!cursor.seesAny(spellings)) return first;
  const operands = [first];
  while (cursor.takeAny(spellings) !== undefined) {
    if (operands.length >= LIMITS.chain) reject("SQL_TOO_COMPLEX", cursor.peek().at, "too long a chain of conditions");
    operands.push(part());
  }
  return { kind: "operation", operator, negated: false, operands, at };
}

function parseNot(cursor: Cursor): ParsedExpression {
  const { at } = cursor.peek();
  if (!cursor.take("NOT")) return parseTruthTest(cursor);
  const operand = cursor.nested(() => parseNot(cursor));
  return { kind: "operation", operator: "NOT", negated: false, operands: [operand], at };
}

function parseTruthTest(cursor: Cursor): ParsedExpression {
  const tested = parseComparison(cursor);
  const { at } = cursor.peek();
  if (!cursor.sees("IS")) return tested;
  cursor.next();
  const negated = cursor.take("NOT");
  const word = cursor.takeAny(["TRUE", "FALSE", "UNKNOWN"]);
  if (word === undefined) return cursor.unexpected("expected NULL, TRUE, FALSE or UNKNOWN");
  const operator = word === "UNKNOWN" ? "IS NULL" : (`IS ${word}` as const);
  return { kind: "operation", operator, negated, operands: [tested], at };
}

function parseComparison(cursor: Cursor): ParsedExpression {
  let left = parsePredicate(cursor);
  for (let count = 0; ; count++) {
    const { at } = cursor.peek();
    if (count > LIMITS.comparisons) reject("SQL_TOO_COMPLEX", at, "too long a chain of comparisons");
    if (cursor.sees("IS", "NULL") || cursor.sees("IS", "NOT", "NULL")) {
      cursor.next();
      const negated = cursor.take("NOT");
      cursor.expect("NULL");
      left = { kind: "operation", operator: "IS NULL", negated, operands: [left], at };
      continue;
    }
    const symbol = cursor.takeAny(COMPARISONS);
    if (symbol === undefined) return left;
    left = parseCompared(cursor, left, symbol === "!=" ? "<>" : symbol, at);
  }
}

function parseCompared(
  cursor: Cursor,
  left: ParsedExpression,
  operator: ComparisonOperator,
  at: number,
): ParsedExpression {
  const word = cursor.sees("ANY") || cursor.sees("SOME") || cursor.sees("ALL") ? cursor.peek().text : "";
  if (word === "" || !cursor.opensQuery(1)) {
    return { kind: "operation", operator, negated: false, operands: [left, parsePredicate(cursor)], at };
  }
  cursor.next();
  cursor.expect("(");
  const query = cursor.grammar.query(cursor);
  cursor.expect(")");
  const form = word === "ALL" ? "all" : "any";
  return { kind: "query", form, negated: false, operator, operands: [left], query, at };
}
