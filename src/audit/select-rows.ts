import type { Kysely, Selectable, SelectQueryBuilder } from "kysely";
import type { AuditQuery } from "./audit.ts";
import type { AuditDialect } from "./audit-dialect.ts";
import { type AuditDatabase, TOOL_INVOCATION } from "./schema.ts";

type Table = AuditDatabase["tool_invocation"];

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;
// By name: an adopted table may have further columns, and those are the host's. Times are asked for as text, below.
const COLUMNS = TOOL_INVOCATION.columns
  .map(({ name }) => name as keyof Table)
  .filter((name): name is Exclude<keyof Table, "created_at"> => name !== "created_at");

/** The statement behind `list`; each of its filters has an index. */
export function selectRows(
  db: Kysely<AuditDatabase>,
  dialect: AuditDialect,
  { runId, sessionId, toolName, afterId, limit }: AuditQuery,
): SelectQueryBuilder<AuditDatabase, "tool_invocation", Selectable<Table>> {
  let select = db
    .selectFrom("tool_invocation")
    .select(COLUMNS)
    .select(dialect.timeText("created_at").as("created_at"))
    .limit(Math.min(Math.max(Math.trunc(limit ?? DEFAULT_LIMIT), 0), MAX_LIMIT));
  if (runId !== undefined) select = select.where("run_id", "=", runId);
  if (sessionId !== undefined) select = select.where("session_id", "=", sessionId);
  if (toolName !== undefined) select = select.where("tool_name", "=", toolName);
  if (afterId !== undefined) select = select.where("id", ">", afterId);
  return select.orderBy("id", afterId === undefined ? "desc" : "asc");
}
