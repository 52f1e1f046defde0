import { type Place, quoteText, someExpression, someTest } from "./generated-expression.ts";
import { type GeneratedFrom, someFrom } from "./generated-from.ts";
import { anyColumn, type GeneratedColumn, type GeneratedCte, q, someColumn } from "./generated-scope.ts";
import { Random } from "./random.ts";
import type { Kind } from "./world.ts";

/** Text in which `⟪schema⟫` stands for the database and `⟦*|a, b⟧` for a star and what it must come to. */
export interface GeneratedQuery {
  readonly text: string;
  readonly columns: readonly GeneratedColumn[];
}

export interface GeneratedStatement {
  readonly sql: string;
  /** What an administrator runs to get the same rows: stars over hidden columns are written out. */
  readonly reference: string;
  /** Rows come in one order only. */
  readonly ordered: boolean;
}

interface Item {
  readonly text: string;
  readonly column: GeneratedColumn;
}

const KINDS: readonly Kind[] = ["number", "text", "number", "text", "time"];
const SHADOWS = [
  "id",
  "name",
  "token",
  "team",
  "title",
  "tier",
  "c1",
  "pass_hash",
  "编号",
  "数量",
  "`a b`",
  "`x``y`",
  "`order`",
  "email",
];
const CTE_NAMES = ["recent", "users", "credentials", "q1", "树", "services", "t1"];

export function generateStatement(seed: number, schema: string): GeneratedStatement {
  const random = new Random(seed);
  const place: Place = { random, scope: null, ctes: [], depth: 3, aggregates: false, windows: false, query: subquery };
  const { text, columns } = someQuery(place, 0);
  const { tail, ordered } = ending(random, columns, text);
  const whole = `${text}${tail}`.replaceAll("⟪schema⟫", q(schema));
  return {
    sql: whole.replace(/⟦([^|]*)\|[^⟧]*⟧/g, "$1"),
    reference: whole.replace(/⟦[^|]*\|([^⟧]*)⟧/g, "$1"),
    ordered,
  };
}

/** ORDER BY every column makes the order total, and then LIMIT says which rows are left. */
function ending(
  random: Random,
  columns: readonly GeneratedColumn[],
  text: string,
): { readonly tail: string; readonly ordered: boolean } {
  if (columns.some(({ free }) => !free) || random.chance(0.3)) return { tail: "", ordered: false };
  const places = columns.map((_, i) => `${i + 1}${random.chance(0.2) ? " DESC" : ""}`);
  const names = columns.filter(
    ({ name }) => columns.filter((other) => other.name.toLowerCase() === name.toLowerCase()).length === 1,
  );
  const isSimple = !/DISTINCT|GROUP BY|UNION|EXCEPT|INTERSECT|COUNT|SUM|MAX|MIN|AVG|BIT_OR/.test(text);
  const first = names.length > 0 && random.chance(0.5) ? [leading(random, random.pick(names), isSimple)] : [];
  const limit = random.chance(0.3)
    ? ` LIMIT ${1 + random.below(6)}${random.chance(0.4) ? ` OFFSET ${random.below(3)}` : ""}`
    : "";
  return { tail: ` ORDER BY ${[...first, ...places].join(", ")}${limit}`, ordered: true };
}

function leading(random: Random, { name, kind }: GeneratedColumn, isSimple: boolean): string {
  if (!isSimple || random.chance(0.6)) return q(name);
  return kind === "text" ? `CHAR_LENGTH(${q(name)})` : `${q(name)} IS NULL`;
}

/** A query of any shape: WITH, set operations, or one SELECT. `width` 0 leaves the number of columns open. */
function someQuery(place: Place, width: number): GeneratedQuery {
  const { random, depth } = place;
  if (depth > 1 && random.chance(0.2)) return withCtes(place, width);
  if (depth > 0 && random.chance(0.12)) return setOperation(place, width);
  return someSelect(
    place,
    width === 0 ? someKinds(random) : Array.from({ length: width }, () => random.pick(KINDS)),
    "any",
  );
}

function someKinds(random: Random): readonly Kind[] {
  return random.some(1, 4, () => random.pick(KINDS));
}

function withCtes(place: Place, width: number): GeneratedQuery {
  const { random } = place;
  if (random.chance(0.15)) {
    const counted: GeneratedCte = { name: "n", columns: [{ name: "i", kind: "number", free: true, hidden: false }] };
    const { text, columns } = someSelect({ ...place, ctes: [...place.ctes, counted] }, someKinds(random), "any");
    return { text: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) ${text}`, columns };
  }
  const ctes: GeneratedCte[] = [];
  const texts: string[] = [];
  for (const name of random.some(1, 2, () => random.pick(CTE_NAMES))) {
    if (ctes.some((cte) => cte.name === name)) continue;
    const query = someQuery({ ...place, depth: 1, scope: null, ctes: [...place.ctes, ...ctes] }, 0);
    texts.push(`${name} AS (${query.text})`);
    ctes.push({ name, columns: query.columns });
  }
  const visible = [...place.ctes.filter(({ name }) => !ctes.some((cte) => cte.name === name)), ...ctes];
  const { text, columns } = someQuery({ ...place, depth: 1, ctes: visible }, width);
  if (/^WITH /.test(text)) return { text, columns };
  return { text: `WITH ${texts.join(", ")} ${text}`, columns };
}

function setOperation(place: Place, width: number): GeneratedQuery {
  const { random } = place;
  const kinds = width === 0 ? someKinds(random) : Array.from({ length: width }, () => random.pick(KINDS));
  const arms = random.some(2, 3, () => someSelect({ ...place, depth: place.depth - 1 }, kinds, "free"));
  const [first] = arms;
  const words = ["UNION", "UNION ALL", "EXCEPT", "INTERSECT", "UNION DISTINCT"];
  const text = arms
    .map((arm, i) => `${i === 0 ? "" : ` ${random.pick(words)} `}${random.chance(0.4) ? `(${arm.text})` : arm.text}`)
    .join("");
  return { text, columns: first?.columns ?? [] };
}

/** A query for the inside of an expression. */
function subquery(place: Place, kind: Kind, single: boolean): string {
  const { random } = place;
  const from = someFrom({ ...place, depth: 0 }, someQuery);
  const inner: Place = { ...place, scope: from.scope, depth: Math.min(place.depth, 1) };
  const where = random.chance(0.7) ? ` WHERE ${someTest(inner)}` : "";
  if (single) {
    const column = someColumn(random, { ...from.scope, outer: null }, kind) ?? "1";
    return `SELECT ${random.pick(["MAX", "MIN"])}(${column}) FROM ${from.text}${where}`;
  }
  return `SELECT ${someExpression(inner, kind)} FROM ${from.text}${where}`;
}

function someSelect(place: Place, kinds: readonly Kind[], wanted: "any" | "free"): GeneratedQuery {
  const { random } = place;
  const from = someFrom(place, someQuery);
  const inner: Place = { ...place, scope: from.scope, depth: Math.min(place.depth, 2) };
  const where = random.chance(0.5) ? ` WHERE ${someTest(inner)}` : "";
  if (random.chance(0.22)) return grouped(inner, kinds, from, where);
  const star = wanted === "any" && random.chance(0.1) ? starOf(from) : null;
  if (star !== null) return { text: `SELECT ${star.text} FROM ${from.text}${where}`, columns: star.columns };
  const items = named(
    random,
    kinds.map((kind) => someItem({ ...inner, windows: random.chance(0.15) }, kind, wanted)),
  );
  const canCompare = items.every(({ column }) => column.free);
  const distinct = canCompare && random.chance(0.1) ? "DISTINCT " : "";
  return {
    text: `SELECT ${distinct}${items.map(({ text }) => text).join(", ")} FROM ${from.text}${where}`,
    columns: items.map(({ column }) => column),
  };
}

function starOf({ scope, plainStar, usesUsing }: GeneratedFrom): GeneratedQuery | null {
  const columns = scope.relations.flatMap((relation) => relation.columns.map((column) => ({ relation, column })));
  const shown = columns.filter(({ column }) => !column.hidden);
  const names = shown.map(({ column }) => column.name.toLowerCase());
  if (usesUsing || new Set(names).size < names.length) return null;
  const list = shown.map(({ relation, column }) => `${relation.name}.${q(column.name)}`).join(", ");
  return { text: plainStar ? "*" : `⟦*|${list}⟧`, columns: shown.map(({ column }) => column) };
}

function someItem(place: Place, kind: Kind, wanted: "any" | "free"): Item {
  const { random, scope } = place;
  const bare = wanted === "any" && scope !== null && random.chance(0.3) ? anyColumn(random, scope) : null;
  if (bare !== null) return bare;
  return { text: someExpression(place, kind), column: { name: "", kind, free: true, hidden: false } };
}

function grouped(place: Place, kinds: readonly Kind[], from: GeneratedFrom, where: string): GeneratedQuery {
  const { random } = place;
  const keys = kinds.map((kind) => (random.chance(0.5) ? someKey(place, kind) : null));
  const items = named(
    random,
    kinds.map((kind, i) => ({
      text: keys[i] ?? aggregateOf(place, kind),
      column: { name: "", kind, free: true, hidden: false },
    })),
  );
  const by = keys.flatMap((key, i) => (key === null ? [] : [groupName(random, key, items[i], i)]));
  const groupBy = by.length === 0 ? "" : ` GROUP BY ${by.join(", ")}${random.chance(0.08) ? " WITH ROLLUP" : ""}`;
  const having = random.chance(0.3) ? ` HAVING ${havingTest(place, items)}` : "";
  return {
    text: `SELECT ${items.map(({ text }) => text).join(", ")} FROM ${from.text}${where}${groupBy}${having}`,
    columns: items.map(({ column }) => column),
  };
}

/** A key that is no constant: a server takes a number in GROUP BY for a position. */
function someKey(place: Place, kind: Kind): string | null {
  const column = someColumn(
    place.random,
    { ...(place.scope ?? { relations: [], merged: new Set() }), outer: null },
    kind,
  );
  if (column === null || !place.random.chance(0.4)) return column;
  if (kind === "text") return `COALESCE(${column}, ${quoteText("none")})`;
  return kind === "time" ? `DATE(${column})` : `${column} + 1`;
}

function aggregateOf(place: Place, kind: Kind): string {
  const inner: Place = { ...place, depth: 1, aggregates: false };
  if (kind === "number")
    return someExpression({ ...place, scope: place.scope, depth: 0, aggregates: true }, "number").replace(
      /^(?![A-Z_]+\().*$/su,
      "COUNT(*)",
    );
  if (kind === "text" && place.random.chance(0.4)) {
    const text = someExpression(inner, "text");
    return `GROUP_CONCAT(DISTINCT ${text} ORDER BY ${text} SEPARATOR '; ')`;
  }
  return `MAX(${someExpression(inner, kind)})`;
}

function groupName(random: Random, key: string, item: Item | undefined, index: number): string {
  const style = random.below(3);
  if (style === 0) return String(index + 1);
  return style === 1 && item !== undefined && item.column.name !== "" ? q(item.column.name) : key;
}

function havingTest(place: Place, items: readonly Item[]): string {
  const { random } = place;
  const item = random.pick(items);
  if (random.chance(0.5) && item.column.name !== "") return `${q(item.column.name)} IS NOT NULL`;
  return `COUNT(*) ${random.pick([">", "<=", "="])} ${random.below(4)}`;
}

/** Items with aliases; every output has a name of its own, so that the query can stand in FROM. */
function named(random: Random, items: readonly Item[]): readonly Item[] {
  const taken = new Set<string>();
  return items.map(({ text, column }, index) => {
    const shadow = random.chance(0.25) ? random.pick(SHADOWS) : `v${index}`;
    const bare = shadow.replace(/^`|`$/g, "").replaceAll("``", "`");
    const name = taken.has(bare.toLowerCase()) ? `v${index}` : bare;
    taken.add(name.toLowerCase());
    return { text: `${text}${random.chance(0.8) ? " AS" : ""} ${q(name)}`, column: { ...column, name } };
  });
}
