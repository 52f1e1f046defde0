import type { AuditInspection } from "../../audit/inspect.ts";
import { type Finding, failure, note, ok, warning } from "./finding.ts";

const CHECK = "audit.schema";

/** Judges how an audit database compares with the documented tables. */
export function assessInspection(inspection: AuditInspection): readonly Finding[] {
  const { faults, unknown, foreign, warnings } = inspection;
  const findings = [
    ...faults.map((fault) =>
      failure(CHECK, {
        what: fault,
        why: "Rows could not be written, or would not be read back as they were; so no process opens this audit.",
        fix: "Change the table as said, or name another database in 'audit'.",
      }),
    ),
    ...(unknown.length === 0 ? [] : [newer(unknown)]),
    ...warnings.map((text) =>
      warning(CHECK, {
        what: text,
        why: "A search by id may find rows of another id, or take longer than it has to.",
        fix: "Give the column the collation ascii_bin, or the index its documented columns, when the table may be locked.",
      }),
    ),
    ...foreign.map((table) =>
      note(CHECK, {
        what: `${table} is another product's table.`,
        why: "What would be kept there is not kept at all; nothing is written to it.",
        fix: "Name a database of its own in 'audit' to have it.",
      }),
    ),
  ];
  const pending = faults.length > 0 || unknown.length > 0 ? [] : assessPending(inspection);
  const all = [...findings, ...pending];
  return all.length > 0 ? all : [ok(CHECK, "The tables are as documented.")];
}

function newer(unknown: readonly string[]): Finding {
  return failure(CHECK, {
    what: `The database was migrated by a newer version, with ${unknown.join(", ")}.`,
    why: "An older program could write rows that the newer one no longer understands.",
    fix: "Bring this installation up to date.",
  });
}

function assessPending({ pending, missing }: AuditInspection): readonly Finding[] {
  if (pending.length === 0 && missing.length === 0) return [];
  if (pending.length === 0) {
    return [
      failure(CHECK, {
        what: `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} gone, although the database was migrated.`,
        why: "No row can be written.",
        fix: "Restore the tables; or drop dualview_migration and run `dualview audit migrate` to begin anew.",
      }),
    ];
  }
  return [
    note(CHECK, {
      what: `Migrations are still to be run: ${pending.join(", ")}.`,
      why: "The first process that opens the audit runs them, if its account may create tables.",
      fix: "Run `dualview audit migrate` with an account that may.",
    }),
  ];
}
