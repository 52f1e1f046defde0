import type { ResolvedExpression, ResolvedFrom, ResolvedQuery, ResolvedSelect } from "./resolved.ts";

/** One statement being printed: parameters are taken in the order in which they stand in the text. */
export interface Printing {
  readonly dialect: Dialect;
  expression(node: ResolvedExpression): string;
  list(nodes: readonly ResolvedExpression[]): string;
  query(query: ResolvedQuery): string;
  /** An operand of a comparison: a string there is a parameter, whose type follows from the other side. */
  compared(node: ResolvedExpression): string;
  string(value: string): string;
  /** Prints with all strings in the text where `inline` is true: parameters in GROUP BY are never recognised as equal. */
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
  /**
   * Whether strings that are no operand of a comparison stand in the text, as hexadecimal: a parameter has no type of its own,
   * and MySQL takes a format, a time or a mode otherwise when it is one.
   */
  readonly stringsInText: boolean;
}

/** A name in back-ticks, which both servers read as nothing but a name. */
export function quoted(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}
