import { BoundaryError } from "../../model/errors.ts";
import type { ResolveContext, Resolved, ToolDefinition } from "../tool.ts";
import { type Catalog, policyCatalog } from "./catalog.ts";
import type { ExecuteOptions, MysqlReadOnlyExecutor, RowSet } from "./executor.ts";
import { LiveValidator } from "./live-validator.ts";
import type { MysqlQueryPlan } from "./plan.ts";
import type { SqlPolicy } from "./policy.ts";
import { mysqlResultProjector } from "./projector.ts";
import { QUERY_MYSQL_READING } from "./reading.ts";
import { type QueryMysqlRequest, queryMysqlRequest } from "./request.ts";
import { queryMysqlResult } from "./result.ts";
import type { Dialect } from "./sql/dialect.ts";
import { MYSQL_DIALECT } from "./sql/printer.ts";

export interface QueryMysqlOptions {
  readonly policy: SqlPolicy;
  /** Who opened it closes it. */
  readonly executor: MysqlReadOnlyExecutor;
  /** The real columns of the tables; by default those that the policy speaks of. */
  readonly catalog?: Catalog;
  /** What statements are printed for; `SQLITE_DIALECT` with the executor for SQLite files. */
  readonly dialect?: Dialect;
}

/** Tables are listed with their columns while the description stays shorter than this. */
const MAX_DESCRIPTION = 6_000;

/** The tool that reads rows of one datasource: statements are checked against the policy, rewritten and run read-only. */
export function queryMysqlTool(options: QueryMysqlOptions): ToolDefinition<QueryMysqlRequest, MysqlQueryPlan> {
  const { policy, executor, catalog = policyCatalog(policy), dialect = MYSQL_DIALECT } = options;
  const validator = new LiveValidator(policy, catalog, dialect);
  return {
    name: "query_mysql",
    description: describe(policy),
    readOnly: true,
    request: queryMysqlRequest,
    result: queryMysqlResult,
    aliasTextFields: ["sql"],
    resolve: (request, context) => resolveQuery(request, context, policy, validator),
    execute: (plan, { signal, maxRawBytes }) =>
      executeOrRenew(plan, { signal, maxRawBytes: Math.min(maxRawBytes, policy.maxRawBytes) }, executor, validator),
    projector: mysqlResultProjector(policy),
    reading: QUERY_MYSQL_READING,
  };
}

function resolveQuery(
  request: QueryMysqlRequest,
  { now, alias }: ResolveContext,
  policy: SqlPolicy,
  validator: LiveValidator,
): Resolved<MysqlQueryPlan> {
  if (request.datasource !== undefined && request.datasource !== policy.datasource) {
    throw new BoundaryError("SOURCE_NOT_FOUND", "datasource");
  }
  const result = validator.validate(request.sql, alias);
  if (result.kind === "rejected") throw new BoundaryError(result.code, "sql", `At ${result.at}: ${result.detail}.`);
  const { plan, covers, usesClock } = result;
  const scope = { datasource: plan.datasource, tables: plan.tables };
  const identity = usesClock ? `${plan.fingerprint}@${now}` : plan.fingerprint;
  return { resolved: plan, scope, identity, ...(covers === null ? {} : { covers }) };
}

/** A table that changed under the plan is looked at once more; what is asked of it then is the same, or nothing. */
async function executeOrRenew(
  plan: MysqlQueryPlan,
  options: ExecuteOptions,
  executor: MysqlReadOnlyExecutor,
  validator: LiveValidator,
): Promise<RowSet> {
  try {
    return await executor.execute(plan, options);
  } catch (error) {
    if (!BoundaryError.is(error) || error.code !== "SCHEMA_CHANGED") throw error;
  }
  return await executor.execute(await validator.renew(plan), options);
}

/** Written for a model: what it can ask, of what, and how not to be refused. */
function describe(policy: SqlPolicy): string {
  const intro =
    `Reads rows of the datasource ${policy.datasource} with one SELECT. Use it for facts that are stored: states, counts, ` +
    "amounts, what was deployed or changed when. Only the tables and columns below exist here; other names are refused. " +
    `At most ${policy.maxRows} rows are shown and 'truncated' says whether there were more: prefer COUNT, SUM and GROUP BY. ` +
    "No rows means that no row meets the conditions, within these tables. Tables: ";
  const tables = [...policy.tables.values()].map(({ schema, name, columns, sensitive }) => {
    const shown = schema === policy.defaultSchema ? name : `${schema}.${name}`;
    const marked = columns.map((column) => (sensitive.has(column) ? `${column}*` : column));
    return `${shown}(${marked.join(", ")})`;
  });
  const hasSensitive = [...policy.tables.values()].some(({ sensitive }) => sensitive.size > 0);
  const note = hasSensitive
    ? " Columns with * come out masked: select them as they are or test IS NULL, nothing else."
    : "";
  const list = tables.join("; ");
  const room = MAX_DESCRIPTION - intro.length - note.length;
  return `${intro}${list.length <= room ? list : [...policy.tables.keys()].join(", ")}.${note}`;
}
