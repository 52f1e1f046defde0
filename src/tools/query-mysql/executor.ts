import type { MysqlQueryPlan } from "./plan.ts";

/** A value of a row. Integers beyond 2^53-1 and decimals are strings, dates are text; bytes are told apart. */
export type Cell = null | boolean | number | string | { readonly hex: string };

/** What a datasource answered to one plan. */
export interface RowSet {
  /** In the order of the plan's columns; at most one row more than the plan may show. */
  readonly rows: readonly (readonly Cell[])[];
  /** Rows were left unread because of their size. */
  readonly cutByBytes: boolean;
}

export interface ExecuteOptions {
  readonly signal: AbortSignal;
  /** UTF-8 bytes of cells after which reading stops. */
  readonly maxRawBytes: number;
}

/** Runs plans and nothing else: there is no way to hand it text. Failures are BoundaryErrors without a server's words. */
export interface MysqlReadOnlyExecutor {
  execute(plan: MysqlQueryPlan, options: ExecuteOptions): Promise<RowSet>;
  close(): Promise<void>;
}
