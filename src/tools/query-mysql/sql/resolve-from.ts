import { nearest } from "../nearest.ts";
import { foldCase } from "./characters.ts";
import { LIMITS } from "./limits.ts";
import type { ParsedFrom } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { ExpressionContext, Resolution, Surroundings } from "./resolution.ts";
import type { ResolvedColumn, ResolvedExpression, ResolvedFrom } from "./resolved.ts";
import { membersOfPath } from "./rewriting.ts";
import { BASE, columnsOfQuery, type Relation, type Scope, type ScopeColumn } from "./scope.ts";
import type { JoinType, JsonColumn } from "./syntax.ts";

type Part<K extends ParsedFrom["kind"]> = Extract<ParsedFrom, { kind: K }>;

/** A FROM resolved, and the names it brings. */
export interface ResolvedSource {
  readonly from: ResolvedFrom;
  readonly relations: readonly Relation[];
  readonly visible: readonly ScopeColumn[];
}

/** Resolves tables and joins. `before` is what stands to the left, which JSON_TABLE may use. */
export function resolveFrom(
  resolution: Resolution,
  node: ParsedFrom,
  surroundings: Surroundings,
  before: readonly ResolvedSource[] = [],
): ResolvedSource {
  switch (node.kind) {
    case "table":
      return resolveTable(resolution, node, surroundings);
    case "derived":
      return resolveDerived(resolution, node, surroundings);
    case "jsonTable":
      return resolveJsonTable(resolution, node, surroundings, before);
    case "join":
      return resolveJoin(resolution, node, surroundings, before);
  }
}

function single(from: ResolvedFrom, relation: Relation): ResolvedSource {
  return { from, relations: [relation], visible: relation.columns };
}

function resolveTable(resolution: Resolution, node: Part<"table">, { ctes }: Surroundings): ResolvedSource {
  const [first = "", second] = node.parts;
  const cte = node.parts.length === 1 ? ctes.get(first) : undefined;
  const relation = resolution.id("t");
  if (cte !== undefined) {
    const columns = columnsOfQuery(cte.outputs, relation, cte.names, node.at);
    return single(
      { kind: "cte", id: cte.id, relation },
      { name: node.alias ?? first, schema: null, columns, open: null },
    );
  }
  const schema = second === undefined ? resolution.schema.defaultSchema : first;
  const table = node.parts.length > 2 ? undefined : resolution.schema.table(schema, second ?? first);
  if (table === undefined) {
    const near = nearest(node.parts.at(-1) ?? "", resolution.schema.tables);
    return reject("SQL_TABLE", node.at, `there is no table ${node.parts.join(".")} that is available${near}`);
  }
  resolution.tables.add(`${table.schema}.${table.name}`);
  const columns = table.columns.map(({ name, folded, access, lineage }): ScopeColumn => {
    return {
      name,
      folded,
      access,
      column: {
        kind: "field",
        relation,
        name,
        lineage,
        sensitive: access === "sensitive",
        ...BASE,
      },
    };
  });
  return single(
    { kind: "table", schema: table.schema, table: table.name, relation },
    {
      name: node.alias ?? table.name,
      schema: node.alias === undefined ? table.schema : null,
      columns,
      open: table.open === true ? relation : null,
    },
  );
}

/** A derived table sees neither its siblings nor the query around it. */
function resolveDerived(resolution: Resolution, node: Part<"derived">, surroundings: Surroundings): ResolvedSource {
  const query = resolution.rules.query(resolution, node.query, { ...surroundings, outer: null });
  const relation = resolution.id("t");
  const columns = columnsOfQuery(query.outputs, relation, node.columns, node.at);
  return single({ kind: "derived", query, relation }, { name: node.alias, schema: null, columns, open: null });
}

function resolveJsonTable(
  resolution: Resolution,
  node: Part<"jsonTable">,
  surroundings: Surroundings,
  before: readonly ResolvedSource[],
): ResolvedSource {
  const seen = {
    relations: before.flatMap(({ relations }) => relations),
    visible: before.flatMap(({ visible }) => visible),
  };
  const context = contextOf(seen, surroundings);
  const document = resolution.rules.expression(resolution, node.document, context);
  const relation = resolution.id("t");
  const lineage = [...context.lineage];
  const columns = jsonColumns(node.columns).map(({ name, path }, index): ScopeColumn => {
    const column: ResolvedColumn = {
      kind: "field",
      relation,
      name: `j${index + 1}`,
      lineage,
      sensitive: false,
      bare: false,
      rewritten: true,
      members: [...context.members, ...membersOfPath(node.path), ...membersOfPath(path)],
    };
    return { name, folded: foldCase(name), access: "allowed", column };
  });
  const from = { kind: "jsonTable", document, path: node.path, columns: node.columns, relation } as const;
  return single(from, { name: node.alias, schema: null, columns, open: null });
}

/** Columns of a JSON_TABLE with the paths that lead to them, nested ones in order. */
function jsonColumns(columns: readonly JsonColumn[], outer = ""): readonly { name: string; path: string }[] {
  return columns.flatMap((column) => {
    if (column.kind === "ordinality") return [{ name: column.name, path: "" }];
    const path = outer + column.path;
    return column.kind === "nested" ? jsonColumns(column.columns, path) : [{ name: column.name, path }];
  });
}

function contextOf(
  { relations, visible }: Pick<ResolvedSource, "relations" | "visible">,
  surroundings: Surroundings,
): ExpressionContext {
  const scope: Scope = { relations, visible, aliases: new Map(), outer: surroundings.outer };
  return {
    ctes: surroundings.ctes,
    outer: surroundings.outer,
    scope,
    aggregates: false,
    windowCalls: false,
    windows: new Map(),
    insideAggregate: false,
    lineage: new Set(),
    members: new Set(),
  };
}

function resolveJoin(
  resolution: Resolution,
  node: Part<"join">,
  surroundings: Surroundings,
  before: readonly ResolvedSource[],
): ResolvedSource {
  const left = resolveFrom(resolution, node.left, surroundings, before);
  const right = resolveFrom(resolution, node.right, surroundings, [...before, left]);
  const relations = [...left.relations, ...right.relations];
  checkRelations(relations, node.at);
  const joined = { kind: "join", type: node.type, left: left.from, right: right.from } as const;
  if (node.using !== undefined) return resolveUsing(node, joined, left, right, relations);
  const visible = [...left.visible, ...right.visible];
  if (node.on === undefined) return { from: joined, relations, visible };
  const on = resolution.rules.expression(resolution, node.on, contextOf({ relations, visible }, surroundings));
  return { from: { ...joined, on }, relations, visible };
}

function checkRelations(relations: readonly Relation[], at: number): void {
  if (relations.length > LIMITS.relations) reject("SQL_TOO_COMPLEX", at, "too many tables in one FROM");
  const names = relations.map(({ name, schema }) => `${schema ?? ""}.${name}`);
  if (new Set(names).size < names.length)
    reject("SQL_AMBIGUOUS", at, "two tables have the same name; give them aliases");
}

/** USING and NATURAL as an explicit ON over the real columns of both sides. */
function resolveUsing(
  node: Part<"join">,
  joined: Extract<ResolvedFrom, { kind: "join" }>,
  left: ResolvedSource,
  right: ResolvedSource,
  relations: readonly Relation[],
): ResolvedSource {
  const names = node.using === "natural" ? commonNames(left, right) : (node.using ?? []);
  const pairs = names.map((name) => [oneColumn(left, name, node.at), oneColumn(right, name, node.at)] as const);
  const tests = pairs.map(([a, b]) => equality(a, b, node.at));
  const kept = pairs.map(([a, b]) => (node.type === "RIGHT" ? b : a));
  const folded = new Set(names.map(foldCase));
  // A right join is a left join from the other side, and a star shows it so.
  const sides = node.type === "RIGHT" ? [right, left] : [left, right];
  const rest = sides.flatMap(({ visible }) => visible).filter((column) => !folded.has(column.folded));
  const visible = [...kept, ...rest];
  const [first] = tests;
  if (first === undefined) return { from: { ...joined, type: crossOf(node.type) }, relations, visible };
  const on: ResolvedExpression =
    tests.length === 1 ? first : { kind: "operation", operator: "AND", negated: false, operands: tests, at: node.at };
  return { from: { ...joined, on }, relations, visible };
}

/** A NATURAL join without a common column pairs everything. */
function crossOf(type: JoinType): JoinType {
  return type === "INNER" ? "CROSS" : type;
}

function commonNames(left: ResolvedSource, right: ResolvedSource): readonly string[] {
  const names = new Set(right.visible.map(({ folded }) => folded));
  return left.visible.filter(({ folded }) => names.has(folded)).map(({ name }) => name);
}

function oneColumn({ visible }: ResolvedSource, name: string, at: number): ScopeColumn {
  const found = visible.filter((column) => column.folded === foldCase(name));
  const [column] = found;
  if (column === undefined || column.access === "hidden") {
    return reject("SQL_COLUMN", at, "the tables are joined over a column that is not available; write ON");
  }
  if (found.length > 1) reject("SQL_AMBIGUOUS", at, `${name} is a column of more than one table; write ON`);
  if (column.access === "sensitive") reject("SENSITIVE_COLUMN", at, "a sensitive column cannot be compared");
  return column;
}

function equality(left: ScopeColumn, right: ScopeColumn, at: number): ResolvedExpression {
  const operands = [left, right].map(({ column }): ResolvedExpression => ({ kind: "column", column, at }));
  return { kind: "operation", operator: "=", negated: false, operands, at };
}
