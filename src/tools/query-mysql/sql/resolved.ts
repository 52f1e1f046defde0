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

/** What a column name came to: a column of a relation in FROM, or an output column of the select list. */
export type ResolvedColumn = Origin &
  (
    | { readonly kind: "field"; readonly relation: string; readonly name: string }
    | { readonly kind: "output"; readonly index: number; readonly name: string }
  );

/** Where the values of a column come from. */
interface Origin {
  /** Base columns, `schema.table.column`. */
  readonly lineage: readonly string[];
  readonly sensitive: boolean;
  /** Whether the values are those of a base column, as they stand there. */
  readonly bare: boolean;
  /** Whether the values are text made of other values, so that a piece of a secret may stand in them: see `rewritesText`. */
  readonly rewritten: boolean;
  /** Names of the members by which rewritten values were taken out of JSON: they tell of a value what a column's name does. */
  readonly members: readonly string[];
}

export type ResolvedExpression = Expression<ResolvedColumn, ResolvedQuery>;
export type ResolvedOrderItem = OrderItem<ResolvedColumn, ResolvedQuery>;
export type ResolvedWindow = WindowSpec<ResolvedColumn, ResolvedQuery>;

/** An output column: the generated alias it is printed under and the name the statement gave it. */
export interface OutputColumn extends Origin {
  readonly alias: string;
  readonly name: string;
}

export interface ResolvedQuery {
  readonly recursive: boolean;
  readonly ctes: readonly ResolvedCte[];
  readonly body: ResolvedBody;
  readonly orderBy: readonly ResolvedOrderItem[];
  readonly limit?: Limit;
  readonly outputs: readonly OutputColumn[];
}

export interface ResolvedCte {
  readonly id: string;
  readonly query: ResolvedQuery;
}

export type ResolvedBody =
  | ResolvedSelect
  | {
      readonly kind: "set";
      readonly first: ResolvedBody;
      readonly rest: readonly ResolvedArm[];
      readonly outputs: readonly OutputColumn[];
    }
  | {
      readonly kind: "nested";
      readonly query: ResolvedQuery;
      readonly relation: string;
      readonly outputs: readonly OutputColumn[];
    };

export interface ResolvedArm {
  readonly operator: SetOperator;
  readonly all: boolean;
  readonly body: ResolvedBody;
}

export interface ResolvedSelect {
  readonly kind: "select";
  readonly distinct: boolean;
  readonly items: readonly ResolvedExpression[];
  readonly outputs: readonly OutputColumn[];
  readonly from?: ResolvedFrom;
  readonly where?: ResolvedExpression;
  readonly groupBy: readonly ResolvedExpression[];
  readonly rollup: boolean;
  readonly having?: ResolvedExpression;
  readonly windows: readonly NamedWindow<ResolvedColumn, ResolvedQuery>[];
  readonly aggregated: boolean;
  readonly windowed: boolean;
}

export type ResolvedFrom =
  | { readonly kind: "table"; readonly schema: string; readonly table: string; readonly relation: string }
  | { readonly kind: "cte"; readonly id: string; readonly relation: string }
  | { readonly kind: "derived"; readonly query: ResolvedQuery; readonly relation: string }
  | {
      readonly kind: "jsonTable";
      readonly document: ResolvedExpression;
      readonly path: string;
      readonly columns: readonly JsonColumn[];
      readonly relation: string;
    }
  | {
      readonly kind: "join";
      readonly type: JoinType;
      readonly left: ResolvedFrom;
      readonly right: ResolvedFrom;
      readonly on?: ResolvedExpression;
    };
