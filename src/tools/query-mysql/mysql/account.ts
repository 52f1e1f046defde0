import { BoundaryError } from "../../../model/errors.ts";
import type { SqlPolicy } from "../policy.ts";
import { foldCase } from "../sql/characters.ts";
import { grantsFor } from "./grants.ts";
import { type MysqlConnection, rowsOf } from "./mysql-client.ts";
import { type Grant, type GrantedRight, parseGrant } from "./parse-grant.ts";
import type { ServerFacts } from "./server.ts";

/** What an account may do beyond reading what a policy lists. */
export interface AccountFacts {
  /** More than reading, or reading elsewhere: no tool is served with these. */
  readonly faults: readonly string[];
  /** Reading more of the policy's own schemas than it lists. */
  readonly wide: readonly string[];
}

/**
 * Lines of SHOW GRANTS, those of all granted roles included, whether they are active or not. The connection has other roles
 * afterwards, so it must not be used for anything else.
 */
export async function readGrants(connection: MysqlConnection, { flavour }: ServerFacts): Promise<readonly Grant[]> {
  const own = await showGrants(connection);
  const named = own.flatMap((grant) => (grant.kind === "roles" ? grant.roles : []));
  const all = [...own];
  if (flavour === "MySQL") {
    await rowsOf(connection, "SET ROLE ALL");
    return [...all, ...(await showGrants(connection))];
  }
  for (const role of new Set(named)) {
    await rowsOf(connection, `SET ROLE \`${role.replaceAll("`", "``")}\``);
    all.push(...(await showGrants(connection)));
  }
  return all;
}

async function showGrants(connection: MysqlConnection): Promise<readonly Grant[]> {
  const rows = await rowsOf(connection, "SHOW GRANTS");
  return rows.flatMap((row) => Object.values(row).map((line) => parseGrant(String(line))));
}

/** Judges an account. Pure; a line that is not understood is a fault. */
export function judgeAccount(grants: readonly Grant[], policy: SqlPolicy, server: ServerFacts): AccountFacts {
  const allowed = allowedBy(policy, server);
  const judged = grants.flatMap((grant) => judgeGrant(grant, allowed));
  const texts = (verdict: Judged["verdict"]): readonly string[] => [
    ...new Set(judged.filter((one) => one.verdict === verdict).map(({ text }) => text)),
  ];
  const unseen = grants.length === 0 ? ["rights that the server does not show"] : [];
  return { faults: [...unseen, ...texts("fault")], wide: texts("wide") };
}

interface Judged {
  readonly verdict: "fits" | "wide" | "fault";
  readonly text: string;
}

function judgeGrant(grant: Grant, allowed: Allowed): readonly Judged[] {
  if (grant.kind === "nothing") return [];
  if (grant.kind === "other") return [{ verdict: "fault", text: "a grant that is not understood, such as PROXY" }];
  if (grant.kind === "roles") return grant.grantable ? [{ verdict: "fault", text: "ADMIN OPTION on a role" }] : [];
  const place = `${grant.schema ?? "*"}.${grant.table ?? "*"}`;
  const option: readonly Judged[] = grant.grantable ? [{ verdict: "fault", text: `GRANT OPTION on ${place}` }] : [];
  const rights = grant.rights.map((one): Judged => {
    const columns = one.columns === null ? "" : ` (${one.columns.join(", ")})`;
    return { verdict: judge(one, grant, allowed), text: `${one.right}${columns} on ${place}` };
  });
  return [...option, ...rights];
}

function allowedBy(policy: SqlPolicy, { caseSensitiveTables }: ServerFacts): Allowed {
  const fold = (name: string): string => (caseSensitiveTables ? name : foldCase(name));
  const tables = [...policy.tables.values()];
  return {
    fold,
    schemas: new Set(tables.map(({ schema }) => fold(schema))),
    tables: new Map(
      tables.map(({ schema, name, columns }) => [`${fold(schema)}.${fold(name)}`, columns.map(foldCase)] as const),
    ),
  };
}

type Rights = Extract<Grant, { kind: "rights" }>;

interface Allowed {
  readonly schemas: ReadonlySet<string>;
  readonly tables: ReadonlyMap<string, readonly string[]>;
  readonly fold: (name: string) => string;
}

function judge({ right, columns }: GrantedRight, grant: Rights, allowed: Allowed): Judged["verdict"] {
  if (right === "USAGE") return "fits";
  if (right !== "SELECT" || grant.routine || grant.schema === null) return "fault";
  // the name of a schema is a pattern there, whose wild cards may be escaped
  const schema = allowed.fold(grant.table === null ? grant.schema.replace(/\\([_%])/g, "$1") : grant.schema);
  if (!allowed.schemas.has(schema)) return "fault";
  if (grant.table === null) return "wide";
  const listed = allowed.tables.get(`${schema}.${allowed.fold(grant.table)}`);
  if (listed === undefined) return "wide";
  return columns === null || columns.every((column) => listed.includes(foldCase(column))) ? "fits" : "wide";
}

/** Throws CONFIG_INVALID with what the account may do beyond reading, and the grants that would be right. */
export function mustOnlyRead({ faults }: AccountFacts, policy: SqlPolicy): void {
  if (faults.length === 0) return;
  const shown = faults.slice(0, 12).join("; ");
  const more = faults.length > 12 ? `; and ${faults.length - 12} more` : "";
  throw new BoundaryError(
    "CONFIG_INVALID",
    undefined,
    `The account may do more than read the policy's tables: it has ${shown}${more}. ` +
      `Give the datasource an account of its own that has these rights and no other:\n${grantsFor(policy).join("\n")}`,
  );
}
