import type { Cell } from "../executor.ts";

/** What the parent asks its child. */
export interface RunRequest {
  readonly sql: string;
  readonly params: readonly string[];
  readonly maxBytes: number;
}

export type RunReply =
  | { readonly kind: "ready" }
  | { readonly kind: "unopened" }
  | { readonly kind: "rows"; readonly rows: readonly (readonly Cell[])[]; readonly cutByBytes: boolean }
  | { readonly kind: "failed" };
