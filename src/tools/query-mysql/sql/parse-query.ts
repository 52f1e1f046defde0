import type { Cursor } from "./cursor.ts";
import { LIMITS } from "./limits.ts";
import { parseColumnNames } from "./parse-alias.ts";
import { parseSelect } from "./parse-select.ts";
import { parseOrderBy } from "./parse-window.ts";
import type { ParsedArm, ParsedBody, ParsedCte, ParsedQuery } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { Limit } from "./syntax.ts";

/** `[WITH …] body [ORDER BY …] [LIMIT …]`, with or without parentheses around it. */
export function parseQuery(cursor: Cursor): ParsedQuery {
  return cursor.nested(() => {
    const { at } = cursor.peek();
    const recursive = cursor.sees("WITH", "RECURSIVE");
    const ctes = cursor.take("WITH") ? parseCtes(cursor) : [];
    const body = parseBody(cursor);
    const orderBy = cursor.take("ORDER", "BY") ? parseOrderBy(cursor) : [];
    const limit = cursor.take("LIMIT") ? parseLimit(cursor) : undefined;
    return unwrap({ recursive, ctes, body, orderBy, at, ...(limit === undefined ? {} : { limit }) });
  });
}

/** `((q))` is q. */
function unwrap(query: ParsedQuery): ParsedQuery {
  return isBare(query) && query.body.kind === "nested" ? query.body.query : query;
}

function isBare({ ctes, orderBy, limit }: ParsedQuery): boolean {
  return ctes.length + orderBy.length === 0 && limit === undefined;
}

function parseCtes(cursor: Cursor): readonly ParsedCte[] {
  cursor.take("RECURSIVE");
  return cursor.list(() => parseCte(cursor), LIMITS.ctes);
}

function parseCte(cursor: Cursor): ParsedCte {
  const { at } = cursor.peek();
  const name = cursor.name("the name of a common table expression");
  const columns = parseColumnNames(cursor);
  cursor.expect("AS", "(");
  const query = parseQuery(cursor);
  cursor.expect(")");
  return { name, columns, query, at };
}

/** INTERSECT binds tighter than UNION and EXCEPT, which go from left to right. */
function parseBody(cursor: Cursor): ParsedBody {
  return parseSet(cursor, ["UNION", "EXCEPT"], () => parseSet(cursor, ["INTERSECT"], () => parseArm(cursor)));
}

function parseSet(
  cursor: Cursor,
  operators: readonly ("UNION" | "EXCEPT" | "INTERSECT")[],
  part: () => ParsedBody,
): ParsedBody {
  const { at } = cursor.peek();
  const first = part();
  const rest: ParsedArm[] = [];
  for (;;) {
    const operator = cursor.takeAny(operators);
    if (operator === undefined) break;
    const all = cursor.take("ALL");
    if (!all) cursor.take("DISTINCT");
    if (rest.length + 2 > LIMITS.setArms) reject("SQL_TOO_COMPLEX", cursor.peek().at, "too many set operations");
    rest.push({ operator, all, body: part() });
  }
  return rest.length === 0 ? first : { kind: "set", first, rest, at };
}

function parseArm(cursor: Cursor): ParsedBody {
  const { at, text } = cursor.peek();
  if (cursor.take("(")) {
    const query = parseQuery(cursor);
    cursor.expect(")");
    return isBare(query) ? query.body : { kind: "nested", query, at };
  }
  if (text === "VALUES" || text === "TABLE") reject("SQL_CLAUSE", at, `${text} is not available; write SELECT`);
  return parseSelect(cursor);
}

function parseLimit(cursor: Cursor): Limit {
  const { at } = cursor.peek();
  const first = parseCount(cursor);
  if (cursor.take(",")) return { count: parseCount(cursor), offset: first, at };
  return { count: first, offset: cursor.take("OFFSET") ? parseCount(cursor) : 0n, at };
}

function parseCount(cursor: Cursor): bigint {
  const token = cursor.next();
  if (token.text === "ROWS") reject("SQL_CLAUSE", token.at, "LIMIT ROWS EXAMINED is not available");
  if (token.kind !== "number" || !/^\d{1,20}$/.test(token.value)) {
    reject("SQL_LITERAL", token.at, "LIMIT and OFFSET take whole numbers");
  }
  return BigInt(token.value);
}
