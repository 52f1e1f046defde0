import type { Insertable, Selectable } from "kysely";
import { isJsonObject } from "../model/json.ts";
import type { RetrievalDetails, StoredToolInvocationRow, ToolInvocationRow } from "./audit.ts";
import type { AuditDatabase } from "./schema.ts";

type Table = AuditDatabase["tool_invocation"];

export function encodeRow(row: ToolInvocationRow): Insertable<Table> {
  return {
    ...row,
    input_params: JSON.stringify(row.input_params),
    retrieval_details: row.retrieval_details === null ? null : JSON.stringify(row.retrieval_details),
  };
}

/**
 * A stored row, also one that an older program wrote: of the JSON columns only the documented members are read, since rows
 * from before may hold whole requests.
 */
export function decodeRow(row: Selectable<Table>): StoredToolInvocationRow {
  const input = parseObject(row.input_params) ?? {};
  return {
    ...row,
    id: Number(row.id),
    input_params: {
      tool_call_id: textOr(input["tool_call_id"], ""),
      request_bytes: typeof input["request_bytes"] === "number" ? input["request_bytes"] : 0,
    },
    retrieval_details: decodeDetails(row.retrieval_details),
    is_truncated: toBoolean(row.is_truncated),
    success: toBoolean(row.success),
  };
}

function decodeDetails(stored: unknown): RetrievalDetails | null {
  const details = parseObject(stored);
  if (details === null) return null;
  const decoded = {
    tool_call_id: textOr(details["tool_call_id"], ""),
    status: textOr(details["status"], ""),
    evidence_status: typeof details["evidence_status"] === "string" ? details["evidence_status"] : null,
    agent_result_bytes: typeof details["agent_result_bytes"] === "number" ? details["agent_result_bytes"] : null,
  };
  return typeof details["error_code"] === "string" ? { ...decoded, error_code: details["error_code"] } : decoded;
}

/** Text, or what a driver has parsed already; null for anything that is no JSON object. */
function parseObject(stored: unknown): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = typeof stored === "string" ? JSON.parse(stored) : stored;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function toBoolean(value: boolean | number | null): boolean | null {
  return value === null ? null : Boolean(value);
}
