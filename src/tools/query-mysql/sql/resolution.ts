import type { ParsedExpression, ParsedQuery } from "./parsed.ts";
import type { ReadableSchema } from "./readable-schema.ts";
import type { OutputColumn, ResolvedExpression, ResolvedQuery } from "./resolved.ts";
import type { Scope } from "./scope.ts";

/** A common table expression in sight. */
export interface CteInSight {
  readonly id: string;
  readonly names: readonly string[];
  readonly outputs: readonly OutputColumn[];
}

/** What a query can see from where it stands. */
export interface Surroundings {
  readonly ctes: ReadonlyMap<string, CteInSight>;
  readonly outer: Scope | null;
}

/** How names inside an expression are looked up and what may stand in it. */
export interface ExpressionContext extends Surroundings {
  readonly scope: Scope | null;
  readonly aggregates: boolean;
  readonly windowCalls: boolean;
  /** Names of WINDOW clauses, folded, and the names they are printed under. */
  readonly windows: ReadonlyMap<string, string>;
  /** Another way to resolve a column name, tried first: select aliases in HAVING and ORDER BY. */
  readonly names?: (parts: readonly string[], at: number, insideAggregate: boolean) => ResolvedExpression | null;
  readonly insideAggregate: boolean;
  /** Collects where values come from; emptied for each select item. */
  readonly lineage: Set<string>;
  /** Collects the members that a value is taken out of JSON by; emptied with the lineage. */
  readonly members: Set<string>;
}

/** The rules that contain each other; modules reach them through the resolution. */
export interface Rules {
  query(resolution: Resolution, query: ParsedQuery, surroundings: Surroundings): ResolvedQuery;
  expression(resolution: Resolution, expression: ParsedExpression, context: ExpressionContext): ResolvedExpression;
}

/** One statement being resolved: what it may read, what it has used so far. */
export class Resolution {
  readonly schema: ReadableSchema;
  readonly rules: Rules;
  /** The value behind an identifier alias. */
  readonly alias: (text: string) => string;
  readonly tables: Set<string> = new Set();
  /** What the select being resolved has called so far. */
  readonly seen: { aggregate: boolean; window: boolean; clock: boolean } = {
    aggregate: false,
    window: false,
    clock: false,
  };
  insideRecursive = false;
  #ids = 0;

  constructor(schema: ReadableSchema, rules: Rules, alias: (text: string) => string) {
    this.schema = schema;
    this.rules = rules;
    this.alias = alias;
  }

  /** A fresh generated name: `t1`, `q2`, `w3`. */
  id(prefix: "t" | "q" | "w"): string {
    this.#ids++;
    return `${prefix}${this.#ids}`;
  }
}
