import type { Random } from "./random.ts";
import type { Kind, WorldTable } from "./world.ts";
import { TABLES } from "./world.ts";

export interface GeneratedColumn {
  readonly name: string;
  readonly kind: Kind;
  /** Allowed everywhere: neither sensitive nor hidden, as far as the generator knows. */
  readonly free: boolean;
  readonly hidden: boolean;
}

export interface GeneratedRelation {
  /** As written in front of a dot. */
  readonly name: string;
  readonly columns: readonly GeneratedColumn[];
}

export interface GeneratedScope {
  readonly relations: readonly GeneratedRelation[];
  /** Names joined by USING: they may stand unqualified. */
  readonly merged: ReadonlySet<string>;
  readonly outer: GeneratedScope | null;
}

/** A common table expression in sight. */
export interface GeneratedCte {
  readonly name: string;
  readonly columns: readonly GeneratedColumn[];
}

/** How often a statement does what should be refused. */
const FORBIDDEN = 0.004;

export function q(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

/** A name as a person might write it: bare, in back-ticks, in another case. */
export function written(random: Random, name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/i.test(name) || name === "order") {
    return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && name !== "order" && random.chance(0.7) ? name : q(name);
  }
  if (random.chance(0.1)) return q(name);
  return random.chance(0.05) ? name.toUpperCase() : name;
}

export function tableColumns({ columns }: WorldTable): readonly GeneratedColumn[] {
  return columns.map(({ name, kind, access }) => ({
    name,
    kind,
    free: access === "allowed",
    hidden: access === "hidden",
  }));
}

export function someTable(random: Random): WorldTable {
  const open = TABLES.filter(({ hidden }) => !hidden);
  return random.chance(FORBIDDEN) ? random.pick(TABLES) : random.pick(open);
}

/** A reference to a column of this kind, or null when none is in sight. */
export function someColumn(random: Random, scope: GeneratedScope | null, kind: Kind): string | null {
  if (scope === null) return null;
  if (scope.outer !== null && random.chance(0.25)) {
    return someColumn(random, scope.outer, kind) ?? columnHere(random, scope, kind);
  }
  return columnHere(random, scope, kind) ?? someColumn(random, scope.outer, kind);
}

function columnHere(random: Random, scope: GeneratedScope, kind: Kind): string | null {
  const forbidden = random.chance(FORBIDDEN);
  const found = scope.relations.flatMap((relation) =>
    relation.columns.filter((c) => forbidden || (c.free && c.kind === kind)).map((column) => ({ relation, column })),
  );
  if (found.length === 0) return null;
  const { relation, column } = random.pick(found);
  return reference(random, scope, relation, column);
}

/** A column of any access, for IS NULL and for selecting it as it is. */
export function anyColumn(
  random: Random,
  scope: GeneratedScope,
): { readonly text: string; readonly column: GeneratedColumn } | null {
  const found = scope.relations.flatMap((relation) =>
    relation.columns.filter(({ hidden }) => !hidden).map((column) => ({ relation, column })),
  );
  if (found.length === 0) return null;
  const { relation, column } = random.pick(found);
  return { text: reference(random, scope, relation, column), column };
}

function reference(
  random: Random,
  scope: GeneratedScope,
  relation: GeneratedRelation,
  column: GeneratedColumn,
): string {
  const name = written(random, column.name);
  const bare = isPlain(scope, column.name) ? random.chance(0.6) : random.chance(0.01);
  return bare ? name : `${relation.name}.${name}`;
}

function isPlain({ relations, merged }: GeneratedScope, name: string): boolean {
  const folded = name.toLowerCase();
  const count = relations.flatMap(({ columns }) => columns).filter((c) => c.name.toLowerCase() === folded).length;
  return count === 1 || merged.has(folded);
}
