import type { Cursor } from "./cursor.ts";
import { LIMITS } from "./limits.ts";
import { parseCastTarget } from "./parse-cast.ts";
import { parseOrderBy, parseUnit } from "./parse-window.ts";
import type { ParsedExpression, ParsedOrderItem } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { Token } from "./token.ts";

/** What a call with a syntax of its own comes to, before its arguments are checked. */
export interface SpecialForm {
  readonly name: string;
  readonly operands: readonly ParsedExpression[];
  readonly keyword?: string;
  readonly distinct?: boolean;
  readonly star?: boolean;
  readonly orderBy?: readonly ParsedOrderItem[];
  readonly separator?: string;
}

type Rule = (cursor: Cursor, token: Token) => ParsedExpression | SpecialForm;

const AGGREGATES = ["AVG", "BIT_AND", "BIT_OR", "BIT_XOR", "COUNT", "MAX", "MIN", "SUM"];

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["CAST", parseCast],
  ["CONVERT", parseConvert],
  ["EXTRACT", parseExtract],
  ["TRIM", parseTrim],
  ["POSITION", parsePosition],
  ["CHAR", parseChar],
  ["GROUP_CONCAT", parseGroupConcat],
  ...["SUBSTRING", "SUBSTR", "MID"].map((name) => [name, parseSubstring] as const),
  ...["DATE_ADD", "DATE_SUB", "ADDDATE", "SUBDATE"].map((name) => [name, parseDateArithmetic] as const),
  ...["TIMESTAMPDIFF", "TIMESTAMPADD"].map((name) => [name, parseUnitCall] as const),
  ...AGGREGATES.map((name) => [name, parseAggregate] as const),
]);

/** The call behind a name that has a syntax of its own; null when it has none. The name itself is taken already. */
export function parseSpecialForm(cursor: Cursor, token: Token): ParsedExpression | SpecialForm | null {
  const rule = RULES.get(token.text);
  if (rule === undefined) return null;
  cursor.expect("(");
  const form = cursor.nested(() => rule(cursor, token));
  cursor.expect(")");
  return form;
}

function parseCast(cursor: Cursor, { at }: Token): ParsedExpression {
  const operand = cursor.grammar.expression(cursor);
  cursor.expect("AS");
  return { kind: "cast", target: parseCastTarget(cursor, "cast"), operands: [operand], at };
}

function parseConvert(cursor: Cursor, { at }: Token): ParsedExpression {
  const operand = cursor.grammar.expression(cursor);
  if (cursor.take(",")) return { kind: "cast", target: parseCastTarget(cursor, "cast"), operands: [operand], at };
  cursor.expect("USING");
  if (!cursor.take("UTF8MB4")) reject("SQL_CLAUSE", cursor.peek().at, "the only character set is utf8mb4");
  return { kind: "cast", target: { type: "USING" }, operands: [operand], at };
}

/** `CHAR(77, 121 USING utf8mb4)`; without USING it gives bytes. */
function parseChar(cursor: Cursor): SpecialForm {
  const operands = cursor.list(() => cursor.grammar.expression(cursor), LIMITS.arguments);
  if (!cursor.take("USING")) return { name: "CHAR", operands };
  if (!cursor.take("UTF8MB4")) reject("SQL_CLAUSE", cursor.peek().at, "the only character set is utf8mb4");
  return { name: "CHAR", operands, keyword: "USING" };
}

function parseExtract(cursor: Cursor): SpecialForm {
  const keyword = parseUnit(cursor);
  cursor.expect("FROM");
  return { name: "EXTRACT", keyword, operands: [cursor.grammar.expression(cursor)] };
}

function parseTrim(cursor: Cursor): SpecialForm {
  const keyword = cursor.takeAny(["LEADING", "TRAILING", "BOTH"]);
  const side = keyword === undefined ? {} : { keyword };
  if (keyword !== undefined && cursor.take("FROM")) {
    return { name: "TRIM", operands: [cursor.grammar.expression(cursor)], ...side };
  }
  const first = cursor.grammar.expression(cursor);
  if (!cursor.take("FROM")) {
    if (keyword !== undefined) cursor.unexpected("expected FROM");
    return { name: "TRIM", operands: [first] };
  }
  return { name: "TRIM", operands: [cursor.grammar.expression(cursor), first], ...side };
}

/** `SUBSTRING(text FROM 2 FOR 3)` is `SUBSTRING(text, 2, 3)`. */
function parseSubstring(cursor: Cursor, { text: name }: Token): SpecialForm {
  const operands = [cursor.grammar.expression(cursor)];
  if (!cursor.take("FROM")) {
    while (operands.length < 4 && cursor.take(",")) operands.push(cursor.grammar.expression(cursor));
    return { name, operands };
  }
  operands.push(cursor.grammar.expression(cursor));
  if (cursor.take("FOR")) operands.push(cursor.grammar.expression(cursor));
  return { name, operands };
}

/** `POSITION(a IN b)` is `LOCATE(a, b)`. */
function parsePosition(cursor: Cursor): SpecialForm {
  const needle = cursor.grammar.arithmetic(cursor);
  cursor.expect("IN");
  return { name: "LOCATE", operands: [needle, cursor.grammar.expression(cursor)] };
}

function parseDateArithmetic(cursor: Cursor, { text, at }: Token): ParsedExpression {
  const date = cursor.grammar.expression(cursor);
  cursor.expect(",");
  const operator = text.endsWith("ADD") || text.startsWith("ADD") ? "+" : "-";
  if (cursor.take("INTERVAL")) {
    const amount = cursor.grammar.expression(cursor);
    return { kind: "dateArithmetic", operator, unit: parseUnit(cursor), operands: [date, amount], at };
  }
  if (text.startsWith("DATE_")) cursor.unexpected("expected INTERVAL");
  return { kind: "dateArithmetic", operator, unit: "DAY", operands: [date, cursor.grammar.expression(cursor)], at };
}

function parseUnitCall(cursor: Cursor, { text: name }: Token): SpecialForm {
  const keyword = parseUnit(cursor);
  cursor.expect(",");
  const first = cursor.grammar.expression(cursor);
  cursor.expect(",");
  return { name, keyword, operands: [first, cursor.grammar.expression(cursor)] };
}

function parseAggregate(cursor: Cursor, { text: name, at }: Token): SpecialForm {
  if (name === "COUNT" && cursor.take("*")) return { name, operands: [], star: true };
  const distinct = cursor.take("DISTINCT");
  if (!distinct) cursor.take("ALL");
  const operands = cursor.list(() => cursor.grammar.expression(cursor), LIMITS.arguments);
  if (operands.length > 1 && !distinct) reject("SQL_FUNCTION", at, `${name} takes another number of arguments`);
  return { name, operands, distinct };
}

function parseGroupConcat(cursor: Cursor, { text: name }: Token): SpecialForm {
  const distinct = cursor.take("DISTINCT");
  const operands = cursor.list(() => cursor.grammar.expression(cursor), LIMITS.arguments);
  const orderBy = cursor.take("ORDER", "BY") ? parseOrderBy(cursor) : [];
  if (!cursor.take("SEPARATOR")) return { name, operands, distinct, orderBy };
  const { at } = cursor.peek();
  const separator = cursor.string("a separator");
  if (!/^[ -&(-[\]-~\n\t]{0,16}$/.test(separator))
    reject("SQL_LITERAL", at, "a separator of this form is not supported");
  return { name, operands, distinct, orderBy, separator };
}
