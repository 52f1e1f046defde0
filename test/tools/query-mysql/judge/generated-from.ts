import { type Place, someTest } from "./generated-expression.ts";
import type { GeneratedQuery } from "./generated-query.ts";
import {
  type GeneratedColumn,
  type GeneratedRelation,
  type GeneratedScope,
  q,
  someTable,
  tableColumns,
  written,
} from "./generated-scope.ts";

/** A FROM with the names it brings. */
export interface GeneratedFrom {
  readonly text: string;
  readonly scope: GeneratedScope;
  /** Whether `*` means the same to a server, which knows hidden columns too. */
  readonly plainStar: boolean;
  readonly usesUsing: boolean;
}

interface Source {
  readonly text: string;
  readonly relation: GeneratedRelation;
  readonly isPlain: boolean;
}

type MakeQuery = (place: Place, width: number) => GeneratedQuery;

const ALIASES = ["a", "b", "x", "t1", "t2", "s", "u", "users", "services", "q1", "`we ird`", "单"];

/** One to three tables; `unique` names keep the aliases of one FROM apart. */
export function someFrom(place: Place, makeQuery: MakeQuery): GeneratedFrom {
  const { random } = place;
  const taken = new Set<string>();
  const first = someSource(place, makeQuery, taken);
  let text = first.text;
  let relations = [first.relation];
  const merged = new Set<string>();
  let plainStar = first.isPlain;
  const joins = random.chance(0.5) ? 0 : random.chance(0.75) ? 1 : 2;
  let usesUsing = false;
  for (let i = 0; i < joins; i++) {
    const next = someSource(place, makeQuery, taken);
    const scope = { relations: [...relations, next.relation], merged, outer: place.scope };
    const joined = someJoin(place, text, relations, next, scope);
    text = joined.text;
    for (const name of joined.using) merged.add(name.toLowerCase());
    usesUsing ||= / USING | NATURAL /.test(joined.text);
    relations = scope.relations;
    plainStar &&= next.isPlain;
  }
  if (random.chance(0.06)) {
    const table = jsonTable(place, { relations, merged, outer: place.scope }, taken);
    if (table !== null) return { ...table, text: `${text}, ${table.text}`, plainStar, usesUsing };
  }
  return { text, scope: { relations, merged, outer: place.scope }, plainStar, usesUsing };
}

function aliasFor({ random }: Place, taken: Set<string>): string {
  const free = ALIASES.filter((alias) => !taken.has(alias));
  const alias = random.pick(free);
  taken.add(alias);
  return alias;
}

function someSource(place: Place, makeQuery: MakeQuery, taken: Set<string>): Source {
  const { random, ctes, depth } = place;
  if (ctes.length > 0 && random.chance(0.5)) {
    const cte = random.pick(ctes);
    const alias = aliasFor(place, taken);
    return {
      text: `${written(random, cte.name).replace(/^[A-Z]+$/, cte.name)} AS ${alias}`,
      relation: { name: alias, columns: cte.columns },
      isPlain: true,
    };
  }
  if (depth > 0 && random.chance(0.2)) {
    const query = makeQuery({ ...place, depth: depth - 1, scope: null }, 0);
    const alias = aliasFor(place, taken);
    return { text: `(${query.text}) ${alias}`, relation: { name: alias, columns: query.columns }, isPlain: true };
  }
  return baseTable(place, taken);
}

function baseTable(place: Place, taken: Set<string>): Source {
  const { random, ctes } = place;
  const table = someTable(random);
  const hasCte = ctes.some(({ name }) => name === table.name);
  const isPlain = table.columns.every(({ access }) => access !== "hidden");
  const columns = tableColumns(table);
  const text = hasCte
    ? `⟪schema⟫.${q(table.name)}`
    : random.chance(0.1)
      ? `⟪schema⟫.${q(table.name)}`
      : quotedTable(table.name);
  if (random.chance(0.4) && !taken.has(table.name)) {
    taken.add(table.name);
    return { text, relation: { name: quotedTable(table.name), columns }, isPlain };
  }
  const alias = aliasFor(place, taken);
  return { text: `${text}${random.chance(0.5) ? " AS" : ""} ${alias}`, relation: { name: alias, columns }, isPlain };
}

function quotedTable(name: string): string {
  return /^[a-z]+$/.test(name) ? name : q(name);
}

function someJoin(
  place: Place,
  left: string,
  relations: readonly GeneratedRelation[],
  right: Source,
  scope: GeneratedScope,
): { readonly text: string; readonly using: readonly string[] } {
  const { random } = place;
  const inner: Place = { ...place, scope, depth: Math.min(place.depth, 1), aggregates: false, windows: false };
  const common = commonColumns(relations, right.relation);
  if (common.length > 0 && random.chance(0.25)) {
    const side = random.pick(["", "LEFT ", "RIGHT ", "INNER "]);
    const name = random.pick(common);
    return { text: `${left} ${side}JOIN ${right.text} USING (${written(random, name)})`, using: [name] };
  }
  if (random.chance(0.05)) {
    const side = random.pick(["", "LEFT ", "RIGHT "]);
    return { text: `${left} NATURAL ${side}JOIN ${right.text}`, using: commonColumns(relations, right.relation, true) };
  }
  if (random.chance(0.15)) return { text: `${left}, ${right.text}`, using: [] };
  const kind = random.pick(["JOIN", "INNER JOIN", "LEFT JOIN", "RIGHT JOIN", "STRAIGHT_JOIN", "LEFT OUTER JOIN"]);
  const on = joinCondition(inner, relations, right.relation);
  return { text: `${left.includes(",") ? `(${left})` : left} ${kind} ${right.text} ON ${on}`, using: [] };
}

function joinCondition(place: Place, relations: readonly GeneratedRelation[], right: GeneratedRelation): string {
  const { random } = place;
  const numbers = ({ name, columns }: GeneratedRelation): readonly string[] =>
    columns.filter(({ kind, free }) => free && kind === "number").map((column) => `${name}.${q(column.name)}`);
  const lefts = relations.flatMap(numbers);
  const rights = numbers(right);
  if (lefts.length === 0 || rights.length === 0) return someTest(place);
  const equal = `${random.pick(lefts)} = ${random.pick(rights)}`;
  return random.chance(0.3) ? `${equal} AND ${someTest(place)}` : equal;
}

function commonColumns(
  relations: readonly GeneratedRelation[],
  right: GeneratedRelation,
  all = false,
): readonly string[] {
  const left = relations.flatMap(({ columns }) => columns);
  return right.columns
    .filter((column) => all || column.free)
    .filter(
      ({ name }) => left.filter((c) => c.name.toLowerCase() === name.toLowerCase() && (all || c.free)).length === 1,
    )
    .map(({ name }) => name);
}

function jsonTable(
  place: Place,
  scope: GeneratedScope,
  taken: Set<string>,
): Pick<GeneratedFrom, "text" | "scope"> | null {
  const source = scope.relations.flatMap(({ name, columns }) =>
    columns.filter(({ kind, free }) => kind === "json" && free).map((column) => `${name}.${q(column.name)}`),
  );
  const [document] = source;
  if (document === undefined) return null;
  const alias = aliasFor(place, taken);
  const columns: readonly GeneratedColumn[] = [
    { name: "nr", kind: "number", free: true, hidden: false },
    { name: "code", kind: "number", free: true, hidden: false },
    { name: "token", kind: "text", free: true, hidden: false },
  ];
  const text = `JSON_TABLE(${document}, '$' COLUMNS (nr FOR ORDINALITY, code INT PATH '$.code', token VARCHAR(20) PATH '$.tags[0]')) ${alias}`;
  return { text, scope: { ...scope, relations: [...scope.relations, { name: alias, columns }] } };
}
