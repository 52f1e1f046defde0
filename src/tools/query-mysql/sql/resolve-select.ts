import { foldCase } from "./characters.ts";
import { LIMITS } from "./limits.ts";
import type { ParsedExpression, ParsedItem, ParsedOrderItem, ParsedSelect } from "./parsed.ts";
import { aliasPrefixBeside } from "./readable-schema.ts";
import { reject } from "./rejection.ts";
import type { ExpressionContext, Resolution, Surroundings } from "./resolution.ts";
import { resolveSelectable, resolveWindow } from "./resolve-expression.ts";
import { type ResolvedSource, resolveFrom } from "./resolve-from.ts";
import { type Item, SelectNames } from "./resolve-names.ts";
import type { ResolvedExpression, ResolvedOrderItem, ResolvedSelect } from "./resolved.ts";
import { rewritesText } from "./rewriting.ts";
import { findRelation, openScopeColumn, type Scope, type ScopeColumn } from "./scope.ts";
import { widthOf } from "./width.ts";

/** One SELECT, with the ORDER BY of the query it is the whole body of. */
export function resolveSelect(
  resolution: Resolution,
  node: ParsedSelect,
  orderBy: readonly ParsedOrderItem[],
  surroundings: Surroundings,
): { readonly select: ResolvedSelect; readonly orderBy: readonly ResolvedOrderItem[] } {
  const { seen } = resolution;
  const outside = { aggregate: seen.aggregate, window: seen.window };
  seen.aggregate = false;
  seen.window = false;
  const source = node.from === undefined ? null : resolveFrom(resolution, node.from, surroundings);
  const context = contextOf(source, surroundings, windowNames(resolution, node), aliasesOf(node));
  const where = node.where === undefined ? undefined : resolution.rules.expression(resolution, node.where, context);
  const items = resolveItems(resolution, node, { ...context, aggregates: true, windowCalls: true });
  const names = new SelectNames(items, context.scope);
  const groupBy = node.groupBy.map(({ expression }) =>
    resolvePlaced(resolution, expression, context, names, "grouped"),
  );
  const aggregate = { ...context, aggregates: true };
  const having = resolveHaving(resolution, node, aggregate, names, groupBy);
  const windows = node.windows.map(({ name, spec }) => ({
    name: context.windows.get(foldCase(name)) ?? name,
    spec: resolveWindow(resolution, spec, node.at, aggregate),
  }));
  const ordering = { ...aggregate, windowCalls: true };
  const ordered = orderBy.map(({ expression, descending }) => ({
    expression: resolvePlaced(resolution, expression, ordering, names, "ordered"),
    descending,
  }));
  const { aggregate: aggregated, window: windowed } = seen;
  seen.aggregate = outside.aggregate;
  seen.window = outside.window;
  const outputs = items.map(({ output }) => output);
  if (node.distinct && outputs.some(({ sensitive }) => sensitive)) refuseComparison(node.at);
  const rest = { distinct: node.distinct, rollup: node.rollup, groupBy, windows, aggregated, windowed };
  const optional = {
    ...(source === null ? {} : { from: source.from }),
    ...(where === undefined ? {} : { where }),
    ...(having === undefined ? {} : { having }),
  };
  const select: ResolvedSelect = {
    kind: "select",
    items: items.map((item) => item.expression),
    outputs,
    ...rest,
    ...optional,
  };
  return { select, orderBy: ordered };
}

/** DISTINCT and set operations compare rows: whether two values are equal would show. */
export function refuseComparison(at: number): never {
  return reject("SENSITIVE_COLUMN", at, "rows with a sensitive column cannot be compared (DISTINCT, UNION)");
}

function contextOf(
  source: ResolvedSource | null,
  surroundings: Surroundings,
  windows: ReadonlyMap<string, string>,
  aliases: Scope["aliases"] = new Map(),
): ExpressionContext {
  const scope: Scope = {
    relations: source?.relations ?? [],
    visible: source?.visible ?? [],
    aliases,
    outer: surroundings.outer,
  };
  return {
    ctes: surroundings.ctes,
    outer: surroundings.outer,
    scope,
    aggregates: false,
    windowCalls: false,
    windows,
    insideAggregate: false,
    lineage: new Set(),
    members: new Set(),
  };
}

function aliasesOf({ items }: ParsedSelect): Scope["aliases"] {
  const aliases = new Map<string, (readonly string[] | null)[]>();
  for (const item of items) {
    if (item.kind === "star" || !item.named) continue;
    const { expression, name } = item;
    const column = expression.kind === "column" ? expression.column.parts : null;
    aliases.set(foldCase(name), [...(aliases.get(foldCase(name)) ?? []), column]);
  }
  return aliases;
}

function windowNames(resolution: Resolution, node: ParsedSelect): ReadonlyMap<string, string> {
  return new Map(node.windows.map(({ name }) => [foldCase(name), resolution.id("w")]));
}

function resolveItems(resolution: Resolution, node: ParsedSelect, context: ExpressionContext): readonly Item[] {
  const items: Item[] = [];
  const columns = (context.scope?.relations ?? []).flatMap((relation) => relation.columns);
  const names = columns.map(({ column }) => column.name);
  const prefix = aliasPrefixBeside(names, resolution.schema.aliasPrefix);
  for (const item of node.items) {
    for (const made of resolveItem(resolution, item, context)) {
      const alias = `${prefix}${items.length + 1}`;
      items.push({ ...made, output: { ...made.output, alias } });
    }
    if (items.length > LIMITS.outputColumns) reject("SQL_TOO_COMPLEX", node.at, "too many columns");
  }
  return items;
}

function resolveItem(resolution: Resolution, item: ParsedItem, context: ExpressionContext): readonly Item[] {
  if (item.kind === "star") return starColumns(item.qualifier, context, item.at).map(itemOfColumn(item.at));
  context.lineage.clear();
  context.members.clear();
  const expression = resolveSelectable(resolution, item.expression, context);
  if (widthOf(expression) !== 1) reject("SQL_SYNTAX", expression.at, "a row cannot be selected");
  const { sensitive, bare } = expression.kind === "column" ? expression.column : { sensitive: false, bare: false };
  const rewritten = rewritesText(expression);
  const members = rewritten ? [...context.members] : [];
  const output = { alias: "", name: item.name, lineage: [...context.lineage], sensitive, bare, rewritten, members };
  return [{ expression, output, named: item.named }];
}

function itemOfColumn(at: number): (column: ScopeColumn) => Item {
  return ({ name, column }) => {
    const { lineage, sensitive, bare, rewritten, members } = column;
    const output = { alias: "", name, lineage, sensitive, bare, rewritten, members };
    return { expression: { kind: "column", column, at }, output, named: false };
  };
}

/** The columns a star stands for: those that may be read, in the order of the tables. */
function starColumns(qualifier: readonly string[], { scope }: ExpressionContext, at: number): readonly ScopeColumn[] {
  const relation = qualifier.length === 0 || scope === null ? null : findRelation(scope, qualifier);
  if (qualifier.length > 0 && relation === null) {
    return reject("SQL_TABLE", at, `there is no ${qualifier.join(".")} in FROM`);
  }
  const relations = relation === null ? (scope?.relations ?? []) : [relation];
  if (relations.length === 0) return reject("SQL_SYNTAX", at, "* needs a FROM");
  const open = relations.flatMap(({ open: id }) => (id === null ? [] : [openScopeColumn(id, "*")]));
  const columns = relation === null ? (scope?.visible ?? []) : relation.columns;
  return [...columns.filter(({ access }) => access !== "hidden"), ...open];
}

/** An item of GROUP BY or ORDER BY: a position, a name, or an expression. */
function resolvePlaced(
  resolution: Resolution,
  node: ParsedExpression,
  context: ExpressionContext,
  names: SelectNames,
  clause: "grouped" | "ordered",
): ResolvedExpression {
  const bareName = clause === "ordered" ? names.orderedName : names.groupedName;
  const rule = node.kind === "column" ? bareName : names.innerName;
  const resolved = isPosition(node)
    ? names.reference(Number(node.literal.value) - 1, node.at)
    : names.folded(resolution.rules.expression(resolution, node, { ...context, names: rule }));
  if (widthOf(resolved) !== 1) reject("SQL_SYNTAX", node.at, "a row cannot be ordered or grouped by");
  if (resolved.kind === "column" && resolved.column.sensitive) {
    reject("SENSITIVE_COLUMN", node.at, "a sensitive column cannot be ordered or grouped by");
  }
  return resolved;
}

function isPosition(node: ParsedExpression): node is Extract<ParsedExpression, { kind: "literal" }> & {
  readonly literal: { readonly value: string };
} {
  return node.kind === "literal" && node.literal.type === "number" && /^\d{1,9}$/.test(node.literal.value);
}

function resolveHaving(
  resolution: Resolution,
  node: ParsedSelect,
  context: ExpressionContext,
  names: SelectNames,
  groupBy: readonly ResolvedExpression[],
): ResolvedExpression | undefined {
  if (node.having === undefined) return undefined;
  return resolution.rules.expression(resolution, node.having, { ...context, names: names.havingName(groupBy) });
}

/** ORDER BY of a set operation or of a query in parentheses: output columns alone are in sight. */
export function resolveOutputOrder(
  resolution: Resolution,
  orderBy: readonly ParsedOrderItem[],
  items: readonly Item[],
  surroundings: Surroundings,
): readonly ResolvedOrderItem[] {
  const names = new SelectNames(items, null);
  const context = contextOf(null, { ...surroundings, outer: null }, new Map());
  return orderBy.map(({ expression, descending }) => ({
    expression: resolvePlaced(resolution, expression, context, names, "ordered"),
    descending,
  }));
}
