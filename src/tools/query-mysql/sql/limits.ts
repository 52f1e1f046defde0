/** Bounds of a statement. Each keeps one dimension of work linear and small; none of them is ever shown to a model. */
export const LIMITS = {
  bytes: 16_384,
  tokens: 4_000,
  depth: 32,
  /** Operands of one chain: AND, OR, sums, products. */
  chain: 500,
  inItems: 500,
  arguments: 64,
  selectItems: 200,
  orderItems: 64,
  setArms: 8,
  ctes: 16,
  /** Tables, derived tables and common table expressions in one FROM. */
  relations: 8,
  /** The same over the whole statement. */
  relationsInAll: 16,
  outputColumns: 400,
  comparisons: 8,
  identifier: 64,
  offset: 10_000,
  growth: 1_000,
  pattern: 200,
} as const;
