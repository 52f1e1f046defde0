import { Cursor, type Grammar } from "./cursor.ts";
import { tokenize } from "./lexer.ts";
import { LIMITS } from "./limits.ts";
import { parseArithmetic } from "./parse-arithmetic.ts";
import { parseExpression } from "./parse-expression.ts";
import { parseQuery } from "./parse-query.ts";
import type { ParsedQuery } from "./parsed.ts";
import { reject } from "./rejection.ts";

const GRAMMAR: Grammar = { expression: parseExpression, arithmetic: parseArithmetic, query: parseQuery };

export interface ParseLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
}

/** The tree of exactly one query. Throws SqlRejection for everything else. */
export function parseStatement(
  sql: string,
  limits: ParseLimits = { maxBytes: LIMITS.bytes, maxDepth: LIMITS.depth },
): ParsedQuery {
  const cursor = new Cursor(tokenize(sql, Math.min(limits.maxBytes, LIMITS.bytes)), GRAMMAR, limits.maxDepth);
  const first = cursor.peek();
  if (!cursor.seesAny(["SELECT", "WITH", "("])) {
    reject("SQL_STATEMENT", first.at, first.kind === "end" ? "the statement is empty" : "only SELECT is allowed");
  }
  const query = parseQuery(cursor);
  if (cursor.take(";") && cursor.peek().kind !== "end") {
    reject("SQL_STATEMENT", cursor.peek().at, "only one statement is allowed");
  }
  if (cursor.peek().kind !== "end") cursor.unexpected("not understood");
  return query;
}
