import type { Cursor } from "./cursor.ts";
import { LIMITS } from "./limits.ts";
import { parseArithmetic } from "./parse-arithmetic.ts";
import { parseSimple } from "./parse-simple.ts";
import type { ParsedExpression } from "./parsed.ts";
import { checkPattern } from "./pattern.ts";
import { reject } from "./rejection.ts";
import type { Operator } from "./syntax.ts";

type ParsedOperation = Extract<ParsedExpression, { kind: "operation" }>;

/** Arithmetic, or a test of it: IN, BETWEEN, LIKE, REGEXP, MEMBER OF. */
export function parsePredicate(cursor: Cursor): ParsedExpression {
  const left = parseArithmetic(cursor);
  const { at } = cursor.peek();
  const negated = cursor.sees("NOT") && ["IN", "BETWEEN", "LIKE", "REGEXP", "RLIKE"].includes(cursor.peek(1).text);
  if (negated) cursor.next();
  const test = (operator: Operator, operands: readonly ParsedExpression[]): ParsedOperation => ({
    kind: "operation",
    operator,
    negated,
    operands: [left, ...operands],
    at,
  });
  switch (cursor.takeAny(["IN", "BETWEEN", "LIKE", "REGEXP", "RLIKE", "SOUNDS", "MEMBER"])) {
    case "IN":
      return parseIn(cursor, left, negated, at);
    case "BETWEEN":
      return test("BETWEEN", parseBounds(cursor));
    case "LIKE":
      return parseLike(cursor, test);
    case "REGEXP":
    case "RLIKE":
      return test("REGEXP", [parsePattern(cursor)]);
    case "SOUNDS":
      cursor.expect("LIKE");
      return soundsLike(left, parseArithmetic(cursor), at);
    case "MEMBER":
      cursor.expect("OF");
      return test("MEMBER OF", [parseSimple(cursor)]);
    default:
      return left;
  }
}

/** `a SOUNDS LIKE b` is short for a comparison of two calls. */
function soundsLike(left: ParsedExpression, right: ParsedExpression, at: number): ParsedExpression {
  const sound = (operand: ParsedExpression): ParsedExpression => ({
    kind: "call",
    name: "SOUNDEX",
    operands: [operand],
    distinct: false,
    star: false,
    orderBy: [],
    at,
  });
  return { kind: "operation", operator: "=", negated: false, operands: [sound(left), sound(right)], at };
}

function parseIn(cursor: Cursor, left: ParsedExpression, negated: boolean, at: number): ParsedExpression {
  const isQuery = cursor.opensQuery();
  cursor.expect("(");
  if (isQuery) {
    const query = cursor.grammar.query(cursor);
    cursor.expect(")");
    return { kind: "query", form: "in", negated, operands: [left], query, at };
  }
  const items = cursor.nested(() => cursor.list(() => cursor.grammar.expression(cursor), LIMITS.inItems));
  cursor.expect(")");
  return { kind: "operation", operator: "IN", negated, operands: [left, ...items], at };
}

function parseBounds(cursor: Cursor): readonly ParsedExpression[] {
  const low = parseArithmetic(cursor);
  cursor.expect("AND");
  return [low, cursor.nested(() => parsePredicate(cursor))];
}

function parseLike(
  cursor: Cursor,
  test: (operator: Operator, operands: readonly ParsedExpression[]) => ParsedOperation,
): ParsedExpression {
  const pattern = parseSimple(cursor);
  const like = test("LIKE", [pattern]);
  if (!cursor.take("ESCAPE")) return like;
  const { at } = cursor.peek();
  const detail = cursor.string("one character");
  if (!/^[!-&(-~]?$/.test(detail)) reject("SQL_LITERAL", at, "an escape character that is not supported");
  return { ...like, detail };
}

/** A pattern of REGEXP: written in the statement, short, and free of what makes a matcher run for ever. */
function parsePattern(cursor: Cursor): ParsedExpression {
  const pattern = parseArithmetic(cursor);
  const bare = pattern.kind === "operation" && pattern.operator === "BINARY" ? pattern.operands[0] : pattern;
  checkPattern(bare, pattern.at);
  return pattern;
}
