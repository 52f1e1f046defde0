import { BoundaryError } from "../../../model/errors.ts";
import { type MysqlConnection, rowsOf } from "./mysql-client.ts";

/** What is asked of a server once: how its sessions are limited, and how it compares names. */
export interface ServerFacts {
  readonly flavour: "MySQL" | "MariaDB";
  readonly version: string;
  /** The variable that ends a statement which takes too long, and its unit. */
  readonly timeout: { readonly variable: string; readonly unitsOfSecond: number };
  readonly readOnlyVariable: string;
  /** Whether names of databases and tables differ by the case of their letters. */
  readonly caseSensitiveTables: boolean;
}

/** MySQL counts in milliseconds, MariaDB in seconds; a number in the wrong unit is taken without a word. */
const TIMEOUTS = [
  { variable: "max_execution_time", unitsOfSecond: 1_000 },
  { variable: "max_statement_time", unitsOfSecond: 1 },
] as const;
const READ_ONLY_VARIABLES = ["transaction_read_only", "tx_read_only"] as const;

/** Tells MySQL and MariaDB apart by the variables they have. Throws CONFIG_INVALID for a server that cannot end a long statement. */
export async function readServer(connection: MysqlConnection): Promise<ServerFacts> {
  const names = [
    ...TIMEOUTS.map(({ variable }) => variable),
    ...READ_ONLY_VARIABLES,
    "lower_case_table_names",
    "version",
  ];
  const list = names.map((name) => `'${name}'`).join(", ");
  const rows = await rowsOf(connection, `SHOW VARIABLES WHERE Variable_name IN (${list})`);
  const variables = new Map(rows.map((row) => [String(row["Variable_name"]), String(row["Value"])]));
  const timeout = TIMEOUTS.find(({ variable }) => variables.has(variable));
  const readOnlyVariable = READ_ONLY_VARIABLES.find((name) => variables.has(name));
  if (timeout === undefined || readOnlyVariable === undefined) {
    const lacking = timeout === undefined ? "a limit for the time of a statement" : "read-only transactions";
    throw new BoundaryError(
      "CONFIG_INVALID",
      undefined,
      `The server lacks ${lacking}: MySQL 5.7 and MariaDB 10.1 have it.`,
    );
  }
  return {
    flavour: timeout.variable === "max_execution_time" ? "MySQL" : "MariaDB",
    version: /\d+(?:\.\d+)*/.exec((variables.get("version") ?? "").replace(/^5\.5\.5-/, ""))?.[0] ?? "unknown",
    timeout,
    readOnlyVariable,
    caseSensitiveTables: variables.get("lower_case_table_names") === "0",
  };
}
