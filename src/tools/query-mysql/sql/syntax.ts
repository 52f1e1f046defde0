/**
 * The trees of a statement. One set of shapes serves both the parsed tree (columns are names, subqueries are parsed) and the
 * resolved tree (columns are what they were resolved to); `C` and `Q` are what differs. Chains are flat, so that depth is bounded.
 */
export type Literal =
  | { readonly type: "string" | "number" | "hex" | "hexString" | "bit"; readonly value: string }
  | { readonly type: "DATE" | "TIME" | "TIMESTAMP"; readonly value: string }
  | { readonly type: "NULL" | "TRUE" | "FALSE" };

export type Operator =
  | ComparisonOperator
  | ("AND" | "OR" | "XOR" | "NOT" | "NEGATE" | "~" | "BINARY" | "ROW" | "COLLATE")
  | ("BETWEEN" | "IN" | "LIKE" | "REGEXP" | "IS NULL" | "IS TRUE" | "IS FALSE" | "MEMBER OF");
export type ComparisonOperator = "=" | "<=>" | "<>" | "<" | "<=" | ">" | ">=";
export type ChainOperator = "+" | "-" | "*" | "/" | "DIV" | "%" | "|" | "&" | "^" | "<<" | ">>";

interface Node {
  /** Offset in the statement. */
  readonly at: number;
}

export interface LiteralNode extends Node {
  readonly kind: "literal";
  readonly literal: Literal;
}
interface ColumnNode<C> extends Node {
  readonly kind: "column";
  readonly column: C;
}
export interface OperationNode<C, Q> extends Node {
  readonly kind: "operation";
  readonly operator: Operator;
  /** NOT BETWEEN, NOT IN, NOT LIKE, IS NOT … */
  readonly negated: boolean;
  readonly operands: readonly Expression<C, Q>[];
  /** LIKE … ESCAPE; the name of a COLLATE. */
  readonly detail?: string;
}
/** `a + b - c`: operators of one level, from left to right; one fewer than operands. */
export interface ChainNode<C, Q> extends Node {
  readonly kind: "chain";
  readonly operators: readonly ChainOperator[];
  readonly operands: readonly Expression<C, Q>[];
}
/** Operands in order: the base if there is one, WHEN and THEN in turn, ELSE if there is one. */
interface CaseNode<C, Q> extends Node {
  readonly kind: "case";
  readonly hasBase: boolean;
  readonly hasElse: boolean;
  readonly operands: readonly Expression<C, Q>[];
}
export interface CastNode<C, Q> extends Node {
  readonly kind: "cast";
  readonly target: CastTarget;
  readonly operands: readonly Expression<C, Q>[];
}
/** `date + INTERVAL amount unit`; operands are the date and the amount. */
interface DateArithmeticNode<C, Q> extends Node {
  readonly kind: "dateArithmetic";
  readonly operator: "+" | "-";
  readonly unit: string;
  readonly operands: readonly Expression<C, Q>[];
}
export interface CallNode<C, Q> extends Node {
  readonly kind: "call";
  /** Upper case name from the list of allowed functions. */
  readonly name: string;
  readonly operands: readonly Expression<C, Q>[];
  /** A keyword of the call's own syntax: a unit, LEADING, RETURNING type. */
  readonly keyword?: string;
  readonly distinct: boolean;
  readonly star: boolean;
  readonly orderBy: readonly OrderItem<C, Q>[];
  readonly separator?: string;
  readonly over?: WindowSpec<C, Q> | string;
}
export interface QueryNode<C, Q> extends Node {
  readonly kind: "query";
  readonly form: "scalar" | "exists" | "in" | "any" | "all";
  readonly negated: boolean;
  readonly operator?: ComparisonOperator;
  /** What is compared with the query's rows; empty for scalar and exists. */
  readonly operands: readonly Expression<C, Q>[];
  readonly query: Q;
}

export type Expression<C, Q> =
  | LiteralNode
  | ColumnNode<C>
  | OperationNode<C, Q>
  | ChainNode<C, Q>
  | CaseNode<C, Q>
  | CastNode<C, Q>
  | DateArithmeticNode<C, Q>
  | CallNode<C, Q>
  | QueryNode<C, Q>;

export interface CastTarget {
  readonly type: string;
  readonly length?: string;
  readonly scale?: string;
}
export interface OrderItem<C, Q> {
  readonly expression: Expression<C, Q>;
  readonly descending: boolean;
}
export interface FrameBound {
  readonly type: "UNBOUNDED PRECEDING" | "UNBOUNDED FOLLOWING" | "CURRENT ROW" | "PRECEDING" | "FOLLOWING";
  readonly amount?: LiteralNode;
  readonly unit?: string;
}
export interface WindowFrame {
  readonly unit: "ROWS" | "RANGE";
  readonly from: FrameBound;
  readonly to?: FrameBound;
}
export interface WindowSpec<C, Q> {
  /** Name of a window this one extends. */
  readonly base?: string;
  readonly partitionBy: readonly Expression<C, Q>[];
  readonly orderBy: readonly OrderItem<C, Q>[];
  readonly frame?: WindowFrame;
}
export interface NamedWindow<C, Q> {
  readonly name: string;
  readonly spec: WindowSpec<C, Q>;
}
export interface Limit {
  readonly count: bigint;
  readonly offset: bigint;
  readonly at: number;
}
export type SetOperator = "UNION" | "EXCEPT" | "INTERSECT";
export type JoinType = "INNER" | "LEFT" | "RIGHT" | "CROSS";

/** A column of a JSON_TABLE. */
export type JsonColumn =
  | { readonly kind: "ordinality"; readonly name: string }
  | {
      readonly kind: "path";
      readonly name: string;
      readonly type: CastTarget;
      readonly exists: boolean;
      readonly path: string;
      readonly onEmpty?: string;
      readonly onError?: string;
    }
  | { readonly kind: "nested"; readonly path: string; readonly columns: readonly JsonColumn[] };
