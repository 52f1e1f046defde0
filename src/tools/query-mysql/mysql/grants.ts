import { BoundaryError } from "../../../model/errors.ts";
import type { SqlPolicy } from "../policy.ts";
import { quoted } from "../sql/dialect.ts";

/** An account as GRANT names it. */
export interface Account {
  readonly user: string;
  readonly host: string;
}

export const DEFAULT_ACCOUNT: Account = { user: "dualview", host: "%" };

/** The least that plans of a policy need: SELECT on its columns, table by table. Pure. */
export function grantsFor(policy: SqlPolicy, { user, host }: Account = DEFAULT_ACCOUNT): readonly string[] {
  return [...policy.tables.values()].map(({ schema, name, columns }) => {
    const list = columns.map(quoted).join(", ");
    return `GRANT SELECT (${list}) ON ${quoted(schema)}.${quoted(name)} TO ${text(user)}@${text(host)};`;
  });
}

/** As a text: how administrators write accounts. A quote is doubled; there is no backslash in it. */
function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

const ACCOUNT = /^(?:'([^'\\\0]*)'|([^'"`@\s\\\0]+))(?:@(?:'([^'"`\\\s\0]+)'|([^'"`@\s\\\0]+)))?$/u;
const LONGEST_USER = 80;
const LONGEST_HOST = 255;

/** Reads `'user'@'host'`, with or without quotes; without a host it is any. Throws CONFIG_INVALID. */
export function parseAccount(written: string): Account {
  const [, quotedUser, plainUser, quotedHost, plainHost] = ACCOUNT.exec(written) ?? [];
  const user = quotedUser ?? plainUser ?? "";
  const host = quotedHost ?? plainHost ?? "%";
  if (user === "" || user.length > LONGEST_USER || host.length > LONGEST_HOST) {
    throw new BoundaryError(
      "CONFIG_INVALID",
      "account",
      "Write the account as 'user'@'host', such as 'dualview'@'10.0.0.%'.",
    );
  }
  return { user, host };
}
