import { z } from "zod";
import { checkMysqlPlace, type MysqlPlace, mysqlPlaceShape } from "./mysql-place.ts";

/** Rows in a SQLite file of this machine. */
export interface SqliteDatasourceConfig {
  readonly driver: "sqlite";
  readonly file: string;
  readonly policy: string;
}

/** Rows in MySQL or MariaDB; without a `database` sessions begin in the policy's default schema. */
export interface MysqlDatasourceConfig extends MysqlPlace {
  readonly driver: "mysql";
  readonly policy: string;
}

export type DatasourceConfig = SqliteDatasourceConfig | MysqlDatasourceConfig;

const path = z.string().min(1).describe("Relative to the configuration file.");

const sqlite = z.strictObject({ driver: z.literal("sqlite"), file: path, policy: path });

const mysql = z
  .strictObject({ driver: z.literal("mysql"), policy: path, ...mysqlPlaceShape })
  .superRefine((place, context) => checkMysqlPlace(place, context, ["user"]));

export const datasourceConfig: z.ZodType<DatasourceConfig> = z.discriminatedUnion("driver", [sqlite, mysql]);
