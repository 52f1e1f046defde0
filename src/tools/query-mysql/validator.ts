import { createHash } from "node:crypto";
import { BoundaryError } from "../../model/errors.ts";
import type { Coverage } from "../../model/scope.ts";
import { type Catalog, OPEN_SCHEMA, readableSchema } from "./catalog.ts";
import { coverageOf } from "./coverage.ts";
import type { MysqlQueryPlan, PlanColumn } from "./plan.ts";
import type { SqlPolicy } from "./policy.ts";
import { canonicalQuery } from "./sql/canonical.ts";
import type { Dialect } from "./sql/dialect.ts";
import { parseStatement } from "./sql/parser.ts";
import { MYSQL_DIALECT, printStatement } from "./sql/printer.ts";
import type { ReadableSchema } from "./sql/readable-schema.ts";
import { SqlRejection, type SqlRejectionCode } from "./sql/rejection.ts";
import { type ResolvedStatement, resolveStatement } from "./sql/resolve-query.ts";
import type { OutputColumn } from "./sql/resolved.ts";

export type Validation =
  | {
      readonly kind: "allowed";
      readonly plan: MysqlQueryPlan;
      readonly covers: Coverage | null;
      /** The same statement asks something else a moment later. */
      readonly usesClock: boolean;
    }
  | {
      readonly kind: "rejected";
      readonly code: SqlRejectionCode;
      /** Offset in the statement, in UTF-16 code units. */
      readonly at: number;
      /** For people; a model sees the code's fixed sentence. */
      readonly detail: string;
    };

/** Turns a statement of a model into a plan, or says why not. Pure, and linear in the length of the statement. */
export class MysqlSqlValidator {
  readonly #policy: SqlPolicy;
  readonly #schema: ReadableSchema;
  readonly #dialect: Dialect;

  constructor(policy: SqlPolicy, catalog: Catalog, dialect: Dialect = MYSQL_DIALECT) {
    this.#policy = policy;
    this.#schema = readableSchema(policy, catalog);
    this.#dialect = dialect;
  }

  validate(sql: string, alias: (text: string) => string = (text) => text): Validation {
    try {
      return this.#plan(sql, alias);
    } catch (error) {
      if (!(error instanceof SqlRejection)) throw error;
      return { kind: "rejected", code: error.code, at: error.at, detail: error.detail };
    }
  }

  #plan(sql: string, alias: (text: string) => string): Validation {
    const { datasource, maxRows, maxSqlBytes, maxDepth } = this.#policy;
    const parsed = parseStatement(sql, { maxBytes: maxSqlBytes, maxDepth });
    const statement = resolveStatement(parsed, this.#schema, alias);
    const printed = printStatement(statement.query, this.#dialect, maxRows + 1);
    const plan: MysqlQueryPlan = {
      datasource,
      dialect: this.#dialect.name,
      ...printed,
      columns: planColumns(statement.query.outputs),
      tables: statement.tables,
      maxRows,
      fingerprint: fingerprintOf(statement, datasource),
    };
    return { kind: "allowed", plan, covers: coverageOf(statement, datasource), usesClock: statement.usesClock };
  }
}

function fingerprintOf({ query }: ResolvedStatement, datasource: string): string {
  return createHash("sha256")
    .update(`${datasource}\n${canonicalQuery(query)}`, "utf8")
    .digest("hex");
}

/** Cells are told apart by name, so a repeated name gets a number. */
function planColumns(outputs: readonly OutputColumn[]): readonly PlanColumn[] {
  const taken = new Set<string>();
  return outputs.map(({ name, lineage, sensitive, rewritten, members }) => {
    // A member of this name would be lost on its way through JSON.
    const base = name === "__proto__" ? "proto" : name;
    let unique = base;
    for (let n = 2; taken.has(unique); n++) unique = `${base}_${n}`;
    taken.add(unique);
    return { name: unique, lineage, sensitive, rewritten, members };
  });
}

/** What makes two statements the same question, for callers that have no policy at hand. Throws BoundaryError with an SQL code. */
export function sqlIdentity(
  datasource: string,
  sql: string,
): { readonly fingerprint: string; readonly covers: Coverage | null; readonly usesClock: boolean } {
  try {
    const statement = resolveStatement(parseStatement(sql), OPEN_SCHEMA);
    const { usesClock } = statement;
    return { fingerprint: fingerprintOf(statement, datasource), covers: coverageOf(statement, datasource), usesClock };
  } catch (error) {
    if (error instanceof SqlRejection) throw new BoundaryError(error.code, "sql", error.detail);
    throw error;
  }
}
