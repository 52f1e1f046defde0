import type { Coverage } from "../../model/scope.ts";
import { canonicalExpression, conjuncts, splitAt } from "./sql-expression.ts";
import { isWord, type SqlToken, tokenizeSql } from "./sql-token.ts";

/** What a statement asks, for telling repeats apart without a policy. Never used to decide what may be executed. */
export interface SqlScope {
  readonly identity: string;
  readonly covers: Coverage | null;
}

const CLAUSES = ["select", "from", "where", "group", "having", "order", "limit"] as const;
type ClauseName = (typeof CLAUSES)[number];
type Clauses = Partial<Record<ClauseName, readonly SqlToken[]>>;

const AGGREGATES = new Set([
  "count",
  "sum",
  "avg",
  "min",
  "max",
  "group_concat",
  "std",
  "stddev",
  "variance",
  "any_value",
]);
const NO_ALIAS = new Set([
  "join",
  "inner",
  "left",
  "right",
  "cross",
  "outer",
  "natural",
  "straight_join",
  "on",
  "using",
]);

/** How old an answer may be and still speak for a narrower question: rows change. */
const MAX_AGE_MS = 60_000;

/** Identifier case, spacing, comments, aliases and the order of AND, OR and IN do not matter; literals, LIMIT and ORDER BY do. */
export function sqlScope(datasource: string, sql: string, now: number): SqlScope {
  const tokens = tokenizeSql(sql);
  const clauses = tokens === null ? null : splitClauses(tokens);
  if (tokens === null || clauses === null) return { identity: `${datasource}|${asWritten(tokens, sql)}`, covers: null };
  const names = readNames(clauses);
  const text = (name: ClauseName): string => canonicalExpression(names.resolve(clauses[name] ?? []));
  const filters = clauses.where === undefined ? [] : conjuncts(names.resolve(clauses.where));
  const order = text("order").replace(/ asc(?=,|$)/g, "");
  const parts = [names.columns.join(","), names.tables, filters.join("&"), text("group"), text("having"), order];
  const identity = [datasource, names.distinct, ...parts, text("limit"), timeOf(tokens, now)].join("|");
  return { identity, covers: coverage(datasource, clauses, names, filters) };
}

function asWritten(tokens: readonly SqlToken[] | null, sql: string): string {
  return tokens?.map(({ kind, text }) => (kind === "text" ? JSON.stringify(text) : text)).join(" ") ?? sql.trim();
}

function coverage(datasource: string, clauses: Clauses, names: Names, filters: readonly string[]): Coverage | null {
  const all = Object.values(clauses).flat();
  const rows = clauses.group === undefined && clauses.having === undefined && clauses.from !== undefined;
  if (!rows || all.some((token, i) => isAggregate(token, all[i + 1])) || all.some((t) => isWord(t, "select")))
    return null;
  return {
    family: `query_mysql|${datasource}|${names.tables}`,
    filters,
    columns: names.columns,
    maxAgeMs: MAX_AGE_MS,
    ...((clauses.limit !== undefined || names.distinct) && { partial: true }),
  };
}

function isAggregate(token: SqlToken, next: SqlToken | undefined): boolean {
  return token.kind === "word" && (AGGREGATES.has(token.text) ? next?.text === "(" : token.text === "over");
}

/** A statement that asks for the present moment asks something else a moment later. */
function timeOf(tokens: readonly SqlToken[], now: number): string {
  const moment = /^(?:now|sysdate|current_timestamp|unix_timestamp|localtime|localtimestamp|curtime|utc_timestamp)$/;
  if (tokens.some((token) => token.kind === "word" && moment.test(token.text))) return `at ${now}`;
  const day = tokens.some((token) => isWord(token, "curdate", "current_date", "utc_date"));
  return day ? new Date(now).toISOString().slice(0, 10) : "";
}

function splitClauses(tokens: readonly SqlToken[]): Clauses | null {
  if (tokens.some((token) => isWord(token, "union", "intersect", "except", "xor"))) return null;
  const clauses: Partial<Record<ClauseName, readonly SqlToken[]>> = {};
  const starts = clauseStarts(tokens);
  if (starts[0] !== 0 || !isWord(tokens[0], "select")) return null;
  starts.forEach((start, i) => {
    const name = CLAUSES.find((clause) => clause === tokens[start]?.text) ?? "select";
    const body = start + (isWord(tokens[start + 1], "by") ? 2 : 1);
    clauses[name] = tokens.slice(body, starts[i + 1] ?? tokens.length);
  });
  return clauses;
}

/** Positions of the words that open a clause, outside of parentheses. */
function clauseStarts(tokens: readonly SqlToken[]): readonly number[] {
  const starts: number[] = [];
  let depth = 0;
  tokens.forEach((token, i) => {
    if (token.kind === "mark" && token.text === "(") depth++;
    if (token.kind === "mark" && token.text === ")") depth--;
    if (depth === 0 && isWord(token, ...CLAUSES)) starts.push(i);
  });
  return starts;
}

interface Names {
  readonly distinct: string;
  readonly columns: readonly string[];
  readonly tables: string;
  readonly resolve: (tokens: readonly SqlToken[]) => readonly SqlToken[];
}

/** Reads the select list and the tables, so that aliases can be put back to what they stand for. */
function readNames(clauses: Clauses): Names {
  const from = clauses.from ?? [];
  const aliases = tableAliases(from);
  const single = new Set(aliases.values()).size === 1 && aliases.size > 0 && !from.some((t) => isWord(t, "join"));
  const qualified = (tokens: readonly SqlToken[]) => requalify(tokens, aliases, single);
  const list = [...(clauses.select ?? [])];
  const distinct = isWord(list[0], "distinct") ? "distinct" : "";
  if (distinct !== "" || isWord(list[0], "all")) list.shift();
  const columnAliases = new Map<string, readonly SqlToken[]>();
  const columns = splitAt(list, ",").map((item) => {
    const { expression, alias } = withoutAlias(item);
    const resolved = qualified(expression);
    if (alias !== null) columnAliases.set(alias, resolved);
    return canonicalExpression(resolved);
  });
  return {
    distinct,
    columns,
    tables: canonicalTables(from, aliases, single),
    resolve: (tokens) =>
      qualified(tokens).flatMap((token) => (token.kind === "word" && columnAliases.get(token.text)) || [token]),
  };
}

function withoutAlias(item: readonly SqlToken[]): { expression: readonly SqlToken[]; alias: string | null } {
  const last = item.at(-1);
  const before = item.at(-2);
  if (last === undefined || before === undefined || (last.kind !== "word" && last.kind !== "text"))
    return { expression: item, alias: null };
  if (isWord(before, "as")) return { expression: item.slice(0, -2), alias: last.text };
  const follows = before.kind === "word" || before.kind === "number" || before.text === ")" || before.kind === "text";
  if (!follows || isWord(last, "end")) return { expression: item, alias: null };
  return { expression: item.slice(0, -1), alias: last.text };
}

/** Alias or name of each table, to its name; a table that is joined to itself is numbered. */
function tableAliases(from: readonly SqlToken[]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  const seen = new Map<string, number>();
  from.forEach((token, i) => {
    if (!startsTable(from, i) || token.kind !== "word") return;
    const { name, end } = tableName(from, i);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const own = count === 1 ? name : `${name}#${count}`;
    const next = isWord(from[end], "as") ? from[end + 1] : from[end];
    const aliased = next?.kind === "word" && !NO_ALIAS.has(next.text) ? next.text : (name.split(".").at(-1) ?? name);
    aliases.set(aliased, own);
  });
  return aliases;
}

function startsTable(from: readonly SqlToken[], i: number): boolean {
  return i === 0 || isWord(from[i - 1], "join", "straight_join") || from[i - 1]?.text === ",";
}

function tableName(from: readonly SqlToken[], start: number): { name: string; end: number } {
  let end = start + 1;
  let name = from[start]?.text ?? "";
  while (from[end]?.text === "." && from[end + 1]?.kind === "word") {
    name += `.${from[end + 1]?.text ?? ""}`;
    end += 2;
  }
  return { name, end };
}

function canonicalTables(from: readonly SqlToken[], aliases: ReadonlyMap<string, string>, single: boolean): string {
  if (single) return [...aliases.values()][0] ?? "";
  const kept = from.filter((token, i) => {
    if (isWord(token, "as", "inner")) return false;
    const afterName = from[i - 1]?.kind === "word" && !NO_ALIAS.has(from[i - 1]?.text ?? "");
    return !(token.kind === "word" && aliases.has(token.text) && afterName && from[i + 1]?.text !== ".");
  });
  return canonicalExpression(requalify(kept, aliases, false));
}

function requalify(
  tokens: readonly SqlToken[],
  aliases: ReadonlyMap<string, string>,
  single: boolean,
): readonly SqlToken[] {
  const out: SqlToken[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as SqlToken;
    const table = token.kind === "word" && tokens[i + 1]?.text === "." ? aliases.get(token.text) : undefined;
    if (table === undefined) out.push(token);
    else if (single) i++;
    else out.push({ kind: "word", text: table });
  }
  return out;
}
