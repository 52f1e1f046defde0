import { BoundaryError, type BoundaryErrorCode } from "./errors.ts";
import type { AgentResult, EvidenceStatus } from "./evidence.ts";
import type { JsonValue } from "./json.ts";
import type { Scope } from "./scope.ts";

/** Everything needed to run the projector over raw again and get the same bytes. */
export interface Derivation {
  readonly projectorId: string;
  readonly projectorVersion: string;
  readonly policyDigest: string;
  readonly maxBytes: number;
  /** How much of the run memory the projection knew: prefixes, since both lists are append-only. */
  readonly memory: { readonly secrets: number; readonly aliases: number };
}

interface Base {
  readonly runId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** What the model asked, parsed; aliases are still aliases. */
  readonly request: JsonValue;
  readonly requestBytes: number;
  /** What was really looked at, as the model may see it. */
  readonly scope: Scope;
  readonly identity: string;
  /** Milliseconds since the epoch; relative times of the request were resolved against it. */
  readonly createdAt: number;
  /** Set once, at creation. Nothing extends it. */
  readonly expiresAt: number;
  /** After this moment a call that is still PROJECTING counts as abandoned. */
  readonly deadlineAt: number;
}

/** The stored record of one call. Other pairs of the two statuses do not exist. */
export type CanonicalInvocation =
  | (Base & { readonly status: "PROJECTING"; readonly evidence: null })
  | (Base & {
      readonly status: "READY";
      readonly evidence: EvidenceStatus;
      /** Canonical JSON text of the backend's complete answer. Belongs to the Harness. */
      readonly raw: string;
      readonly agentResult: AgentResult;
      readonly derivation: Derivation;
      readonly completedAt: number;
    })
  | (Base & {
      readonly status: "ERROR";
      readonly evidence: "ERROR";
      readonly code: BoundaryErrorCode;
      readonly completedAt: number;
    });

export type Projecting = Extract<CanonicalInvocation, { status: "PROJECTING" }>;
export type Ready = Extract<CanonicalInvocation, { status: "READY" }>;
export type Failed = Extract<CanonicalInvocation, { status: "ERROR" }>;
export type Settled = Ready | Failed;

/** A record without its raw: all that the guard, the views and a console may read. */
export type Readable = Projecting | Omit<Ready, "raw"> | Failed;

const LEGAL_EVIDENCE: Readonly<Record<CanonicalInvocation["status"], readonly (string | null)[]>> = {
  PROJECTING: [null],
  READY: ["EVIDENCE_FOUND", "NO_EVIDENCE"],
  ERROR: ["ERROR"],
};

/** Throws for a pair of statuses that does not exist: for records that come from outside of the type checker. */
export function assertLegal(record: {
  readonly status: CanonicalInvocation["status"];
  readonly evidence: unknown;
}): void {
  const legal = LEGAL_EVIDENCE[record.status] ?? [];
  if (!legal.includes(record.evidence as string | null)) {
    throw new BoundaryError("STORE_ERROR", "status", "No record has this pair of statuses.");
  }
}

/** Whether a draft may cite this record. */
export function isCitable(invocation: Readable): invocation is Omit<Ready, "raw"> {
  return invocation.status === "READY";
}

/** The only way to a READY record: the input type admits PROJECTING alone. */
export function markReady(
  from: Projecting,
  outcome: Pick<Ready, "evidence" | "raw" | "agentResult" | "derivation">,
  now: number,
): Ready {
  return { ...from, ...outcome, status: "READY", completedAt: now };
}

/** The only way to an ERROR record. */
export function markError(from: Projecting, code: BoundaryErrorCode, now: number): Failed {
  return { ...from, status: "ERROR", evidence: "ERROR", code, completedAt: now };
}
