import { createEvidenceGuard, type EvidenceLookup, type EvidenceSource } from "../../guard/guard.ts";
import type { AgentResult } from "../../model/evidence.ts";
import type { Readable } from "../../model/invocation.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Reading } from "../../model/reading.ts";
import type { Scope } from "../../model/scope.ts";
import { LOOKUP_KNOWLEDGE_READING } from "../../tools/lookup-knowledge/reading.ts";
import { QUERY_LOGS_READING } from "../../tools/query-logs/reading.ts";
import { QUERY_MYSQL_READING } from "../../tools/query-mysql/reading.ts";
import { answerLines, type CommandIo, EXIT, type ExitCode } from "../io.ts";

/** The tools' own, but a line may name one keyword or table, and its log items have ids of one call, so their content counts. */
const READINGS: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  [
    "query_logs",
    {
      ...QUERY_LOGS_READING,
      identity: "content",
      negative: [...QUERY_LOGS_READING.negative, ["service", "keyword"]],
    },
  ],
  ["query_mysql", { ...QUERY_MYSQL_READING, negative: [...QUERY_MYSQL_READING.negative, ["table"]] }],
  ["lookup_knowledge", LOOKUP_KNOWLEDGE_READING],
]);

/** Checks each draft against the records that stand beside it: `{id, verdict, codes}`. */
export async function run(_options: Readonly<Record<string, unknown>>, io: CommandIo): Promise<ExitCode> {
  await answerLines(io, (line) => answer(line as JsonValue));
  return EXIT.ok;
}

async function answer(line: JsonValue): Promise<JsonObject> {
  if (!isJsonObject(line)) return { error: "LINE_NOT_OBJECT" };
  const now = typeof line["now"] === "string" ? Date.parse(line["now"]) : Date.now();
  const guard = createEvidenceGuard({ source: sourceOf(line, now), readings: READINGS, clock: () => now });
  const { verdict, claims } = await guard.verify(String(line["run_id"]), line["draft"] ?? null);
  const codes = [...new Set(claims.flatMap(({ findings }) => findings.map(({ code }) => code)))];
  return { id: line["id"] ?? null, verdict, codes };
}

/** The line's records as a store: keyed by run and call, with the index of the run's ids beside them. */
function sourceOf(line: JsonObject, now: number): EvidenceSource {
  const records = Array.isArray(line["records"]) ? line["records"].filter(isJsonObject) : [];
  const index = Array.isArray(line["audit_ids"]) ? line["audit_ids"] : [];
  return {
    async read(runId, ids) {
      if (line["store_down"] === true) throw new Error("the store of this line is down");
      return ids.map((id): EvidenceLookup => {
        const record = records.find((one) => one["run_id"] === runId && one["tool_call_id"] === id);
        const readable = record === undefined ? null : readRecord(record);
        if (readable !== null && readable.expiresAt > now) return { kind: "found", record: readable };
        return { kind: index.includes(id) ? "expired" : "absent" };
      });
    },
  };
}

/** A record of the short form. What it leaves out does not matter to the guard. */
function readRecord(record: JsonObject): Readable {
  const expires = record["expires_at"];
  const base = {
    runId: String(record["run_id"]),
    toolCallId: String(record["tool_call_id"]),
    toolName: String(record["tool_name"]),
    request: null,
    requestBytes: 0,
    scope: (isJsonObject(record["scope"]) ? record["scope"] : {}) as Scope,
    identity: "",
    createdAt: 0,
    expiresAt: typeof expires === "string" ? Date.parse(expires) : Number.POSITIVE_INFINITY,
    deadlineAt: 0,
  };
  if (record["status"] === "ERROR")
    return { ...base, status: "ERROR", evidence: "ERROR", code: "BACKEND_ERROR", completedAt: 0 };
  if (record["status"] !== "READY") return { ...base, status: "PROJECTING", evidence: null };
  const agentResult = record["agent_result"] as unknown as AgentResult;
  const evidence = agentResult.items.length > 0 ? "EVIDENCE_FOUND" : "NO_EVIDENCE";
  const derivation = {
    projectorId: "",
    projectorVersion: "",
    policyDigest: "",
    maxBytes: 0,
    memory: { secrets: 0, aliases: 0 },
  };
  return { ...base, status: "READY", evidence, agentResult, derivation, completedAt: 0 };
}
