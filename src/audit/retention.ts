import { type Kysely, sql } from "kysely";
import { BOUNDARY_ERROR_CODES } from "../model/errors.ts";
import type { AuditStats, AuditToolStats } from "./audit.ts";
import type { AuditDialect } from "./audit-dialect.ts";
import type { AuditDatabase } from "./schema.ts";

/** A table whose rows grow old: its key, in whose order it is walked, and the column that tells a row's age. */
export interface AgingTable {
  readonly table: "tool_invocation" | "agent_step" | "diagnosis_run";
  readonly key: "id" | "run_id";
  readonly time: "created_at" | "started_at";
  /** Below every key. */
  readonly start: number | string;
}

export const CALLS: AgingTable = { table: "tool_invocation", key: "id", time: "created_at", start: -1 };
export const STEPS: AgingTable = { table: "agent_step", key: "id", time: "created_at", start: -1 };
export const RUNS: AgingTable = { table: "diagnosis_run", key: "run_id", time: "started_at", start: "" };

/** One window of a walk: how many of its rows were old enough, and the key it ended with; null at the table's end. */
export interface PrunedWindow {
  readonly deleted: number;
  readonly last: number | string | null;
}

/**
 * Deletes the rows from before `before` among the `size` rows that follow the key `after`. Walked by key, not by time: the
 * documented table has no index on its time, and rows of an outage are written late, so that keys and times need not agree.
 */
export async function pruneWindow(
  db: Kysely<AuditDatabase>,
  { table, key, time }: AgingTable,
  after: number | string,
  window: { readonly before: string; readonly size: number },
): Promise<PrunedWindow> {
  const [name, column] = [sql.table(table), sql.ref(key)];
  const { rows } = await sql<{ last: number | string | null }>`
    select max(k) as ${sql.ref("last")} from
      (select ${column} as k from ${name} where ${column} > ${after} order by ${column} limit ${sql.lit(window.size)}) w
    `.execute(db);
  const last = rows[0]?.last ?? null;
  if (last === null) return { deleted: 0, last };
  const result = await sql`
    delete from ${name} where ${column} > ${after} and ${column} <= ${last} and ${sql.ref(time)} < ${window.before}
    `.execute(db);
  return { deleted: Number(result.numAffectedRows ?? 0), last };
}

interface ToolRow {
  readonly tool_name: string;
  readonly evidence: string | null;
  readonly amount: number | string;
  readonly first: string;
  readonly last: string;
}

/** A summary of the whole table, which is read once for it. */
export async function readStats(db: Kysely<AuditDatabase>, dialect: AuditDialect): Promise<AuditStats> {
  const { rows: tools } = await sql<ToolRow>`
    select tool_name, evidence, amount, ${dialect.timeText("oldest")} as ${sql.ref("first")},
      ${dialect.timeText("newest")} as ${sql.ref("last")}
    from (select tool_name, relevance_level as evidence, count(*) as amount, min(created_at) as oldest,
      max(created_at) as newest from tool_invocation group by tool_name, relevance_level) t`.execute(db);
  // Known codes alone: a row that an older program wrote may hold any text here.
  const codes = await db
    .selectFrom("tool_invocation")
    .select(["error_message as code", ({ fn }) => fn.countAll().as("amount")])
    .where("error_message", "in", [...BOUNDARY_ERROR_CODES])
    .groupBy("error_message")
    .execute();
  return {
    rows: tools.reduce((sum, { amount }) => sum + Number(amount), 0),
    first: tools.reduce<string | null>((least, { first }) => (least === null || first < least ? first : least), null),
    last: tools.reduce<string | null>((most, { last }) => (most === null || last > most ? last : most), null),
    tools: byTool(tools),
    codes: codes
      .map(({ code, amount }) => ({ code: code ?? "", rows: Number(amount) }))
      .sort((a, b) => b.rows - a.rows || (a.code < b.code ? -1 : 1)),
  };
}

/** A refused call has no evidence status, since it was never executed. */
function byTool(rows: readonly ToolRow[]): readonly AuditToolStats[] {
  const names = [...new Set(rows.map(({ tool_name }) => tool_name))].sort();
  return names.map((tool_name) => {
    const count = (evidence: string | null): number =>
      rows
        .filter((row) => row.tool_name === tool_name && row.evidence === evidence)
        .reduce((sum, { amount }) => sum + Number(amount), 0);
    return {
      tool_name,
      evidence_found: count("EVIDENCE_FOUND"),
      no_evidence: count("NO_EVIDENCE"),
      error: count("ERROR"),
      refused: count(null),
    };
  });
}
