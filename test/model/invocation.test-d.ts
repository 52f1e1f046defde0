import { expectTypeOf } from "vitest";
import {
  type CanonicalInvocation,
  type Failed,
  isCitable,
  markError,
  markReady,
  type Projecting,
  type Ready,
} from "../../src/model/invocation.ts";

declare const projecting: Projecting;
declare const ready: Ready;
declare const failed: Failed;
declare const anyOne: CanonicalInvocation;

const outcome = { evidence: ready.evidence, raw: "{}", agentResult: ready.agentResult, derivation: ready.derivation };

// the four legal pairs, and no other
expectTypeOf<Projecting["evidence"]>().toEqualTypeOf<null>();
expectTypeOf<Ready["evidence"]>().toEqualTypeOf<"EVIDENCE_FOUND" | "NO_EVIDENCE">();
expectTypeOf<Failed["evidence"]>().toEqualTypeOf<"ERROR">();

// @ts-expect-error a PROJECTING record has no evidence status
export const projectingWithEvidence: CanonicalInvocation = { ...projecting, evidence: "NO_EVIDENCE" };
// @ts-expect-error a READY record is never without one
export const readyWithout: CanonicalInvocation = { ...ready, evidence: null };
// @ts-expect-error a READY record is no error
export const readyError: CanonicalInvocation = { ...ready, evidence: "ERROR" };
// @ts-expect-error an ERROR record found nothing
export const errorWithEvidence: CanonicalInvocation = { ...failed, evidence: "EVIDENCE_FOUND" };
// @ts-expect-error an ERROR record names its code
export const errorWithoutCode: Failed = { ...projecting, status: "ERROR", evidence: "ERROR", completedAt: 1 };

markReady(projecting, outcome, 1);
markError(projecting, "BACKEND_ERROR", 1);
// @ts-expect-error READY is reached once, from PROJECTING alone
markReady(ready, outcome, 1);
// @ts-expect-error nothing leads out of ERROR
markReady(failed, outcome, 1);
// @ts-expect-error nothing leads from READY to ERROR
markError(ready, "BACKEND_ERROR", 1);
// @ts-expect-error an unknown code is none
markError(projecting, "SOMETHING_ELSE", 1);

if (isCitable(anyOne)) expectTypeOf(anyOne.status).toEqualTypeOf<"READY">();
// @ts-expect-error records are not changed in place
ready.status = "ERROR";
