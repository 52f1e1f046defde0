import type { Cursor } from "./cursor.ts";
import { LIMITS } from "./limits.ts";
import { parseSimple } from "./parse-simple.ts";
import { parseUnit } from "./parse-window.ts";
import type { ParsedExpression } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { ChainOperator } from "./syntax.ts";

/** Binary operators by how tightly they bind, loosest first. */
const LEVELS: readonly (readonly string[])[] = [
  ["|"],
  ["&"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%", "DIV", "MOD"],
  ["^"],
];
const LEVEL_OF: ReadonlyMap<string, number> = new Map(
  LEVELS.flatMap((operators, level) => operators.map((operator) => [operator, level] as const)),
);

/** Operators of one level become one flat chain, read from left to right. */
export function parseArithmetic(cursor: Cursor): ParsedExpression {
  return parseFrom(cursor, 0);
}

/** An operand and what binds it at least as tightly as this level. */
function parseFrom(cursor: Cursor, least: number): ParsedExpression {
  const { at } = cursor.peek();
  let left = parseSimple(cursor);
  for (;;) {
    const level = LEVEL_OF.get(cursor.peek().text);
    if (level === undefined || level < least) return left;
    left = parseChain(cursor, left, at, level);
  }
}

function parseChain(cursor: Cursor, first: ParsedExpression, at: number, level: number): ParsedExpression {
  let chain = new Chain(first, at);
  for (let intervals = 0; intervals <= LIMITS.comparisons; ) {
    const operator = cursor.takeAny(LEVELS[level] ?? []);
    if (operator === undefined) return chain.node();
    if (cursor.sees("INTERVAL") && isSum(operator)) {
      intervals++;
      chain = new Chain(parseInterval(cursor, operator, chain.node()), at);
    } else chain.add(operator === "MOD" ? "%" : (operator as ChainOperator), parseFrom(cursor, level + 1));
  }
  return reject("SQL_TOO_COMPLEX", cursor.peek().at, "too many intervals in one sum");
}

function isSum(operator: string): operator is "+" | "-" {
  return operator === "+" || operator === "-";
}

function parseInterval(cursor: Cursor, operator: "+" | "-", date: ParsedExpression): ParsedExpression {
  const { at } = cursor.next();
  const amount = cursor.grammar.expression(cursor);
  return { kind: "dateArithmetic", operator, unit: parseUnit(cursor), operands: [date, amount], at };
}

class Chain {
  readonly #operators: ChainOperator[] = [];
  readonly #operands: ParsedExpression[];
  readonly #at: number;

  constructor(first: ParsedExpression, at: number) {
    this.#operands = [first];
    this.#at = at;
  }

  add(operator: ChainOperator, operand: ParsedExpression): void {
    if (this.#operands.length >= LIMITS.chain) reject("SQL_TOO_COMPLEX", operand.at, "too long a calculation");
    this.#operators.push(operator);
    this.#operands.push(operand);
  }

  node(): ParsedExpression {
    const [first] = this.#operands;
    if (first !== undefined && this.#operands.length === 1) return first;
    return { kind: "chain", operators: this.#operators, operands: this.#operands, at: this.#at };
  }
}
