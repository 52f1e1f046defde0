import type { StoredToolInvocationRow } from "../../audit/audit.ts";
import { fitColumns } from "../display.ts";

const COLUMNS: readonly (readonly [string, number, (row: StoredToolInvocationRow) => string])[] = [
  ["id", 6, (row) => String(row.id)],
  ["created_at (UTC)", 19, (row) => row.created_at],
  ["tool", 18, (row) => row.tool_name],
  ["call", 12, (row) => row.input_params.tool_call_id],
  ["status", 9, (row) => row.retrieval_details?.status ?? ""],
  ["evidence", 14, (row) => row.relevance_level ?? ""],
  ["bytes", 7, (row) => String(row.output_length ?? "")],
  ["ms", 6, (row) => String(row.duration_ms ?? "")],
  ["code", 20, (row) => row.error_message ?? ""],
  // last and whole, so that it can be copied
  ["run", 64, (row) => row.run_id ?? ""],
];

/** Names of the columns, for the top of a list. */
export function headLine(): string {
  return COLUMNS.map(([name, width]) => fitColumns(name, width))
    .join(" ")
    .trimEnd();
}

/** One row on one line. */
export function rowLine(row: StoredToolInvocationRow): string {
  return COLUMNS.map(([, width, show]) => fitColumns(show(row), width))
    .join(" ")
    .trimEnd();
}
