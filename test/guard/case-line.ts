/** Evidence as a case writes it: lines, rows or documents, the rest taken as usual. */
interface Evidence {
  readonly id: string;
  readonly logs?: readonly (string | object)[];
  readonly rows?: readonly object[];
  readonly docs?: readonly (readonly [text: string, relevance: string])[];
  readonly scope?: object;
  readonly truncated?: boolean;
  readonly status?: "PROJECTING" | "ERROR";
  readonly run?: string;
  readonly expires_at?: string;
  readonly raw?: string;
}

/** `call/item`, with a quote, or a citation in full. */
type Cited = string | readonly [at: string, quote: string] | object;

type Claim = Readonly<Record<string, unknown>> & { readonly cite?: readonly Cited[] };

/** One line of `cases/*.jsonl`: what a run saw, what a draft says of it, and the answer the guard owes. */
export interface Case {
  readonly id: string;
  readonly why: string;
  readonly evidence: readonly Evidence[];
  readonly claims: readonly Claim[];
  readonly verdict: "PASS" | "WARN" | "REJECT";
  readonly codes: readonly string[];
  /** Other sets of codes that are as right. */
  readonly or?: readonly (readonly string[])[];
  /** Ids the run's index holds beside the records. */
  readonly known?: readonly string[];
  readonly store_down?: boolean;
}

const RUN = "run-a";
const NOW = "2026-09-14T04:00:00Z";

/** What a tool looked at where a case does not say. */
const SCOPES = {
  query_logs: { time_from: "2026-09-14T02:00:00Z", time_to: "2026-09-14T02:30:00Z", service: "checkout" },
  query_mysql: { datasource: "billing", table: "refund" },
  lookup_knowledge: { query: "inventory timeout" },
};

function toolOf({ rows, docs }: Evidence): keyof typeof SCOPES {
  if (rows) return "query_mysql";
  return docs ? "lookup_knowledge" : "query_logs";
}

function itemsOf({ logs = [], rows = [], docs = [] }: Evidence): readonly object[] {
  return [
    ...logs.map((line, i) => ({ item_id: `e${i + 1}`, ...(typeof line === "string" ? { text: line } : line) })),
    ...rows.map((cells, i) => ({ item_id: `r${i + 1}`, cells })),
    ...docs.map(([text, relevance_level], i) => ({ item_id: `k${i + 1}`, text, relevance_level })),
  ];
}

function evidenceStatus({ status }: Evidence, items: readonly object[]): string | null {
  if (status) return status === "ERROR" ? "ERROR" : null;
  return items.length > 0 ? "EVIDENCE_FOUND" : "NO_EVIDENCE";
}

function recordOf(evidence: Evidence): object {
  const { id, scope, status = "READY", run = RUN, truncated = false, expires_at, raw } = evidence;
  const tool = toolOf(evidence);
  const items = itemsOf(evidence);
  return {
    run_id: run,
    tool_call_id: id,
    tool_name: tool,
    status,
    evidence_status: evidenceStatus(evidence, items),
    scope: scope ?? SCOPES[tool],
    agent_result: { truncated, items },
    ...(expires_at && { expires_at }),
    ...(raw && { raw_only: raw }),
  };
}

function citationOf(cited: Cited): object {
  if (typeof cited === "object" && !Array.isArray(cited)) return cited;
  const [at, quote] = typeof cited === "string" ? [cited] : (cited as readonly string[]);
  const [tool_call_id, item_id] = (at ?? "").split("/");
  return { tool_call_id, ...(item_id && { item_id }), ...(quote && { quote }) };
}

function claimOf({ cite, ...claim }: Claim): object {
  return { kind: "observation", ...(cite && { citations: cite.map(citationOf) }), ...claim };
}

/** The case as `dualview try guard` reads it, without the answer. */
export function commandLine({ id, evidence, claims, known, store_down }: Case): object {
  return {
    id,
    run_id: RUN,
    now: NOW,
    records: evidence.map(recordOf),
    ...(known && { audit_ids: known }),
    ...(store_down && { store_down }),
    draft: { claims: claims.map(claimOf) },
  };
}
