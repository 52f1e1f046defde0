import type { Coverage } from "../../model/scope.ts";
import { canonicalExpression, canonicalFrom, conditions } from "./sql/canonical.ts";
import type { ResolvedStatement } from "./sql/resolve-query.ts";
import type { ResolvedExpression, ResolvedFrom, ResolvedSelect } from "./sql/resolved.ts";

/** Rows change: an older answer speaks for a narrower question only this long. */
const MAX_AGE_MS = 60_000;

/**
 * The region a plain statement speaks for. Null for anything an added condition could change in another way than by leaving
 * rows out: aggregates, set operations, subqueries, windows, the clock.
 */
export function coverageOf({ query, usesClock }: ResolvedStatement, datasource: string): Coverage | null {
  const select = query.body;
  if (select.kind !== "select" || query.ctes.length > 0 || usesClock) return null;
  if (!isPlain(select)) return null;
  const { tables, filters } = regionOf(select.from);
  const where = conditions(select.where);
  return {
    family: `sql:${datasource}:${tables}`,
    filters: [...new Set([...filters, ...where])].sort(),
    columns: select.items.map(canonicalExpression),
    maxAgeMs: MAX_AGE_MS,
    // A cut or merged answer lacks rows of its region: an earlier one can speak for it, but it for none.
    ...(query.limit !== undefined || select.distinct ? { partial: true } : {}),
  };
}

function isPlain(select: ResolvedSelect): boolean {
  const counted = select.aggregated || select.windowed || select.groupBy.length > 0;
  if (counted || select.having !== undefined || select.from === undefined || !isFlat(select.from)) return false;
  return [...select.items, ...(select.where === undefined ? [] : [select.where])].every(isSimple);
}

function isFlat(from: ResolvedFrom): boolean {
  if (from.kind === "join")
    return isFlat(from.left) && isFlat(from.right) && (from.on === undefined || isSimple(from.on));
  return from.kind === "table";
}

function isSimple(expression: ResolvedExpression): boolean {
  if (expression.kind === "query") return false;
  return "operands" in expression ? expression.operands.every(isSimple) : true;
}

/** Conditions of inner joins narrow like WHERE; an outer join is part of what the tables are. */
function regionOf(from: ResolvedFrom | undefined): { readonly tables: string; readonly filters: readonly string[] } {
  if (from === undefined) return { tables: "", filters: [] };
  if (from.kind !== "join") return { tables: canonicalFrom(from), filters: [] };
  if (from.type === "LEFT" || from.type === "RIGHT") return { tables: canonicalFrom(from), filters: [] };
  const left = regionOf(from.left);
  const right = regionOf(from.right);
  return {
    tables: `${left.tables},${right.tables}`,
    filters: [...left.filters, ...right.filters, ...conditions(from.on)],
  };
}
