/** A column of a plan, in the order of the rows. */
export interface PlanColumn {
  /** The name the statement gave it, made unique. */
  readonly name: string;
  /** Base columns its values come from, `schema.table.column`. */
  readonly lineage: readonly string[];
  /** Shown masked. */
  readonly sensitive: boolean;
  /** Text made of other values: what may be a piece of a secret is held back in it. */
  readonly rewritten: boolean;
  /** Members of JSON that its values were taken from. */
  readonly members: readonly string[];
}

/**
 * What an executor runs: a statement written by the printer, its parameters and what the rows will mean. Only the validator
 * makes one; no executor takes text from a model.
 */
export interface MysqlQueryPlan {
  readonly datasource: string;
  readonly dialect: "mysql" | "sqlite";
  readonly sql: string;
  /** All of them strings, in the order of the `?` in the text. */
  readonly params: readonly string[];
  readonly columns: readonly PlanColumn[];
  /** Base tables read, `schema.table`, sorted. */
  readonly tables: readonly string[];
  /** Rows that may be shown; the statement asks for one more, so that a cut is known and not guessed. */
  readonly maxRows: number;
  /** Hash of the canonical form: equal for statements that ask the same. */
  readonly fingerprint: string;
}
