import type { Citation, Claim } from "../../../model/draft.ts";
import type { PreviousEvaluation } from "../../../model/envelope.ts";
import type { BoundaryErrorCode } from "../../../model/errors.ts";
import type { JsonObject } from "../../../model/json.ts";
import type { GuardCode } from "../../../model/verdict.ts";
import { DEPLOYMENTS, POOL, STUCK_ORDERS } from "./story.ts";

/** What a call is expected to come to; of refusals, the codes that are right. */
export type Expectation = "EVIDENCE_FOUND" | "NO_EVIDENCE" | { readonly refused: readonly BoundaryErrorCode[] };

/** One call as an agent would make it. Each is a turn of its own. */
export interface ScriptedCall {
  readonly toolCallId: string;
  readonly toolName: "lookup_knowledge" | "query_logs" | "query_mysql";
  /** Why the agent asks, for people who watch. */
  readonly intent: string;
  readonly request: JsonObject;
  readonly previousEvaluation?: PreviousEvaluation;
  readonly expect: Expectation;
}

/** Item ids are known at run time only: the first item of the call that holds all of these in any of its fields. */
export interface ItemChoice {
  readonly includes: readonly string[];
}

export interface ScriptedCitation extends Pick<Citation, "tool_call_id" | "quote"> {
  /** Absent: the call as a whole, as an empty answer is cited. */
  readonly item?: ItemChoice;
}

export interface ScriptedClaim extends Omit<Claim, "citations"> {
  readonly citations: readonly ScriptedCitation[];
}

export interface ScriptedDraft {
  readonly name: string;
  readonly intent: string;
  readonly claims: readonly ScriptedClaim[];
  /** With REJECT, the code that one of the findings must have. */
  readonly expect: { readonly verdict: "PASS" } | { readonly verdict: "REJECT"; readonly code: GuardCode };
}

const HOUR = { from: "2025-03-13T02:00:00Z", to: "2025-03-13T03:00:00Z" };

const CHECKOUT_TROUBLE: JsonObject = { source: "checkout", level: "WARN", ...HOUR };
const INVENTORY_ERRORS: JsonObject = {
  source: "inventory",
  service: "inventory",
  level: "ERROR",
  from: "2025-03-13T02:05:00Z",
  to: "2025-03-13T02:55:00Z",
};
const DEPLOYMENTS_SQL =
  "SELECT d.id, s.name, d.version, d.status, d.started_at, d.finished_at, d.db_pool_max, d.memory_limit_mb, d.notes " +
  "FROM deployments d JOIN services s ON s.id = d.service_id " +
  "WHERE d.started_at >= '2025-03-01 00:00:00' AND d.started_at < '2025-03-13 03:30:00' ORDER BY d.started_at";
const PENDING_SQL =
  "SELECT o.status, p.state, COUNT(*) AS order_count, MIN(o.created_at) AS first_created, MAX(o.created_at) AS last_created " +
  "FROM orders o JOIN payments p ON p.order_id = o.id " +
  "WHERE o.created_at >= '2025-03-13 02:00:00' AND o.created_at < '2025-03-13 03:00:00' " +
  "GROUP BY o.status, p.state ORDER BY order_count";
const CUSTOMERS_SQL =
  "SELECT o.id, o.created_at, u.country, u.email, u.phone FROM orders o JOIN payments p ON p.order_id = o.id " +
  "JOIN users u ON u.id = o.user_id WHERE o.status = 'PAYMENT_PENDING' AND p.state = 'CAPTURED' " +
  "ORDER BY o.created_at LIMIT 5";

/** Seven calls that answer the question, three that repeat earlier ones, and one that comes after the stop. */
export const CALLS: readonly ScriptedCall[] = [
  {
    toolCallId: "call-1",
    toolName: "query_logs",
    intent: "What did checkout log, and since when?",
    request: CHECKOUT_TROUBLE,
    expect: "EVIDENCE_FOUND",
  },
  {
    toolCallId: "call-2",
    toolName: "lookup_knowledge",
    intent: "What do the runbooks say about this error?",
    request: {
      query: "connection pool exhausted, connection is not available, request timed out: roll back the deployment?",
      top_k: 4,
    },
    expect: "EVIDENCE_FOUND",
  },
  {
    toolCallId: "call-3",
    toolName: "query_logs",
    intent: "What became of the payments meanwhile?",
    request: { source: "payments", level: "WARN", ...HOUR },
    expect: "EVIDENCE_FOUND",
  },
  {
    toolCallId: "call-4",
    toolName: "query_mysql",
    intent: "What was deployed?",
    request: { datasource: "shop", sql: DEPLOYMENTS_SQL },
    expect: "EVIDENCE_FOUND",
  },
  {
    toolCallId: "call-5",
    toolName: "query_mysql",
    intent: "How many orders wait although they are paid?",
    request: { datasource: "shop", sql: PENDING_SQL },
    expect: "EVIDENCE_FOUND",
  },
  {
    toolCallId: "call-6",
    toolName: "query_mysql",
    intent: "Whose orders are they? Contact columns come out masked.",
    request: { datasource: "shop", sql: CUSTOMERS_SQL },
    expect: "EVIDENCE_FOUND",
  },
  {
    toolCallId: "call-7",
    toolName: "query_logs",
    intent: "Could inventory be to blame? An empty answer is evidence too, within its scope.",
    request: INVENTORY_ERRORS,
    expect: "NO_EVIDENCE",
  },
  {
    toolCallId: "call-8",
    toolName: "query_logs",
    intent: "The same question again, its fields in another order.",
    request: { to: HOUR.to, from: HOUR.from, level: "WARN", source: "checkout" },
    previousEvaluation: { verdict: "GAIN", hypothesis: "inventory caused the failed checkouts" },
    expect: { refused: ["DUPLICATE"] },
  },
  {
    toolCallId: "call-9",
    toolName: "query_mysql",
    intent: "The same statement again, in other letters and spaces.",
    request: { datasource: "shop", sql: PENDING_SQL.replace("SELECT", "select ").replace("FROM", "from\n  ") },
    expect: { refused: ["DUPLICATE"] },
  },
  {
    toolCallId: "call-10",
    toolName: "query_logs",
    intent: "And the empty one again.",
    request: INVENTORY_ERRORS,
    expect: { refused: ["DUPLICATE", "STOP_REQUIRED"] },
  },
  {
    toolCallId: "call-11",
    toolName: "query_logs",
    intent: "Three turns brought nothing new: whatever comes now is refused.",
    request: { source: "edge", keywords: ["503"], ...HOUR },
    expect: { refused: ["STOP_REQUIRED"] },
  },
];

const STUCK_ROW: ScriptedCitation = { tool_call_id: "call-5", item: { includes: ["PAYMENT_PENDING", "CAPTURED"] } };
const CAUSE_ROW: ScriptedCitation = { tool_call_id: "call-4", item: { includes: [`${DEPLOYMENTS.cause}`, "4.18.0"] } };
const LAST_GOOD_ROW: ScriptedCitation = { tool_call_id: "call-4", item: { includes: [`${DEPLOYMENTS.lastGood}`] } };
const NO_INVENTORY_ERROR: ScriptedClaim = {
  claim_id: "not-inventory",
  kind: "negative",
  text: "The inventory log holds no ERROR between 02:05 and 02:55 UTC on 2025-03-13.",
  citations: [{ tool_call_id: "call-7" }],
};

/** A conclusion that holds, and four that must not be published. */
export const DRAFTS: readonly ScriptedDraft[] = [
  {
    name: "conclusion",
    intent: "Every statement follows from what was seen.",
    claims: [
      {
        claim_id: "change",
        kind: "observation",
        text:
          `Deployment ${DEPLOYMENTS.cause} brought checkout 4.18.0 with db_pool_max ${POOL.after}; ` +
          `deployment ${DEPLOYMENTS.lastGood} before it had ${POOL.before}.`,
        citations: [CAUSE_ROW, LAST_GOOD_ROW],
      },
      {
        claim_id: "cause",
        kind: "root_cause",
        text: `Checkout ran out of database connections: with 4.18.0 its pool held ${POOL.after}, and requests timed out while they waited.`,
        citations: [
          {
            tool_call_id: "call-1",
            item: { includes: ["Connection is not available, request timed out"] },
            quote: "Connection is not available, request timed out",
          },
          CAUSE_ROW,
        ],
      },
      {
        claim_id: "stuck",
        kind: "observation",
        text: `${STUCK_ORDERS} orders are PAYMENT_PENDING although their payment is CAPTURED.`,
        citations: [STUCK_ROW],
      },
      NO_INVENTORY_ERROR,
    ],
    expect: { verdict: "PASS" },
  },
  {
    name: "altered number",
    intent: "Two digits changed places.",
    claims: [
      {
        claim_id: "stuck",
        kind: "observation",
        text: "173 orders are PAYMENT_PENDING although their payment is CAPTURED.",
        citations: [STUCK_ROW],
      },
    ],
    expect: { verdict: "REJECT", code: "EG_NUMBER_NOT_IN_EVIDENCE" },
  },
  {
    name: "forged id",
    intent: "A citation of a call that was never made.",
    claims: [
      {
        claim_id: "disk",
        kind: "root_cause",
        text: "The disk of the checkout database was full.",
        citations: [{ tool_call_id: "call-12", item: { includes: ["disk full"] } }],
      },
    ],
    expect: { verdict: "REJECT", code: "EG_INVOCATION_NOT_FOUND" },
  },
  {
    name: "beyond the scope",
    intent: "One empty hour is taken for the whole day; the cache had failed at 01:41.",
    claims: [{ ...NO_INVENTORY_ERROR, text: "The inventory service never logged an ERROR on 2025-03-13." }],
    expect: { verdict: "REJECT", code: "EG_NEGATIVE_OVERGENERALIZED" },
  },
  {
    name: "runbook as proof",
    intent: "General knowledge says what can happen, not what happened.",
    claims: [
      {
        claim_id: "cause",
        kind: "root_cause",
        text: "Checkout ran out of database connections.",
        citations: [{ tool_call_id: "call-2", item: { includes: ["What it means"] } }],
      },
    ],
    expect: { verdict: "REJECT", code: "EG_ROOT_CAUSE_NO_OBSERVATION" },
  },
];
