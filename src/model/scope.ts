export type ScopeValue = string | number | boolean | readonly string[];

/**
 * What a call really looked at: absolute and normalised, never relative to "now". Field names are shared by all tools:
 * `source, service, level, keywords, pattern, time_from, time_to` (ISO 8601 UTC, half open), `datasource, tables`, `collection, query`.
 */
export interface Scope {
  readonly [field: string]: ScopeValue;
}

/**
 * The region an answer speaks for, as data, so that it can stand in the store: an earlier complete answer covers a later
 * call of the same family whose filters include all of its own, whose columns are among its own and whose window lies within its own.
 */
export interface Coverage {
  /** Regions of different families never compare: tool, source or datasource, and the tables joined. */
  readonly family: string;
  /** Canonical conditions, each narrowing the region: `service=checkout`, `keyword=timeout`, a conjunct of a WHERE clause. */
  readonly filters: readonly string[];
  readonly columns?: readonly string[];
  /** Milliseconds since the epoch, half open. A window that was not over when it was read covers nothing. */
  readonly window?: { readonly from: number; readonly to: number };
  /** For data that changes: how old the earlier answer may be, in milliseconds. */
  readonly maxAgeMs?: number;
  /** The answer holds only a part of its region by its own wording (a LIMIT): it can be covered, but covers nothing. */
  readonly partial?: boolean;
}
