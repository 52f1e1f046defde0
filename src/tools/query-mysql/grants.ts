import type { SqlPolicy } from "./policy.ts";
import { quoted } from "./sql/dialect.ts";

/** An account of a database server. */
export interface SqlAccount {
  readonly user: string;
  readonly host: string;
}

/**
 * The statements that give an account the right to read what a policy allows, column by column, and nothing else. Under them a
 * server refuses by itself whatever the policy hides. All names stand in back-ticks, so that no mode of the server matters.
 */
export function grantsOf(policy: SqlPolicy, { user, host }: SqlAccount): readonly string[] {
  return [...policy.tables.values()].map(({ schema, name, columns }) => {
    const list = columns.map(quoted).join(", ");
    return `GRANT SELECT (${list}) ON ${quoted(schema)}.${quoted(name)} TO ${quoted(user)}@${quoted(host)}`;
  });
}
