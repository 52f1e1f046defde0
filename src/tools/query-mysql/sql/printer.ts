import type { Dialect, Printing } from "./dialect.ts";
import { printExpression } from "./print-expression.ts";
import { printQuery } from "./print-query.ts";
import type { ResolvedExpression, ResolvedQuery } from "./resolved.ts";

export interface PrintedStatement {
  readonly sql: string;
  readonly params: readonly string[];
}

/** Writes a resolved statement anew: no character of the original text reaches a server but through a checked token. */
export function printStatement(query: ResolvedQuery, dialect: Dialect, mostRows: number): PrintedStatement {
  const printer = new Printer(dialect);
  const count =
    query.limit === undefined || query.limit.count > BigInt(mostRows) ? BigInt(mostRows) : query.limit.count;
  const limit = { count, offset: query.limit?.offset ?? 0n, at: 0 };
  return { sql: printQuery(query, printer, limit), params: printer.params };
}

class Printer implements Printing {
  readonly dialect: Dialect;
  readonly params: string[] = [];
  #inline = false;
  #relations = 0;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  expression(node: ResolvedExpression): string {
    return this.dialect.expression(node, this) ?? printExpression(node, this);
  }

  list(nodes: readonly ResolvedExpression[]): string {
    return nodes.map((node) => this.expression(node)).join(", ");
  }

  query(query: ResolvedQuery): string {
    return this.within(false, () => printQuery(query, this));
  }

  compared(node: ResolvedExpression): string {
    const isString = node.kind === "literal" && node.literal.type === "string";
    return isString && !this.#inline ? this.#parameter(node.literal.value) : this.expression(node);
  }

  string(value: string): string {
    if (!this.dialect.stringsInText) return this.#parameter(value);
    return `_utf8mb4 X'${Buffer.from(value, "utf8").toString("hex")}'`;
  }

  #parameter(value: string): string {
    this.params.push(value);
    return "?";
  }

  within(inline: boolean, print: () => string): string {
    const outside = this.#inline;
    this.#inline = inline;
    const text = print();
    this.#inline = outside;
    return text;
  }

  relation(): string {
    this.#relations++;
    return `s${this.#relations}`;
  }
}

export const MYSQL_DIALECT: Dialect = {
  name: "mysql",
  table: (schema, table) => `\`${schema.replaceAll("`", "``")}\`.\`${table.replaceAll("`", "``")}\``,
  expression: () => null,
  from: () => null,
  check: () => undefined,
  fullSetOperations: true,
  stringsInText: true,
};
