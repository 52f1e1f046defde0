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

/**
 * A prefix such that no column of any table is called prefix + underscores + number: a server looks for columns before it looks
 * for aliases, and takes letters with and without accents for the same.
 */
export function freeAliasPrefix(columns: Iterable<string>): string {
  const taken = new Set<string>();
  for (const name of columns) taken.add(bareLetters(name).replace(/[_\d]+$/, ""));
  let prefix = "c";
  while (taken.has(prefix)) prefix += "c";
  return prefix;
}

function bareLetters(name: string): string {
  return name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The first of prefix, prefix + "_" … that makes no alias which a column of the same FROM has: derived tables have aliases too. */
export function aliasPrefixBeside(columns: Iterable<string>, prefix: string): string {
  const taken = new Set<string>();
  for (const name of columns) if (name.startsWith(prefix)) taken.add(name.replace(/\d+$/, ""));
  let free = prefix;
  while (taken.has(free)) free += "_";
  return free;
}
