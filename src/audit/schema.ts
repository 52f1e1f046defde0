import type { Generated } from "kysely";

/** What a column holds, apart from any database's spelling. `ascii` is a string of own ids, compared byte by byte. */
export type ColumnKind =
  | "identity"
  | "bigint"
  | "int"
  | "boolean"
  | "json"
  | "text"
  | "datetime"
  | `varchar(${number})`
  | `ascii(${number})`;

export interface ColumnDefinition {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
}

export interface IndexDefinition {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
}

export interface TableDefinition {
  readonly name: keyof AuditDatabase;
  readonly columns: readonly ColumnDefinition[];
  /** Absent where an `identity` column is the key. */
  readonly primaryKey: readonly string[];
  readonly indexes: readonly IndexDefinition[];
}

const required = (name: string, kind: ColumnKind): ColumnDefinition => ({ name, kind, nullable: false });
const optional = (name: string, kind: ColumnKind): ColumnDefinition => ({ name, kind, nullable: true });
const index = (name: string, ...columns: readonly string[]): IndexDefinition => ({ name, columns, unique: false });

/** One row a call. Names, types and indexes are documented and shared with other readers of the table. */
export const TOOL_INVOCATION: TableDefinition = {
  name: "tool_invocation",
  columns: [
    required("id", "identity"),
    required("session_id", "ascii(64)"),
    optional("run_id", "ascii(64)"),
    optional("step_id", "bigint"),
    required("tool_name", "ascii(64)"),
    required("input_params", "json"),
    optional("output_preview", "text"),
    optional("output_length", "int"),
    optional("retrieval_layer", "varchar(8)"),
    optional("l0_match_count", "int"),
    optional("l1_match_count", "int"),
    optional("is_truncated", "boolean"),
    optional("relevance_level", "varchar(20)"),
    optional("dedup_reason", "varchar(32)"),
    optional("retrieval_details", "json"),
    optional("duration_ms", "int"),
    optional("success", "boolean"),
    optional("error_message", "text"),
    required("created_at", "datetime"),
  ],
  primaryKey: [],
  indexes: [
    index("idx_session_id", "session_id"),
    index("idx_tool_invocation_run_id", "run_id", "id"),
    index("idx_tool_name", "tool_name"),
    index("idx_retrieval_layer", "retrieval_layer"),
  ],
};

/** How far the outbox was written, by partition and epoch; moves in the transaction that writes the rows. */
export const AUDIT_POSITION: TableDefinition = {
  name: "audit_position",
  columns: [required("partition", "int"), required("epoch", "ascii(64)"), required("sequence", "bigint")],
  primaryKey: ["partition", "epoch"],
  indexes: [],
};

export const CHAT_SESSION: TableDefinition = {
  name: "chat_session",
  columns: [required("session_id", "ascii(64)"), required("created_at", "datetime")],
  primaryKey: ["session_id"],
  indexes: [],
};

export const DIAGNOSIS_RUN: TableDefinition = {
  name: "diagnosis_run",
  columns: [
    required("run_id", "ascii(64)"),
    required("session_id", "ascii(64)"),
    required("status", "varchar(16)"),
    optional("stop_reason", "varchar(64)"),
    optional("call_count", "int"),
    optional("claim_count", "int"),
    optional("verdict", "varchar(16)"),
    required("started_at", "datetime"),
    optional("ended_at", "datetime"),
  ],
  primaryKey: ["run_id"],
  indexes: [index("idx_diagnosis_run_session_id", "session_id")],
};

export const AGENT_STEP: TableDefinition = {
  name: "agent_step",
  columns: [
    required("id", "identity"),
    required("run_id", "ascii(64)"),
    required("ordinal", "int"),
    required("kind", "varchar(32)"),
    required("created_at", "datetime"),
  ],
  primaryKey: [],
  indexes: [{ name: "uq_agent_step_run_id_ordinal", columns: ["run_id", "ordinal"], unique: true }],
};

/** The sink cannot work without these; a table of the same name that does not fit is an error. */
export const OWN_TABLES: readonly TableDefinition[] = [TOOL_INVOCATION, AUDIT_POSITION];
/** A host may have tables of these names for itself; then they are left alone. */
export const RELATED_TABLES: readonly TableDefinition[] = [CHAT_SESSION, DIAGNOSIS_RUN, AGENT_STEP];

/** The tables as queries see them; JSON is text, a boolean is what the driver makes of it. */
export interface AuditDatabase {
  tool_invocation: {
    id: Generated<number>;
    session_id: string;
    run_id: string | null;
    step_id: number | null;
    tool_name: string;
    input_params: string;
    output_preview: string | null;
    output_length: number | null;
    retrieval_layer: string | null;
    l0_match_count: number | null;
    l1_match_count: number | null;
    is_truncated: boolean | number | null;
    relevance_level: string | null;
    dedup_reason: string | null;
    retrieval_details: string | null;
    duration_ms: number | null;
    success: boolean | number | null;
    error_message: string | null;
    created_at: string;
  };
  audit_position: { partition: number; epoch: string; sequence: number };
  chat_session: { session_id: string; created_at: string };
  diagnosis_run: {
    run_id: string;
    session_id: string;
    status: string;
    stop_reason: string | null;
    call_count: number | null;
    claim_count: number | null;
    verdict: string | null;
    started_at: string;
    ended_at: string | null;
  };
  agent_step: { id: Generated<number>; run_id: string; ordinal: number; kind: string; created_at: string };
}
