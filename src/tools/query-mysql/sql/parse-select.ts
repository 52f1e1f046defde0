import type { Cursor } from "./cursor.ts";
import { LIMITS } from "./limits.ts";
import { parseAlias } from "./parse-alias.ts";
import { parseFrom } from "./parse-from.ts";
import { parseGroupBy, parseWindowSpec } from "./parse-window.ts";
import type { ColumnName, ParsedItem, ParsedQuery, ParsedSelect } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { NamedWindow } from "./syntax.ts";

/** One SELECT without its ORDER BY and LIMIT, which belong to the query around it. */
export function parseSelect(cursor: Cursor): ParsedSelect {
  const { at } = cursor.peek();
  cursor.expect("SELECT");
  const distinct = parseQuantifier(cursor);
  const items = parseItems(cursor);
  const from = cursor.take("FROM") ? parseFrom(cursor) : undefined;
  const where = cursor.take("WHERE") ? cursor.grammar.expression(cursor) : undefined;
  const groupBy = cursor.take("GROUP", "BY") ? parseGroupBy(cursor) : [];
  const rollup = groupBy.length > 0 && cursor.take("WITH", "ROLLUP");
  const having = cursor.take("HAVING") ? cursor.grammar.expression(cursor) : undefined;
  const windows = cursor.take("WINDOW") ? parseNamedWindows(cursor) : [];
  const optional = {
    ...(from === undefined ? {} : { from }),
    ...(where === undefined ? {} : { where }),
    ...(having === undefined ? {} : { having }),
  };
  return { kind: "select", distinct, items, groupBy, rollup, windows, at, ...optional };
}

function parseQuantifier(cursor: Cursor): boolean {
  if (cursor.take("ALL")) return false;
  const distinct = cursor.take("DISTINCT") || cursor.take("DISTINCTROW");
  cursor.take("STRAIGHT_JOIN");
  return distinct;
}

function parseItems(cursor: Cursor): readonly ParsedItem[] {
  let index = 0;
  return cursor.list(() => parseItem(cursor, index++), LIMITS.selectItems);
}

function parseItem(cursor: Cursor, index: number): ParsedItem {
  const { at } = cursor.peek();
  if (cursor.take("*")) {
    if (index > 0) reject("SQL_SYNTAX", at, "a bare * must be the first item; qualify it with its table");
    return { kind: "star", qualifier: [], at };
  }
  const qualifier = parseStarQualifier(cursor);
  if (qualifier !== null) return { kind: "star", qualifier, at };
  const from = cursor.peek();
  const expression = cursor.grammar.expression(cursor);
  const alias = parseAlias(cursor, true);
  if (alias !== undefined) return { kind: "expression", expression, name: alias, named: true };
  return { kind: "expression", expression, name: shownName(expression, from.value), named: false };
}

function parseStarQualifier(cursor: Cursor): readonly string[] | null {
  const parts: string[] = [];
  let ahead = 0;
  while (cursor.peek(ahead + 1).text === "." && ["word", "quoted"].includes(cursor.peek(ahead).kind)) {
    parts.push(cursor.peek(ahead).value);
    ahead += 2;
  }
  if (parts.length === 0 || cursor.peek(ahead).text !== "*") return null;
  for (let i = 0; i <= ahead; i++) cursor.next();
  return parts;
}

/** The name a column without an alias is shown under. */
function shownName(expression: ParsedItemExpression, text: string): string {
  if (expression.kind === "column") return expression.column.parts.at(-1) ?? text;
  if (expression.kind === "call") return expression.name.toLowerCase();
  return expression.kind === "literal" ? text.slice(0, LIMITS.identifier) : expression.kind;
}
type ParsedItemExpression = Extract<ParsedItem, { kind: "expression" }>["expression"];

function parseNamedWindows(cursor: Cursor): readonly NamedWindow<ColumnName, ParsedQuery>[] {
  return cursor.list(() => {
    const name = cursor.name("a window name");
    cursor.expect("AS", "(");
    const spec = parseWindowSpec(cursor);
    cursor.expect(")");
    return { name, spec };
  }, LIMITS.ctes);
}
