import { createEvidenceGuard, type EvidenceLookup, type EvidenceSource } from "../../src/guard/guard.ts";
import type { AgentResult, EvidenceItem } from "../../src/model/evidence.ts";
import { evidenceStatusOf } from "../../src/model/evidence.ts";
import type { Readable } from "../../src/model/invocation.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Reading } from "../../src/model/reading.ts";
import type { Scope } from "../../src/model/scope.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { LOOKUP_KNOWLEDGE_READING } from "../../src/tools/lookup-knowledge/reading.ts";
import { QUERY_LOGS_READING } from "../../src/tools/query-logs/reading.ts";
import { QUERY_MYSQL_READING } from "../../src/tools/query-mysql/reading.ts";

export const NOW: number = Date.parse("2026-03-11T10:00:00Z");

const READINGS: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ["query_logs", { ...QUERY_LOGS_READING, identity: "content" }],
  ["query_mysql", QUERY_MYSQL_READING],
  ["lookup_knowledge", LOOKUP_KNOWLEDGE_READING],
]);

/** A finished record, as short as a test can write it. */
export interface Recorded {
  readonly id: string;
  readonly tool: string;
  readonly scope: Scope;
  readonly result: AgentResult;
}

type Extra = { readonly scope?: Scope; readonly truncated?: boolean; readonly id?: string };

function recorded(tool: string, id: string, items: readonly EvidenceItem[], scope: Scope, truncated = false): Recorded {
  return { id, tool, scope, result: { items, truncated } };
}

/** Lines that checkout wrote between 09:00 and 09:30 UTC: e1, e2 … */
export function logs(
  lines: readonly (string | JsonObject)[],
  { scope = {}, truncated, id = "logs" }: Extra = {},
): Recorded {
  const items = lines.map((line, i) => ({
    item_id: `e${i + 1}`,
    ...(typeof line === "string" ? { text: line } : line),
  }));
  const window = { service: "checkout-svc", time_from: "2026-03-11T09:00:00Z", time_to: "2026-03-11T09:30:00Z" };
  return recorded("query_logs", id, items, { ...window, ...scope }, truncated);
}

/** Rows of shop.refunds: r1, r2 … */
export function rows(cells: readonly JsonObject[], { scope = {}, truncated, id = "rows" }: Extra = {}): Recorded {
  const items = cells.map((row, i) => ({ item_id: `r${i + 1}`, cells: row }));
  return recorded("query_mysql", id, items, { datasource: "shop", tables: ["refunds"], ...scope }, truncated);
}

/** Passages of a handbook: k1, k2 … */
export function passages(
  found: readonly (string | JsonObject)[],
  { scope = {}, truncated, id = "book" }: Extra = {},
): Recorded {
  const items = found.map((text, i) => ({
    item_id: `k${i + 1}`,
    relevance_level: "HIGH" as const,
    ...(typeof text === "string" ? { text } : text),
  }));
  return recorded("lookup_knowledge", id, items, { query: "broker backlog", ...scope }, truncated);
}

export function readable({ id, tool, scope, result }: Recorded): Readable {
  return {
    runId: "run",
    toolCallId: id,
    toolName: tool,
    request: null,
    requestBytes: 0,
    scope,
    identity: "",
    createdAt: 0,
    expiresAt: NOW + 60_000,
    deadlineAt: 0,
    status: "READY",
    evidence: evidenceStatusOf(result),
    agentResult: result,
    derivation: {
      projectorId: "p",
      projectorVersion: "1",
      policyDigest: "",
      maxBytes: 0,
      memory: { secrets: 0, aliases: 0 },
    },
    completedAt: 0,
  };
}

export function sourceOf(records: readonly Recorded[]): EvidenceSource {
  return {
    read: async (_, ids) =>
      ids.map((id): EvidenceLookup => {
        const found = records.find((record) => record.id === id);
        return found === undefined ? { kind: "absent" } : { kind: "found", record: readable(found) };
      }),
  };
}

export function verify(draft: unknown, source: EvidenceSource): Promise<Verdict> {
  return createEvidenceGuard({ source, readings: READINGS, clock: () => NOW }).verify("run", draft);
}

/** Codes of one claim. Unless it says otherwise it is an observation that cites the first item of each record. */
export async function codesOf(records: Recorded | readonly Recorded[], claim: JsonObject): Promise<readonly string[]> {
  const all = [records].flat() as readonly Recorded[];
  const citations = all.map(({ id, result }) => {
    const [first] = result.items;
    return first === undefined || claim["kind"] === "negative"
      ? { tool_call_id: id }
      : { tool_call_id: id, item_id: first.item_id };
  });
  const { claims } = await verify({ claims: [{ kind: "observation", citations, ...claim }] }, sourceOf(all));
  return [...new Set(claims.flatMap(({ findings }) => findings.map(({ code }) => code)))].sort();
}

/** Citations of several items of one record. */
export function cite(record: Recorded, ...items: readonly string[]): JsonObject[] {
  return items.map((item_id) => ({ tool_call_id: record.id, item_id }));
}
