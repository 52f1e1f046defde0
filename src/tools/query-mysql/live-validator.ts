import { BoundaryError } from "../../model/errors.ts";
import type { Catalog } from "./catalog.ts";
import type { MysqlQueryPlan } from "./plan.ts";
import type { SqlPolicy } from "./policy.ts";
import type { Dialect } from "./sql/dialect.ts";
import { MysqlSqlValidator, type Validation } from "./validator.ts";

/** Checks statements against the tables as they were last read, and a plan once more when a server no longer knows them. */
export class LiveValidator {
  readonly #policy: SqlPolicy;
  readonly #catalog: Catalog;
  readonly #dialect: Dialect;
  readonly #again = new WeakMap<MysqlQueryPlan, () => Validation>();
  #validator: MysqlSqlValidator;

  constructor(policy: SqlPolicy, catalog: Catalog, dialect: Dialect) {
    this.#policy = policy;
    this.#catalog = catalog;
    this.#dialect = dialect;
    this.#validator = new MysqlSqlValidator(policy, catalog, dialect);
  }

  validate(sql: string, alias: (text: string) => string): Validation {
    const result = this.#validator.validate(sql, alias);
    if (result.kind === "allowed") this.#again.set(result.plan, () => this.#validator.validate(sql, alias));
    return result;
  }

  /**
   * The plan of the same question to the tables as they are. Throws SCHEMA_CHANGED when it is not allowed any more, asks something
   * else, or was not the reason: what is stored of a call was taken from its first plan, and must hold for what is run.
   */
  async renew(plan: MysqlQueryPlan): Promise<MysqlQueryPlan> {
    if (this.#catalog.refresh === undefined) throw new BoundaryError("SCHEMA_CHANGED");
    await this.#catalog.refresh();
    this.#validator = new MysqlSqlValidator(this.#policy, this.#catalog, this.#dialect);
    const result = this.#again.get(plan)?.();
    if (result?.kind !== "allowed" || result.plan.sql === plan.sql || !asksTheSame(result.plan, plan)) {
      throw new BoundaryError("SCHEMA_CHANGED");
    }
    return result.plan;
  }
}

function asksTheSame(a: MysqlQueryPlan, b: MysqlQueryPlan): boolean {
  return a.fingerprint === b.fingerprint && JSON.stringify(a.columns) === JSON.stringify(b.columns);
}
