import type { Cursor } from "./cursor.ts";
import { LIMITS } from "./limits.ts";
import type { ParsedOrderItem, ParsedWindow } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { FrameBound, WindowFrame } from "./syntax.ts";
import { INTERVAL_UNITS } from "./words.ts";

export function parseOrderBy(cursor: Cursor): readonly ParsedOrderItem[] {
  return cursor.list(() => {
    const expression = cursor.grammar.expression(cursor);
    const descending = cursor.take("DESC");
    if (!descending) cursor.take("ASC");
    return { expression, descending };
  }, LIMITS.orderItems);
}

/** GROUP BY items: a direction is not taken, since servers disagree on whether it orders. */
export function parseGroupBy(cursor: Cursor): readonly ParsedOrderItem[] {
  return cursor.list(() => ({ expression: cursor.grammar.expression(cursor), descending: false }), LIMITS.orderItems);
}

/** `OVER name` or `OVER (…)`. */
export function parseOver(cursor: Cursor): ParsedWindow | string {
  if (!cursor.take("(")) return cursor.name("a window name");
  const spec = cursor.nested(() => parseWindowSpec(cursor));
  cursor.expect(")");
  return spec;
}

/** What stands between the parentheses of a window. */
export function parseWindowSpec(cursor: Cursor): ParsedWindow {
  const startsClause = cursor.sees("ORDER", "BY") || cursor.seesAny(["ROWS", "RANGE", "PARTITION"]);
  const base = !startsClause && cursor.seesName() ? cursor.name("a window name") : undefined;
  const partitionBy = cursor.take("PARTITION", "BY")
    ? cursor.list(() => cursor.grammar.expression(cursor), LIMITS.orderItems)
    : [];
  const orderBy = cursor.take("ORDER", "BY") ? parseOrderBy(cursor) : [];
  const unit = cursor.takeAny(["ROWS", "RANGE"]);
  const frame = unit === undefined ? undefined : parseFrame(cursor, unit);
  return {
    partitionBy,
    orderBy,
    ...(base === undefined ? {} : { base }),
    ...(frame === undefined ? {} : { frame }),
  };
}

function parseFrame(cursor: Cursor, unit: "ROWS" | "RANGE"): WindowFrame {
  if (!cursor.take("BETWEEN")) return { unit, from: parseBound(cursor) };
  const from = parseBound(cursor);
  cursor.expect("AND");
  return { unit, from, to: parseBound(cursor) };
}

function parseBound(cursor: Cursor): FrameBound {
  if (cursor.take("CURRENT", "ROW")) return { type: "CURRENT ROW" };
  if (cursor.take("UNBOUNDED")) return { type: cursor.take("PRECEDING") ? "UNBOUNDED PRECEDING" : following(cursor) };
  const interval = cursor.take("INTERVAL");
  const token = cursor.next();
  if (token.kind !== "number" && !(interval && token.kind === "string")) {
    cursor.unexpected("expected a number of rows", token);
  }
  const type = token.kind === "number" ? "number" : "string";
  const amount = { kind: "literal", literal: { type, value: token.value }, at: token.at } as const;
  const unit = interval ? { unit: parseUnit(cursor) } : {};
  if (cursor.take("PRECEDING")) return { type: "PRECEDING", amount, ...unit };
  cursor.expect("FOLLOWING");
  return { type: "FOLLOWING", amount, ...unit };
}

function following(cursor: Cursor): "UNBOUNDED FOLLOWING" {
  cursor.expect("FOLLOWING");
  return "UNBOUNDED FOLLOWING";
}

/** The unit of an INTERVAL. */
export function parseUnit(cursor: Cursor): string {
  const token = cursor.next();
  const unit = token.text.replace(/^SQL_TSI_/, "");
  if (token.kind !== "word" || !INTERVAL_UNITS.has(unit)) reject("SQL_SYNTAX", token.at, "expected a unit of time");
  return unit;
}
