import { BoundaryError } from "../../../model/errors.ts";
import type { Catalog } from "../catalog.ts";
import { nearest } from "../nearest.ts";
import type { SqlPolicy, TablePolicy } from "../policy.ts";
import { foldCase } from "../sql/characters.ts";
import { type MysqlConnection, rowsOf } from "./mysql-client.ts";
import type { ServerFacts } from "./server.ts";

/** One table of the policy as the server shows it to the account. */
export interface TableFacts {
  readonly key: string;
  /** `BASE TABLE`, `VIEW` …; null where the server shows no such table. */
  readonly type: string | null;
  /** In the order of the table; of columns that the account may not read a server shows nothing. */
  readonly columns: readonly string[];
  /** Tables beside it, to say which was meant where there is none. */
  readonly siblings: readonly string[];
}

/** Tables whose columns are what is stored in them. */
const OWN_ROWS: ReadonlySet<string> = new Set(["BASE TABLE", "SYSTEM VERSIONED"]);

/** Asks `information_schema` for the tables of the policy. */
export async function readTables(
  connection: MysqlConnection,
  { caseSensitiveTables }: ServerFacts,
  policy: SqlPolicy,
): Promise<readonly TableFacts[]> {
  const same = (a: string, b: string): boolean => (caseSensitiveTables ? a === b : foldCase(a) === foldCase(b));
  const found: TableFacts[] = [];
  for (const [key, { schema, name }] of policy.tables) {
    const tables = await rowsOf(connection, TABLE, [schema, name]);
    // the server compares these texts without regard to case, whatever it does with names
    const table = tables.find((row) => same(String(row["s"]), schema) && same(String(row["n"]), name));
    const columns =
      table === undefined ? [] : await rowsOf(connection, COLUMNS, [String(table["s"]), String(table["n"])]);
    const own = columns.filter((row) => row["s"] === table?.["s"] && row["n"] === table?.["n"]);
    const siblings = table === undefined ? await rowsOf(connection, SIBLINGS, [schema]) : [];
    found.push({
      key,
      type: table === undefined ? null : String(table["t"]),
      columns: own.map((row) => String(row["c"])),
      siblings: siblings.map((row) => String(row["n"])),
    });
  }
  return found;
}

const TABLE =
  "SELECT TABLE_SCHEMA AS s, TABLE_NAME AS n, TABLE_TYPE AS t FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";
const COLUMNS =
  "SELECT TABLE_SCHEMA AS s, TABLE_NAME AS n, COLUMN_NAME AS c FROM information_schema.COLUMNS " +
  "WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION";
const SIBLINGS = "SELECT TABLE_NAME AS n FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? LIMIT 100";

/** Where policy and server do not fit, in words for an operator; empty when they do. */
export function catalogFaults(
  policy: SqlPolicy,
  tables: readonly TableFacts[],
  server: ServerFacts,
): readonly string[] {
  const faults = server.caseSensitiveTables ? [] : sameTables([...policy.tables.keys()]);
  for (const facts of tables) {
    const entry = policy.tables.get(facts.key);
    if (entry !== undefined) faults.push(...tableFaults(entry, facts));
  }
  return faults;
}

function sameTables(keys: readonly string[]): string[] {
  const twice = keys.filter((key, i) => keys.findIndex((other) => foldCase(other) === foldCase(key)) !== i);
  return twice.map((key) => `tables.${key}: the server does not tell names by case, so this table is listed twice`);
}

function tableFaults(entry: TablePolicy, { key, type, columns, siblings }: TableFacts): readonly string[] {
  if (type === null)
    return [`tables.${key}: the server shows no such table to this account${nearest(entry.name, siblings)}`];
  if (!OWN_ROWS.has(type)) {
    const kind = type.toLowerCase();
    return [
      `tables.${key}: this is a ${kind}, and a view may read what the policy does not allow: list the tables that it reads`,
    ];
  }
  const known = columns.map(foldCase);
  const missing = entry.columns.filter((column) => !known.includes(foldCase(column)));
  return missing.map(
    (column) => `tables.${key}: the server shows no column ${column} to this account${nearest(column, columns)}`,
  );
}

/** The tables as they are on the server, together with what the policy says is hidden; tables that do not fit are left out. */
class TablesCatalog implements Catalog {
  readonly #tables: ReadonlyMap<string, readonly string[]>;

  constructor(policy: SqlPolicy, tables: readonly TableFacts[]) {
    const fitting = tables.filter(({ type }) => type !== null && OWN_ROWS.has(type));
    this.#tables = new Map(
      fitting.map(({ key, columns }) => [key, withHidden(columns, policy.tables.get(key)?.hidden ?? [])]),
    );
  }

  columns(table: string): readonly string[] | undefined {
    return this.#tables.get(table);
  }
}

/** An account that may read some columns alone is not shown that there are others. */
function withHidden(columns: readonly string[], hidden: readonly string[]): readonly string[] {
  const known = new Set(columns.map(foldCase));
  return [...columns, ...hidden.filter((column) => !known.has(foldCase(column)))];
}

/** The real columns of a policy's tables, read anew when a server no longer knows what a statement was checked against. */
export class MysqlCatalog implements Catalog {
  readonly #policy: SqlPolicy;
  readonly #read: () => Promise<readonly TableFacts[]>;
  #tables: TablesCatalog;
  #refreshing: Promise<void> | null = null;

  constructor(policy: SqlPolicy, tables: readonly TableFacts[], read: () => Promise<readonly TableFacts[]>) {
    this.#policy = policy;
    this.#read = read;
    this.#tables = new TablesCatalog(policy, tables);
  }

  columns(table: string): readonly string[] | undefined {
    return this.#tables.columns(table);
  }

  /** Reads the tables again; calls at the same time share one reading. */
  async refresh(): Promise<void> {
    this.#refreshing ??= this.#readAgain().finally(() => {
      this.#refreshing = null;
    });
    await this.#refreshing;
  }

  async #readAgain(): Promise<void> {
    this.#tables = new TablesCatalog(this.#policy, await this.#read());
  }
}

/** Throws CONFIG_INVALID with every fault. */
export function mustFit(faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new BoundaryError("CONFIG_INVALID", undefined, `The policy does not fit the server:\n  ${faults.join("\n  ")}`);
}
