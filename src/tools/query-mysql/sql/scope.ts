import { nearest } from "../nearest.ts";
import { foldCase } from "./characters.ts";
import type { Access } from "./readable-schema.ts";
import { reject } from "./rejection.ts";
import type { OutputColumn, ResolvedColumn } from "./resolved.ts";

/** A column that can be named in a scope. */
export interface ScopeColumn {
  readonly name: string;
  /** The name as it is compared. */
  readonly folded: string;
  readonly access: Access;
  readonly column: ResolvedColumn;
}

/** One table, derived table or common table expression in FROM, under the name the statement knows it by. */
export interface Relation {
  readonly name: string;
  /** Set for a base table without an alias: it may be qualified by its schema. */
  readonly schema: string | null;
  readonly columns: readonly ScopeColumn[];
  readonly open: string | null;
}

/** The names one FROM brings, and those around it. */
export interface Scope {
  readonly relations: readonly Relation[];
  /** What an unqualified name or a bare star sees: joined columns of USING once. */
  readonly visible: readonly ScopeColumn[];
  /** Aliases of the select list, folded, with the column that each stands for; null for an expression. */
  readonly aliases: ReadonlyMap<string, readonly (readonly string[] | null)[]>;
  readonly outer: Scope | null;
}

/** The column of this name in the innermost scope that has one, hidden columns included. Null when there is none at all. */
export function findColumn(scope: Scope | null, parts: readonly string[], at: number): ScopeColumn | null {
  for (let current = scope; current !== null; current = current.outer) {
    const found = findHere(current, parts, at);
    if (found !== null) return found;
    if (current !== scope) refuseAlias(current, parts, at);
  }
  return null;
}

/** The column of this name in this scope alone. */
export function findHere(scope: Scope, parts: readonly string[], at: number): ScopeColumn | null {
  return parts.length === 1 ? findVisible(scope, parts[0] ?? "", at) : findQualified(scope, parts, at);
}

/** Inside of a subquery a server may take the alias of a query around it, which is unclear to a reader too. */
function refuseAlias({ aliases }: Scope, [name = "", ...more]: readonly string[], at: number): void {
  if (more.length === 0 && aliases.has(foldCase(name))) {
    reject(
      "SQL_AMBIGUOUS",
      at,
      `${name} is an alias of the query around this one; repeat its expression or qualify a column`,
    );
  }
}

function findVisible(scope: Scope, name: string, at: number): ScopeColumn | null {
  const folded = foldCase(name);
  const found = scope.visible.filter((column) => column.folded === folded);
  if (found.length > 1) reject("SQL_AMBIGUOUS", at, `${name} is a column of more than one table; qualify it`);
  return found[0] ?? openColumn(scope.relations, name);
}

function findQualified(scope: Scope, parts: readonly string[], at: number): ScopeColumn | null {
  const name = parts.at(-1) ?? "";
  const relation = findRelation(scope, parts.slice(0, -1));
  if (relation === null) return null;
  const folded = foldCase(name);
  const found = relation.columns.filter((column) => column.folded === folded);
  if (found.length > 1) reject("SQL_AMBIGUOUS", at, `${name} stands for more than one column`);
  const column = found[0] ?? openColumn([relation], name);
  if (column === null)
    reject("SQL_COLUMN", at, `${relation.name} has no column ${name} that is available${near(relation, name)}`);
  return column;
}

function near({ columns }: Relation, name: string): string {
  return nearest(
    name,
    columns.filter(({ access }) => access !== "hidden").map((column) => column.name),
  );
}

/** The relation a qualifier names; a table with an alias is known by the alias alone. */
export function findRelation(scope: Scope, qualifier: readonly string[]): Relation | null {
  const name = qualifier.at(-1);
  const schema = qualifier.length === 2 ? qualifier[0] : null;
  if (qualifier.length > 2) return null;
  return scope.relations.find((r) => r.name === name && (schema === null || r.schema === schema)) ?? null;
}

function openColumn(relations: readonly Relation[], name: string): ScopeColumn | null {
  const open = relations.filter((relation) => relation.open !== null);
  const [relation] = open;
  if (relation?.open === null || relation === undefined || open.length > 1) return null;
  return openScopeColumn(relation.open, foldCase(name));
}

/** What holds of the values of every base column. */
export const BASE = { bare: true, rewritten: false, members: [] } as const;

/** A column of a table of which nothing is known. */
export function openScopeColumn(relation: string, name: string): ScopeColumn {
  return {
    name,
    folded: name,
    access: "allowed",
    column: { kind: "field", relation, name, lineage: [], ...BASE, sensitive: false },
  };
}

/** The columns a query gives to the FROM around it, under the names `names` or its own. */
export function columnsOfQuery(
  outputs: readonly OutputColumn[],
  relation: string,
  names: readonly string[],
  at: number,
): readonly ScopeColumn[] {
  if (names.length > 0 && names.length !== outputs.length) {
    reject("SQL_SYNTAX", at, "the list of column names has another length than the select list");
  }
  return outputs.map(({ alias, name: ownName, ...origin }, index) => {
    const name = names[index] ?? ownName;
    const access = origin.sensitive ? "sensitive" : "allowed";
    return { name, folded: foldCase(name), access, column: { kind: "field", relation, name: alias, ...origin } };
  });
}

/** Refuses a hidden column in the same words as one that does not exist; what is near is looked for among the others alone. */
export function readable(
  found: ScopeColumn | null,
  parts: readonly string[],
  scope: Scope | null,
  at: number,
): ScopeColumn {
  if (found === null || found.access === "hidden") {
    const columns = (scope?.visible ?? []).filter(({ access }) => access !== "hidden").map(({ name }) => name);
    const near = nearest(parts.at(-1) ?? "", columns);
    return reject("SQL_COLUMN", at, `there is no column ${parts.join(".")} that is available here${near}`);
  }
  return found;
}
