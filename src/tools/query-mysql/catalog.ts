import type { SqlPolicy, TablePolicy } from "./policy.ts";
import { foldCase } from "./sql/characters.ts";
import { type BaseColumn, type BaseTable, freeAliasPrefix, type ReadableSchema } from "./sql/readable-schema.ts";

/** The real columns of the tables of a datasource, `schema.table` to names in order, hidden ones included. */
export interface Catalog {
  columns(table: string): readonly string[] | undefined;
  /** Reads them anew; absent where they cannot change. */
  refresh?(): Promise<void>;
}

/** The columns a policy file speaks of: enough for a dry run, where no server is asked. */
export function policyCatalog(policy: SqlPolicy): Catalog {
  return {
    columns(table) {
      const entry = policy.tables.get(table);
      return entry === undefined ? undefined : [...entry.columns, ...entry.hidden];
    },
  };
}

/** What the resolver may look up: the policy's tables with all their real columns. */
export function readableSchema(policy: SqlPolicy, catalog: Catalog): ReadableSchema {
  const tables = new Map<string, BaseTable>();
  const columns: string[] = [];
  for (const [key, entry] of policy.tables) {
    const real = catalog.columns(key);
    if (real === undefined) continue;
    columns.push(...real);
    tables.set(key, { schema: entry.schema, name: entry.name, columns: real.map((name) => baseColumn(entry, name)) });
  }
  return {
    defaultSchema: policy.defaultSchema,
    aliasPrefix: freeAliasPrefix(columns),
    table: (schema, name) => tables.get(`${schema}.${name}`),
    tables: [...tables.values()].map(({ name }) => name),
  };
}

function baseColumn(entry: TablePolicy, name: string): BaseColumn {
  const folded = foldCase(name);
  const lineage = [`${entry.schema}.${entry.name}.${name}`];
  const listed = entry.columns.find((column) => foldCase(column) === folded);
  if (listed === undefined) return { name, folded, lineage, access: "hidden" };
  return { name, folded, lineage, access: entry.sensitive.has(listed) ? "sensitive" : "allowed" };
}

/** A schema in which every table exists and every name is a column: for comparing statements, never for running them. */
export const OPEN_SCHEMA: ReadableSchema = {
  defaultSchema: "",
  aliasPrefix: "c",
  tables: [],
  table: (schema, name) => ({ schema, name, columns: [], open: true }),
};
