import { grantsFor } from "../../tools/query-mysql/mysql/grants.ts";
import type { MysqlInspection } from "../../tools/query-mysql/mysql/mysql-datasource.ts";
import type { SqlPolicy } from "../../tools/query-mysql/policy.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

/** Judges what was learned of a datasource on a server. Pure: the same facts give the same findings. */
export function assessDatasource(place: string, policy: SqlPolicy, inspection: MysqlInspection): readonly Finding[] {
  const { server, faults } = inspection;
  const tables = policy.tables.size;
  return [
    ok(place, `${server.flavour} ${server.version} answers.`),
    ...account(`${place}.account`, policy, inspection),
    ...faults.map((fault) =>
      failure(`${place}.policy`, {
        what: fault,
        why: "No process starts with this configuration: it would offer a model what is not there, or more than was meant.",
        fix: "Correct the policy, or grant SELECT on what it lists.",
      }),
    ),
    ...(faults.length > 0
      ? []
      : [ok(`${place}.policy`, `${tables} ${tables === 1 ? "table is" : "tables are"} as the policy says.`)]),
  ];
}

function account(check: string, policy: SqlPolicy, { account: { faults, wide } }: MysqlInspection): readonly Finding[] {
  const fix = `Give it an account of its own with these rights and no other: ${grantsFor(policy).join(" ")}`;
  if (faults.length > 0) {
    return [
      failure(check, {
        what: `The account may do more than read the policy's tables: ${faults.join("; ")}.`,
        why: "No process starts with it: what is not granted cannot happen, whatever a statement says.",
        fix,
      }),
    ];
  }
  if (wide.length === 0) return [ok(check, "The account may read what the policy lists, and nothing else.")];
  return [
    warning(check, {
      what: `The account may read more than the policy lists: ${wide.join("; ")}.`,
      why: "Only the check of statements keeps other columns from being read; the server would not.",
      fix,
    }),
  ];
}
