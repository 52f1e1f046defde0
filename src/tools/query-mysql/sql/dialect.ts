import type { ResolvedExpression, ResolvedFrom, ResolvedQuery, ResolvedSelect } from "./resolved.ts";

/** One statement being printed: parameters are taken in the order in which they stand in the text. */
export interface Printing {
  readonly dialect: Dialect;
  expression(node: ResolvedExpression): string;
  list(nodes: readonly ResolvedExpression[]): string;
  query(query: ResolvedQuery): string;
  string(value: string): string;
  /** Prints with strings in the text itself where `inline` is true: parameters in GROUP BY are never recognised as equal. */
  within(inline: boolean, print: () => string): string;
  /** A fresh name for a derived table that the printer itself needs. */
  relation(): string;
}

/** Where a server differs from MySQL. What it cannot say is refused with the place in the statement. */
export interface Dialect {
  readonly name: "mysql" | "sqlite";
  table(schema: string, table: string): string;
  /** The text of this node, or null where it is the same as MySQL's. */
  expression(node: ResolvedExpression, printing: Printing): string | null;
  /** Text of a part of FROM that differs; null where it does not. */
  from(node: ResolvedFrom, printing: Printing): string | null;
  /** Refuses clauses that this server lacks. */
  check(select: ResolvedSelect): void;
  /** Whether EXCEPT ALL and INTERSECT ALL exist, and ORDER BY expressions over a set operation. */
  readonly fullSetOperations: boolean;
  /** Whether strings repeated in GROUP BY must stand in the text. */
  readonly inlineGroups: boolean;
}

/** A name in back-ticks, which both servers read as nothing but a name. */
export function quoted(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}
