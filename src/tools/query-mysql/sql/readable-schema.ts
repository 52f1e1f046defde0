import { foldCase } from "./characters.ts";

/** `sensitive` columns may be shown (masked) and tested for NULL; `hidden` ones exist for lookup alone. */
export type Access = "allowed" | "sensitive" | "hidden";

export interface BaseColumn {
  readonly name: string;
  /** The name as it is compared: see `foldCase`. */
  readonly folded: string;
  readonly access: Access;
  /** `schema.table.column`. */
  readonly lineage: readonly string[];
}

export interface BaseTable {
  readonly schema: string;
  readonly name: string;
  /** All real columns, hidden ones included, in the order of the table. */
  readonly columns: readonly BaseColumn[];
  /** A table of which nothing is known: every name is a column of it. For comparing statements without a policy. */
  readonly open?: boolean;
}

/** What the resolver looks names up in. */
export interface ReadableSchema {
  readonly defaultSchema: string;
  /** The table of this exact name, or undefined when it may not be read. */
  table(schema: string, name: string): BaseTable | undefined;
  /** Names of the tables that may be read, to suggest one. */
  readonly tables: readonly string[];
  /** Start of generated aliases, chosen so that no real column could be meant. */
  readonly aliasPrefix: string;
}

/** A prefix such that prefix + number is no column of any table: a server looks for columns before it looks for aliases. */
export function freeAliasPrefix(columns: Iterable<string>): string {
  const taken = new Set<string>();
  for (const name of columns) taken.add(foldCase(name).replace(/\d+$/, ""));
  let prefix = "c";
  while (taken.has(prefix)) prefix += "_";
  return prefix;
}
