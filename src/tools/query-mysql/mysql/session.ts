import { BoundaryError } from "../../../model/errors.ts";
import { type MysqlConnection, type Row, rowsOf } from "./mysql-client.ts";
import type { ServerFacts } from "./server.ts";

/** What printed statements were written for: back-ticks for names, backslashes as usual, `||` as OR, no guessing in groups. */
const SQL_MODE = ["ONLY_FULL_GROUP_BY", "STRICT_TRANS_TABLES", "NO_ENGINE_SUBSTITUTION"] as const;
/** More than a row set may hold: a list that is longer is cut by our own count, and marked, not by the server's. */
const LONGEST_LIST = 16_777_217;
interface Setting {
  readonly name: string;
  readonly value: string;
  readonly holds: (read: string) => boolean;
}

/** Brings a fresh session into the one state that statements are printed for, and reads it back. Throws BACKEND_ERROR, naming what did not hold. */
export async function pinSession(connection: MysqlConnection, server: ServerFacts, timeoutMs: number): Promise<void> {
  const settings = settingsFor(server, timeoutMs);
  // the driver hears of it and writes text in this character set from here on, whatever the pool was told
  await rowsOf(connection, "SET NAMES utf8mb4");
  await rowsOf(connection, `SET SESSION ${settings.map(({ name, value }) => `${name} = ${value}`).join(", ")}`);
  const characters = ["character_set_client", "character_set_connection", "character_set_results"];
  const names = [...settings.map(({ name }) => name), ...characters];
  const columns = names.map((name) => `@@SESSION.${name} AS ${name}`);
  const [row = {}] = await rowsOf(connection, `SELECT ${columns.join(", ")}`);
  const lost =
    settings.find(({ name, holds }) => !holds(String(row[name])))?.name ??
    characters.find((name) => row[name] !== "utf8mb4");
  if (lost !== undefined) throw unpinned(lost);
}

function settingsFor({ timeout, readOnlyVariable }: ServerFacts, timeoutMs: number): readonly Setting[] {
  const limit = (timeoutMs / 1_000) * timeout.unitsOfSecond;
  return [
    { name: "sql_mode", value: `'${SQL_MODE.join(",")}'`, holds: isMode },
    { name: "time_zone", value: "'+00:00'", holds: (read) => read === "+00:00" },
    { name: timeout.variable, value: String(limit), holds: (read) => Number(read) === limit },
    // each statement is a transaction of its own, so that nothing has to be begun or ended around it
    { name: "autocommit", value: "1", holds: (read) => read === "1" },
    { name: readOnlyVariable, value: "1", holds: (read) => read === "1" },
    { name: "group_concat_max_len", value: String(LONGEST_LIST), holds: (read) => Number(read) === LONGEST_LIST },
  ];
}

function isMode(read: string): boolean {
  const modes = read.split(",").filter((mode) => mode !== "");
  return modes.length === SQL_MODE.length && SQL_MODE.every((mode) => modes.includes(mode));
}

/** Warnings of the statement before, by their numbers. */
export async function warningNumbers(connection: MysqlConnection): Promise<readonly number[]> {
  const rows: readonly Row[] = await rowsOf(connection, "SHOW WARNINGS");
  return rows.map((row) => Number(row["Code"]));
}

function unpinned(name: string): BoundaryError {
  return new BoundaryError(
    "BACKEND_ERROR",
    undefined,
    `The session's ${name} is not what was set: connect to the server itself, or through a proxy that keeps sessions apart.`,
  );
}
