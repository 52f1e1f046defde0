import { LIMITS } from "./limits.ts";
import type { ParsedBody, ParsedCte, ParsedQuery } from "./parsed.ts";
import { bodyReads } from "./parsed-tables.ts";
import type { ReadableSchema } from "./readable-schema.ts";
import { checkBounded } from "./recursion.ts";
import { reject } from "./rejection.ts";
import { type CteInSight, Resolution, type Rules, type Surroundings } from "./resolution.ts";
import { resolveExpression } from "./resolve-expression.ts";
import { refuseComparison, resolveOutputOrder, resolveSelect } from "./resolve-select.ts";
import type { OutputColumn, ResolvedArm, ResolvedBody, ResolvedCte, ResolvedQuery } from "./resolved.ts";

const RULES: Rules = { query: resolveQuery, expression: resolveExpression };

export interface ResolvedStatement {
  readonly query: ResolvedQuery;
  /** Base tables, `schema.table`. */
  readonly tables: readonly string[];
  /** Whether the answer depends on when it is asked. */
  readonly usesClock: boolean;
}

/** Looks every name of a statement up. Throws SqlRejection for what is unknown, hidden, ambiguous or used in a forbidden way. */
export function resolveStatement(
  query: ParsedQuery,
  schema: ReadableSchema,
  alias: (text: string) => string = (text) => text,
): ResolvedStatement {
  const resolution = new Resolution(schema, RULES, alias);
  const resolved = resolveQuery(resolution, query, { ctes: new Map(), outer: null });
  return { query: resolved, tables: [...resolution.tables].sort(), usesClock: resolution.seen.clock };
}

function resolveQuery(resolution: Resolution, query: ParsedQuery, surroundings: Surroundings): ResolvedQuery {
  const ctes = new Map(surroundings.ctes);
  const names = new Set<string>();
  const resolvedCtes: ResolvedCte[] = [];
  for (const cte of query.ctes) {
    if (names.has(cte.name)) reject("SQL_AMBIGUOUS", cte.at, `${cte.name} is defined twice`);
    names.add(cte.name);
    const made = resolveCte(resolution, cte, query.recursive, { ...surroundings, ctes });
    resolvedCtes.push(made.resolved);
    ctes.set(cte.name, made.inSight);
  }
  checkOffset(query);
  const inside = { ctes, outer: surroundings.outer };
  const rest = {
    recursive: query.recursive,
    ctes: resolvedCtes,
    ...(query.limit === undefined ? {} : { limit: query.limit }),
  };
  if (query.body.kind === "select") {
    const { select, orderBy } = resolveSelect(resolution, query.body, query.orderBy, inside);
    return { ...rest, body: select, orderBy, outputs: select.outputs };
  }
  const body = resolveBody(resolution, query.body, inside);
  const items = body.outputs.map((output, index) => ({
    output,
    named: true,
    expression: outputReference(output, index),
  }));
  const orderBy = resolveOutputOrder(resolution, query.orderBy, items, inside);
  return { ...rest, body, orderBy, outputs: body.outputs };
}

function outputReference(output: OutputColumn, index: number) {
  const { alias, name: _, ...origin } = output;
  return { kind: "column", column: { kind: "output", index, name: alias, ...origin }, at: 0 } as const;
}

function checkOffset({ limit }: ParsedQuery): void {
  if (limit !== undefined && limit.offset > BigInt(LIMITS.offset)) {
    reject("SQL_LITERAL", limit.at, "OFFSET goes up to 10000; filter instead");
  }
}

function resolveBody(resolution: Resolution, body: ParsedBody, surroundings: Surroundings): ResolvedBody {
  if (body.kind === "select") return resolveSelect(resolution, body, [], surroundings).select;
  if (body.kind === "nested") {
    const query = resolveQuery(resolution, body.query, surroundings);
    return { kind: "nested", query, relation: resolution.id("t"), outputs: query.outputs };
  }
  const first = resolveBody(resolution, body.first, surroundings);
  const rest = body.rest.map((arm): ResolvedArm => ({ ...arm, body: resolveBody(resolution, arm.body, surroundings) }));
  return { kind: "set", first, rest, outputs: mergeOutputs(first, rest, body.at) };
}

/** Outputs of a set operation: names of the first arm, origins of all. */
function mergeOutputs(first: ResolvedBody, rest: readonly ResolvedArm[], at: number): readonly OutputColumn[] {
  const arms = [first, ...rest.map(({ body }) => body)].map(({ outputs }) => outputs);
  if (arms.some(({ length }) => length !== first.outputs.length)) {
    reject("SQL_SYNTAX", at, "the parts of a set operation have different numbers of columns");
  }
  const merged = first.outputs.map((output, index) => ({
    ...output,
    lineage: [...new Set(arms.flatMap((outputs) => outputs[index]?.lineage ?? []))],
    sensitive: arms.some((outputs) => outputs[index]?.sensitive === true),
    bare: arms.every((outputs) => outputs[index]?.bare === true),
    rewritten: arms.some((outputs) => outputs[index]?.rewritten === true),
    members: [...new Set(arms.flatMap((outputs) => outputs[index]?.members ?? []))],
  }));
  const compares = rest.some(({ operator, all }) => operator !== "UNION" || !all);
  if (compares && merged.some(({ sensitive }) => sensitive)) refuseComparison(at);
  return merged;
}

function resolveCte(
  resolution: Resolution,
  cte: ParsedCte,
  recursive: boolean,
  surroundings: Surroundings,
): { readonly resolved: ResolvedCte; readonly inSight: CteInSight } {
  const id = resolution.id("q");
  const inside = { ...surroundings, outer: null };
  const query =
    recursive && bodyReads(cte.query.body, cte.name)
      ? resolveRecursive(resolution, cte, id, inside)
      : resolveQuery(resolution, cte.query, inside);
  if (cte.columns.length > 0 && cte.columns.length !== query.outputs.length) {
    reject("SQL_SYNTAX", cte.at, "the list of column names has another length than the select list");
  }
  return { resolved: { id, query }, inSight: { id, names: cte.columns, outputs: query.outputs } };
}

/**
 * A recursive table takes its columns from its first part. Where they come from can grow by the second part, so both are
 * resolved again until nothing changes: a sensitive value cannot slip in by a later round.
 */
function resolveRecursive(
  resolution: Resolution,
  cte: ParsedCte,
  id: string,
  surroundings: Surroundings,
): ResolvedQuery {
  const { body } = cte.query;
  if (resolution.insideRecursive) reject("SQL_TOO_COMPLEX", cte.at, "a recursive table inside of a recursive table");
  if (body.kind !== "set" || bodyReads(body.first, cte.name)) {
    return reject("SQL_CLAUSE", cte.at, "a recursive table needs a first part without itself, then UNION ALL");
  }
  resolution.insideRecursive = true;
  let { outputs } = resolveBody(resolution, body.first, surroundings);
  for (let round = 0; round < LIMITS.comparisons; round++) {
    const ctes = new Map(surroundings.ctes).set(cte.name, { id, names: cte.columns, outputs });
    const query = resolveQuery(resolution, cte.query, { ...surroundings, ctes });
    if (sameOrigins(outputs, query.outputs)) {
      checkBounded(query, id, cte.at);
      resolution.insideRecursive = false;
      return query;
    }
    outputs = query.outputs;
  }
  return reject("SQL_TOO_COMPLEX", cte.at, "a recursive table whose columns change places too often");
}

function sameOrigins(before: readonly OutputColumn[], after: readonly OutputColumn[]): boolean {
  const text = (outputs: readonly OutputColumn[]): string =>
    outputs
      .map(({ lineage, sensitive, bare, rewritten, members }) =>
        [lineage.length, sensitive, bare, rewritten, members.length].join(" "),
      )
      .join();
  return text(before) === text(after);
}
