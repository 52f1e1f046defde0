import type { DatasourceConfig, MysqlDatasourceConfig } from "../../config/datasource-config.ts";
import type { MysqlInspection } from "../../tools/query-mysql/mysql/mysql-datasource.ts";
import type { SqlPolicy } from "../../tools/query-mysql/policy.ts";
import { openPools, readPolicy } from "../open-datasource.ts";
import { assessDatasource } from "./datasource-findings.ts";
import { type Finding, failureOfOpening } from "./finding.ts";

const WHY = "No process starts with this configuration.";

/** Checks a datasource on a server: whether it answers, what the account may do, whether the tables are as the policy says. */
export async function checkDatasource(
  place: string,
  name: string,
  config: MysqlDatasourceConfig,
  folder: string,
): Promise<readonly Finding[]> {
  try {
    const policy = await readPolicy(config, name, folder);
    return assessDatasource(place, policy, await inspect(config, policy, place, folder));
  } catch (error) {
    return [failureOfOpening(place, error, WHY)];
  }
}

async function inspect(
  config: MysqlDatasourceConfig,
  policy: SqlPolicy,
  place: string,
  folder: string,
): Promise<MysqlInspection> {
  const { inspectMysqlDatasource } = await import("../../tools/query-mysql/mysql/mysql-datasource.ts");
  const { options, end } = await openPools(config, policy, place, folder);
  try {
    return await inspectMysqlDatasource(options);
  } finally {
    await end();
  }
}

/** Whether a datasource is on a server, of which there is more to say than that it can be opened. */
export function isOnServer(config: DatasourceConfig | undefined): config is MysqlDatasourceConfig {
  return config?.driver === "mysql";
}
