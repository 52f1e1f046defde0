import type { Cursor } from "./cursor.ts";
import { LIMITS } from "./limits.ts";
import { parseAlias, parseColumnNames } from "./parse-alias.ts";
import { parseJsonTable } from "./parse-json-table.ts";
import type { ParsedExpression, ParsedFrom } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { JoinType } from "./syntax.ts";

type Condition = { readonly on?: ParsedExpression; readonly using?: readonly string[] | "natural" };

/** The tables behind FROM; undefined for `FROM DUAL`, which stands for no table. */
export function parseFrom(cursor: Cursor): ParsedFrom | undefined {
  if (cursor.take("DUAL")) return undefined;
  const parts = cursor.list(() => parseJoins(cursor), LIMITS.relationsInAll);
  return parts.reduce((left, right) => ({ kind: "join", type: "CROSS", left, right, at: right.at }));
}

function parseJoins(cursor: Cursor, first: ParsedFrom = parseRelation(cursor)): ParsedFrom {
  let left = first;
  for (let joins = 0; ; joins++) {
    const { at } = cursor.peek();
    const join = parseJoinWord(cursor);
    if (join === undefined) return left;
    if (joins >= LIMITS.relationsInAll) reject("SQL_TOO_COMPLEX", at, "too many joins");
    const right = parseRightSide(cursor, join);
    const condition = join.natural ? { using: "natural" as const } : parseCondition(cursor, join.type);
    left = { kind: "join", type: join.type, left, right, at, ...condition };
  }
}

/** In `a LEFT JOIN b JOIN c ON … ON …` the condition of the outer join comes last, so its right side is a join. */
function parseRightSide(cursor: Cursor, join: JoinWord): ParsedFrom {
  const relation = parseRelation(cursor);
  const needsCondition = !join.natural && (join.type === "LEFT" || join.type === "RIGHT");
  if (!needsCondition || cursor.sees("ON") || cursor.sees("USING")) return relation;
  return cursor.nested(() => parseJoins(cursor, relation));
}

interface JoinWord {
  readonly type: JoinType;
  readonly natural: boolean;
}

function parseJoinWord(cursor: Cursor): JoinWord | undefined {
  if (cursor.take("STRAIGHT_JOIN")) return { type: "INNER", natural: false };
  const natural = cursor.take("NATURAL");
  const side = cursor.takeAny(["LEFT", "RIGHT", "INNER", "CROSS"]);
  if (side === "LEFT" || side === "RIGHT") cursor.take("OUTER");
  if (side === undefined && !natural && !cursor.sees("JOIN")) return undefined;
  cursor.expect("JOIN");
  if (natural && side === "CROSS") cursor.unexpected("NATURAL and CROSS exclude each other");
  return { type: side ?? "INNER", natural };
}

function parseCondition(cursor: Cursor, type: JoinType): Condition {
  if (cursor.take("ON")) return { on: cursor.grammar.expression(cursor) };
  if (cursor.take("USING")) {
    if (!cursor.sees("(")) cursor.unexpected("expected the columns of USING in parentheses");
    return { using: parseColumnNames(cursor) };
  }
  if (type === "LEFT" || type === "RIGHT") cursor.unexpected("an outer join needs ON or USING");
  return {};
}

function parseRelation(cursor: Cursor): ParsedFrom {
  const { at } = cursor.peek();
  cursor.countRelation();
  if (cursor.opensQuery()) return parseDerived(cursor);
  if (cursor.take("(")) {
    const inner = cursor.nested(() => parseFrom(cursor));
    cursor.expect(")");
    return inner ?? cursor.unexpected("expected a table");
  }
  if (cursor.sees("JSON_TABLE", "(")) return parseJsonTable(cursor);
  return parseTable(cursor, at);
}

function parseDerived(cursor: Cursor): ParsedFrom {
  const { at } = cursor.peek();
  cursor.expect("(");
  const query = cursor.grammar.query(cursor);
  cursor.expect(")");
  const alias = parseAlias(cursor, false);
  if (alias === undefined) cursor.unexpected("a derived table needs an alias");
  return { kind: "derived", query, alias, columns: parseColumnNames(cursor), at };
}

function parseTable(cursor: Cursor, at: number): ParsedFrom {
  const parts = [cursor.name("a table")];
  while (parts.length < 4 && cursor.take(".")) parts.push(cursor.nameAfterDot());
  if (cursor.sees("(")) reject("SQL_FUNCTION", at, "a function cannot stand for a table");
  const alias = parseAlias(cursor, false);
  skipIndexHints(cursor);
  return { kind: "table", parts, at, ...(alias === undefined ? {} : { alias }) };
}

/** Index hints change how a server works, never what it answers: they are read and dropped. */
function skipIndexHints(cursor: Cursor): void {
  for (let hints = 0; cursor.seesAny(["USE", "FORCE", "IGNORE"]); hints++) {
    if (hints >= LIMITS.relations) cursor.unexpected("too many index hints");
    cursor.next();
    if (cursor.takeAny(["INDEX", "KEY"]) === undefined) cursor.unexpected("expected INDEX");
    if (cursor.take("FOR") && !cursor.take("JOIN") && !cursor.take("ORDER", "BY")) cursor.expect("GROUP", "BY");
    cursor.expect("(");
    if (cursor.take(")")) continue;
    cursor.list(() => (cursor.take("PRIMARY") ? "PRIMARY" : cursor.name("an index")), LIMITS.arguments);
    cursor.expect(")");
  }
}
