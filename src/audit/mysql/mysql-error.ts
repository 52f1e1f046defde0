import { describeMysqlError, MYSQL_REMEDIES } from "../../model/mysql-remedies.ts";

/** What to do about an error of the server that is about the audit's own database. */
const REMEDIES: Readonly<Record<string, string>> = {
  ...MYSQL_REMEDIES,
  1021: "The server's disk is full.",
  1044: "The account may not use this database: grant it SELECT, INSERT and UPDATE there, and CREATE, ALTER and INDEX to migrate.",
  1114: "The table or the disk is full.",
  1142: "The account lacks a right: grant it SELECT, INSERT and UPDATE, DELETE to prune, and CREATE, ALTER and INDEX to migrate.",
  1143: "The account lacks a right on a column: grant it SELECT, INSERT and UPDATE on the whole table.",
  1146: "A table is missing: run `dualview audit migrate`.",
  1205: "Another transaction holds the row for too long.",
  1227: "The account lacks an administrator's right.",
  1290: "The server is read-only: name the primary.",
  1792: "The session is read-only: name the primary.",
  1836: "The server is read-only: name the primary.",
  4025: "A check of the table refuses the row.",
};

/** An error as number or name, with its remedy where one is known. Never its text. */
export function describeAuditError(error: unknown): string {
  return describeMysqlError(error, REMEDIES);
}
