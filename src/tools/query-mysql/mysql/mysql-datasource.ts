import { BoundaryError } from "../../../model/errors.ts";
import type { SqlPolicy } from "../policy.ts";
import { type AccountFacts, judgeAccount, mustOnlyRead, readGrants } from "./account.ts";
import { catalogFaults, MysqlCatalog, mustFit, readTables, type TableFacts } from "./mysql-catalog.ts";
import { borrow, discard, type MysqlPool } from "./mysql-client.ts";
import { type MysqlExecutorOptions, MysqlServerExecutor } from "./mysql-executor.ts";
import type { ServerFacts } from "./server.ts";

export interface MysqlDatasourceOptions extends MysqlExecutorOptions {
  readonly policy: SqlPolicy;
}

/** What `queryMysqlTool` needs of a server. */
export interface MysqlDatasource {
  readonly executor: MysqlServerExecutor;
  readonly catalog: MysqlCatalog;
}

/** What was learned of a server, an account and the tables of a policy. */
export interface MysqlInspection {
  readonly server: ServerFacts;
  readonly account: AccountFacts;
  /** Where policy and tables do not fit. */
  readonly faults: readonly string[];
}

const INSPECT_TIMEOUT_MS = 20_000;

/**
 * Opens a datasource on a MySQL or MariaDB server. Throws CONFIG_INVALID when the account may do more than read, or when the policy
 * does not fit the tables; BACKEND_UNAVAILABLE, SOURCE_UNREADABLE or DEADLINE_EXCEEDED when the server cannot be asked.
 */
export async function mysqlDatasource({ policy, ...options }: MysqlDatasourceOptions): Promise<MysqlDatasource> {
  const executor = new MysqlServerExecutor(options);
  const { tables, ...inspection } = await inspect(executor, options.pool, policy);
  mustOnlyRead(inspection.account, policy);
  mustFit(inspection.faults);
  const catalog = new MysqlCatalog(policy, tables, () => tablesOf(executor, policy));
  return { executor, catalog };
}

/** Asks all that opening a datasource asks, and judges nothing. */
export async function inspectMysqlDatasource({ policy, ...options }: MysqlDatasourceOptions): Promise<MysqlInspection> {
  const { server, account, faults } = await inspect(new MysqlServerExecutor(options), options.pool, policy);
  return { server, account, faults };
}

async function inspect(
  executor: MysqlServerExecutor,
  pool: MysqlPool,
  policy: SqlPolicy,
): Promise<MysqlInspection & { readonly tables: readonly TableFacts[] }> {
  const [server, tables] = await executor.session(
    AbortSignal.timeout(INSPECT_TIMEOUT_MS),
    async (connection, facts) => {
      return [facts, await readTables(connection, facts, policy)] as const;
    },
  );
  const account = await accountOf(pool, server, policy);
  return { server, account, tables, faults: catalogFaults(policy, tables, server) };
}

async function tablesOf(executor: MysqlServerExecutor, policy: SqlPolicy): Promise<readonly TableFacts[]> {
  return await executor.session(AbortSignal.timeout(INSPECT_TIMEOUT_MS), (connection, server) =>
    readTables(connection, server, policy),
  );
}

/** On a connection that is closed afterwards, since roles are taken on it. Rights that cannot be read are too many. */
async function accountOf(pool: MysqlPool, server: ServerFacts, policy: SqlPolicy): Promise<AccountFacts> {
  const connection = await borrow(pool, AbortSignal.timeout(INSPECT_TIMEOUT_MS));
  try {
    return judgeAccount(await readGrants(connection, server), policy, server);
  } catch {
    throw new BoundaryError(
      "CONFIG_INVALID",
      undefined,
      "The rights of the account cannot be read: SHOW GRANTS failed.",
    );
  } finally {
    discard(connection);
  }
}
