import type {
  Expression,
  JoinType,
  JsonColumn,
  Limit,
  NamedWindow,
  OrderItem,
  SetOperator,
  WindowSpec,
} from "./syntax.ts";

/** A column as the statement names it: one to three parts. */
export interface ColumnName {
  readonly parts: readonly string[];
}

export type ParsedExpression = Expression<ColumnName, ParsedQuery>;
export type ParsedOrderItem = OrderItem<ColumnName, ParsedQuery>;
export type ParsedWindow = WindowSpec<ColumnName, ParsedQuery>;

export interface ParsedQuery {
  readonly recursive: boolean;
  readonly ctes: readonly ParsedCte[];
  readonly body: ParsedBody;
  readonly orderBy: readonly ParsedOrderItem[];
  readonly limit?: Limit;
  readonly at: number;
}

export interface ParsedCte {
  readonly name: string;
  readonly columns: readonly string[];
  readonly query: ParsedQuery;
  readonly at: number;
}

export type ParsedBody =
  | ParsedSelect
  | { readonly kind: "set"; readonly first: ParsedBody; readonly rest: readonly ParsedArm[]; readonly at: number }
  | { readonly kind: "nested"; readonly query: ParsedQuery; readonly at: number };

export interface ParsedArm {
  readonly operator: SetOperator;
  readonly all: boolean;
  readonly body: ParsedBody;
}

export interface ParsedSelect {
  readonly kind: "select";
  readonly distinct: boolean;
  readonly items: readonly ParsedItem[];
  readonly from?: ParsedFrom;
  readonly where?: ParsedExpression;
  readonly groupBy: readonly ParsedOrderItem[];
  readonly rollup: boolean;
  readonly having?: ParsedExpression;
  readonly windows: readonly NamedWindow<ColumnName, ParsedQuery>[];
  readonly at: number;
}

export type ParsedItem =
  | { readonly kind: "star"; readonly qualifier: readonly string[]; readonly at: number }
  | {
      readonly kind: "expression";
      readonly expression: ParsedExpression;
      readonly name: string;
      readonly named: boolean;
    };

export type ParsedFrom =
  | { readonly kind: "table"; readonly parts: readonly string[]; readonly alias?: string; readonly at: number }
  | {
      readonly kind: "derived";
      readonly query: ParsedQuery;
      readonly alias: string;
      readonly columns: readonly string[];
      readonly at: number;
    }
  | {
      readonly kind: "jsonTable";
      readonly document: ParsedExpression;
      readonly path: string;
      readonly columns: readonly JsonColumn[];
      readonly alias: string;
      readonly at: number;
    }
  | {
      readonly kind: "join";
      readonly type: JoinType;
      readonly left: ParsedFrom;
      readonly right: ParsedFrom;
      readonly on?: ParsedExpression;
      /** Names of USING; the word for a NATURAL join, whose names the resolver finds. */
      readonly using?: readonly string[] | "natural";
      readonly at: number;
    };
