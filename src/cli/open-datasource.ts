import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { DatasourceConfig, MysqlDatasourceConfig, SqliteDatasourceConfig } from "../config/datasource-config.ts";
import { BoundaryError } from "../model/errors.ts";
import { loadSqlite } from "../sqlite/sqlite.ts";
import { type Catalog, policyCatalog } from "../tools/query-mysql/catalog.ts";
import type { MysqlReadOnlyExecutor } from "../tools/query-mysql/executor.ts";
import type { MysqlDatasourceOptions } from "../tools/query-mysql/mysql/mysql-datasource.ts";
import { parseSqlPolicy, type SqlPolicy } from "../tools/query-mysql/policy.ts";
import type { Dialect } from "../tools/query-mysql/sql/dialect.ts";
import { openMysqlPool } from "./mysql-pool.ts";
import { unreadable } from "./read-config.ts";
import { inFile, readYaml } from "./read-yaml.ts";

/** A configured datasource with what statements are checked against and run by. */
export interface OpenedDatasource {
  readonly policy: SqlPolicy;
  readonly catalog: Catalog;
  readonly dialect: Dialect;
  readonly executor: MysqlReadOnlyExecutor;
  close(): Promise<void>;
}

/** Statements of models differ, so that there is little use in keeping many of them prepared. */
const PREPARED_STATEMENTS = 32;

/** Opens the one datasource of a configuration. Paths are relative to `folder`. Throws CONFIG_*, or what the server's state is. */
export async function openDatasource(
  datasources: Readonly<Record<string, DatasourceConfig>>,
  folder: string,
): Promise<OpenedDatasource> {
  const [entry] = Object.entries(datasources);
  if (entry === undefined) throw new BoundaryError("CONFIG_INVALID", "tools.query_mysql.datasources");
  const [name, config] = entry;
  const field = `tools.query_mysql.datasources.${name}`;
  if (config.driver === "mysql") return await openServer(config, await readPolicy(config, name, folder), field, folder);
  await mustBeFile(resolve(folder, config.file), `${field}.file`);
  return await openFile(config, await readPolicy(config, name, folder), field, folder);
}

/** The policy of a configured datasource. Throws CONFIG_* with the file and the field. */
export async function readPolicy({ policy: file }: DatasourceConfig, name: string, folder: string): Promise<SqlPolicy> {
  const place = `tools.query_mysql.datasources.${name}`;
  const path = resolve(folder, file);
  const policy = inFile(path, `${place}.policy`, parseSqlPolicy, await readYaml(path, `${place}.policy`));
  if (policy.datasource === name) return policy;
  throw new BoundaryError(
    "CONFIG_INVALID",
    place,
    `${path} is the policy of datasource '${policy.datasource}', but stands under '${name}'.`,
  );
}

async function openServer(
  config: MysqlDatasourceConfig,
  policy: SqlPolicy,
  field: string,
  folder: string,
): Promise<OpenedDatasource> {
  const { mysqlDatasource } = await import("../tools/query-mysql/mysql/mysql-datasource.ts");
  const { MYSQL_DIALECT } = await import("../tools/query-mysql/sql/printer.ts");
  const { options, end } = await openPools(config, policy, field, folder);
  try {
    const { executor, catalog } = await mysqlDatasource(options);
    const close = async (): Promise<void> => {
      await executor.close();
      await end();
    };
    return { policy, catalog, dialect: MYSQL_DIALECT, executor, close };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Pools for statements and for ending them, which have not connected yet. */
export async function openPools(
  config: MysqlDatasourceConfig,
  policy: SqlPolicy,
  field: string,
  folder: string,
): Promise<{ readonly options: MysqlDatasourceOptions; end(): Promise<void> }> {
  const where = { field, folder, database: policy.defaultSchema };
  const options = { charset: "utf8mb4", maxPreparedStatements: PREPARED_STATEMENTS, flags: ["-LOCAL_FILES"] };
  const pool = await openMysqlPool(config, where, options);
  const control = await openMysqlPool(config, where, { ...options, connectionLimit: 1 });
  const end = async (): Promise<void> => {
    await pool.promise().end();
    await control.promise().end();
  };
  return { options: { pool, control, policy }, end };
}

async function openFile(
  config: SqliteDatasourceConfig,
  policy: SqlPolicy,
  field: string,
  folder: string,
): Promise<OpenedDatasource> {
  const { SqliteReadOnlyExecutor } = await import("../tools/query-mysql/sqlite/sqlite-executor.ts");
  const { SQLITE_DIALECT } = await import("../tools/query-mysql/sqlite/sqlite-dialect.ts");
  const path = resolve(folder, config.file);
  await mustBeDatabase(path, `${field}.file`);
  const executor = new SqliteReadOnlyExecutor(path);
  return {
    policy,
    catalog: policyCatalog(policy),
    dialect: SQLITE_DIALECT,
    executor,
    close: () => executor.close(),
  };
}

async function mustBeFile(path: string, field: string): Promise<void> {
  try {
    if ((await stat(path)).isFile()) return;
  } catch (error) {
    throw new BoundaryError("CONFIG_UNREADABLE", field, `${field}: ${unreadable(path, error)}`);
  }
  throw new BoundaryError("CONFIG_UNREADABLE", field, `${field}: ${path} is not a file.`);
}

async function mustBeDatabase(path: string, field: string): Promise<void> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.prepare("SELECT name FROM sqlite_master LIMIT 1").all();
  } catch {
    throw new BoundaryError("CONFIG_UNREADABLE", field, `${field}: ${path} is not a SQLite database.`);
  } finally {
    database.close();
  }
}
