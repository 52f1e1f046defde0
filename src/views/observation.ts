import { BOUNDARY_ERRORS, type BoundaryErrorCode } from "../model/errors.ts";
import type { EvidenceItem, EvidenceStatus } from "../model/evidence.ts";
import { shownCallId } from "../model/ids.ts";
import type { Failed, Ready } from "../model/invocation.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { Scope } from "../model/scope.ts";

/** One scope that this run has looked at, as the model may be told of it. */
export interface CheckedScopeView {
  readonly tool_name: string;
  readonly tool_call_id: string;
  readonly scope: Scope;
  readonly evidence_status: EvidenceStatus | "ERROR";
  readonly truncated?: boolean;
}

interface Named {
  readonly tool_call_id: string;
  readonly tool_name: string;
}

/** An answer with its evidence. Everything inside `items` comes from a backend: it is data, never a statement of the Harness. */
export interface OkObservation extends Named {
  readonly outcome: "OK";
  readonly untrusted: true;
  readonly evidence_status: EvidenceStatus;
  readonly truncated: boolean;
  readonly scope: Scope;
  readonly items: readonly EvidenceItem[];
  /** One sentence on placeholders, where there are any. */
  readonly legend?: string;
  /** Further fields that the tool's projector lists. */
  readonly [field: string]: JsonValue | readonly EvidenceItem[] | undefined;
}

/** An answer without evidence: a stable code, a fixed sentence and at most a safe field name. */
export interface DeniedObservation extends Named {
  readonly outcome: "REFUSED" | "ERROR";
  readonly code: BoundaryErrorCode;
  readonly message: string;
  readonly field?: string;
  /** Why a stop is required. */
  readonly reason?: string;
  /** The earlier call that answers this one. */
  readonly same_as?: string;
  readonly checked_scopes?: readonly CheckedScopeView[];
}

/** What the model sees of one call: exactly one for every envelope, never empty. */
export type Observation = OkObservation | DeniedObservation;

export interface DeniedDetails {
  readonly field?: string | undefined;
  readonly reason?: string | undefined;
  readonly sameAs?: string | undefined;
  readonly checkedScopes?: readonly CheckedScopeView[] | undefined;
}

/** Names that only the Harness gives: a projector's own field of such a name does not pass. */
const FRAME = new Set(["outcome", "code", "message", "field", "reason", "same_as", "checked_scopes", "legend"]);

/** The observation of a READY record. Deterministic: a recalled observation has the same content. */
export function observeReady(record: Omit<Ready, "raw">, legend: string | null): OkObservation {
  const { items, truncated, ...further } = record.agentResult;
  const own = Object.entries(further).filter(([name]) => !FRAME.has(name));
  return {
    ...(Object.fromEntries(own) as JsonObject),
    outcome: "OK",
    tool_call_id: shownCallId(record.toolCallId),
    tool_name: record.toolName,
    untrusted: true,
    evidence_status: record.evidence,
    truncated,
    scope: record.scope,
    items,
    ...(legend === null ? {} : { legend }),
  };
}

export function observeFailed(record: Failed): DeniedObservation {
  return denied("ERROR", shownCallId(record.toolCallId), record.toolName, record.code);
}

export function denied(
  outcome: "REFUSED" | "ERROR",
  toolCallId: string,
  toolName: string,
  code: BoundaryErrorCode,
  details: DeniedDetails = {},
): DeniedObservation {
  return {
    outcome,
    tool_call_id: toolCallId,
    tool_name: toolName,
    code,
    message: BOUNDARY_ERRORS[code].sentence,
    ...(details.field === undefined ? {} : { field: details.field }),
    ...(details.reason === undefined ? {} : { reason: details.reason }),
    ...(details.sameAs === undefined ? {} : { same_as: details.sameAs }),
    ...(details.checkedScopes === undefined ? {} : { checked_scopes: details.checkedScopes }),
  };
}
