/** An identifier and the alias that stands for it in this run. */
export interface AliasEntry {
  readonly alias: string;
  readonly kind: string;
  readonly value: string;
}

/** What a run has learned while redacting; append-only, so that a prefix of it re-derives an earlier projection. */
export interface RunMemory {
  /** Values proven secret in this run, 8 to 256 characters each. */
  readonly secrets: readonly string[];
  readonly aliases: readonly AliasEntry[];
  /** Secrets that were found after the list was full: counted, not kept. */
  readonly dropped: number;
}

export const EMPTY_MEMORY: RunMemory = { secrets: [], aliases: [], dropped: 0 };

/** Appends what a call learned; entries that are there already stay where they are. */
export function appendMemory(memory: RunMemory, learned: RunMemory): RunMemory {
  if (learned.secrets.length + learned.aliases.length + learned.dropped === 0) return memory;
  const secrets = new Set(memory.secrets);
  const aliases = new Map(memory.aliases.map((entry) => [entry.alias, entry]));
  for (const secret of learned.secrets) secrets.add(secret);
  for (const entry of learned.aliases) if (!aliases.has(entry.alias)) aliases.set(entry.alias, entry);
  return { secrets: [...secrets], aliases: [...aliases.values()], dropped: memory.dropped + learned.dropped };
}
