import { canonical } from "../model/codec.ts";
import type { Claim } from "../model/draft.ts";
import { isOwnId, shownCallId } from "../model/ids.ts";
import type { JsonValue } from "../model/json.ts";
import { DEFAULT_READING, type Reading } from "../model/reading.ts";
import {
  type ClaimVerdict,
  type Finding,
  GUARD_FINDINGS,
  type GuardCode,
  type Verdict,
  type VerdictWord,
} from "../model/verdict.ts";
import {
  CitedRecords,
  type EvidenceLookup,
  type FailedCitation,
  isUsableId,
  type ResolvedCitation,
} from "./citation.ts";
import { type Check, type CheckFinding, ClaimContext } from "./claim-context.ts";
import { checkCount, checkTruncation } from "./count-check.ts";
import { checkEntities } from "./entity-check.ts";
import { checkNegative } from "./negative-check.ts";
import { checkNumbers } from "./number-check.ts";
import { type ParsedClaim, parseDraft } from "./parse-draft.ts";
import { checkPlaceholders } from "./placeholder-check.ts";
import { checkQuotes } from "./quote-check.ts";
import { checkRoles } from "./role-check.ts";
import { checkTimes } from "./time-check.ts";

export type { EvidenceLookup } from "./citation.ts";

/** Changes whenever the same draft over the same records could get another verdict. */
const GUARD_VERSION = "2";

/** Where the guard reads records: the store, without raw. Reading extends no lifetime. */
export interface EvidenceSource {
  /** One call for all ids of a draft, answered in their order. An id comes as it was cited: the wire's, or `sha256:<hex>`. Rejects when the store cannot answer. */
  read(runId: string, toolCallIds: readonly string[]): Promise<readonly EvidenceLookup[]>;
}

export interface EvidenceGuardOptions {
  readonly source: EvidenceSource;
  /** How the items of each tool are read, by the tool's name; others are read as plain observations. */
  readonly readings: ReadonlyMap<string, Reading>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface EvidenceGuard {
  /** Checks a draft against the stored records of its run. Never throws: what cannot be confirmed is rejected. */
  verify(runId: string, draft: unknown): Promise<Verdict>;
}

/** In this order; a claim is told everything that is wrong with it at once. */
const CHECKS: readonly Check[] = [
  checkQuotes,
  checkNumbers,
  checkCount,
  checkTimes,
  checkEntities,
  checkTruncation,
  checkNegative,
  checkPlaceholders,
  checkRoles,
];

/** The guard that stands before publication: deterministic, and blind to everything but the stored records. */
export function createEvidenceGuard({ source, readings, clock }: EvidenceGuardOptions): EvidenceGuard {
  const readingOf = (toolName: string): Reading => readings.get(toolName) ?? DEFAULT_READING;
  return {
    async verify(runId, draft) {
      const now = clock();
      const parsed = parseDraft(plainDraft(draft));
      if (parsed === null) return verdictOf([claimVerdict("draft", [{ code: "EG_DRAFT_SCHEMA" }])], now);
      const lookups = await readAll(source, runId, parsed);
      const records = lookups === null ? null : new CitedRecords(lookups, readingOf, now);
      return verdictOf(
        parsed.map((claim) => judge(claim, records, now)),
        now,
      );
    },
  };
}

/** Larger than any draft whose parts are within their bounds. */
const MAX_DRAFT_BYTES = 1024 * 1024;

/** A draft as plain JSON: whatever its members would do when they are touched, they do it here. Null when it is none. */
function plainDraft(draft: unknown): JsonValue {
  try {
    return canonical(draft, MAX_DRAFT_BYTES).value;
  } catch {
    return null;
  }
}

/** Null when the store could not answer, or not in full. */
async function readAll(
  source: EvidenceSource,
  runId: string,
  claims: readonly ParsedClaim[],
): Promise<ReadonlyMap<string, EvidenceLookup> | null> {
  const cited = claims.flatMap((parsed) =>
    parsed.ok ? parsed.claim.citations.map((citation) => citation.tool_call_id) : [],
  );
  const ids = [...new Set(cited)].filter(isUsableId);
  if (ids.length === 0) return new Map();
  try {
    const answers = await source.read(runId, ids);
    if (answers.length !== ids.length) return null;
    return new Map(ids.map((id, i) => [id, answers[i] ?? { kind: "absent" }]));
  } catch {
    // whatever the reason: nothing can be confirmed, and its text goes nowhere
    return null;
  }
}

function judge(parsed: ParsedClaim, records: CitedRecords | null, now: number): ClaimVerdict {
  if (!parsed.ok) return claimVerdict(parsed.claimId, [{ code: "EG_DRAFT_SCHEMA" }]);
  const { claim, claimId } = parsed;
  if (claim.citations.length === 0 && isFactual(claim)) return claimVerdict(claimId, [{ code: "EG_NO_CITATION" }]);
  if (claim.citations.some(({ tool_call_id: id }) => !isUsableId(id)))
    return claimVerdict(claimId, [{ code: "EG_ID_MALFORMED" }]);
  if (records === null && claim.citations.length > 0) return claimVerdict(claimId, [{ code: "EG_STORE_UNAVAILABLE" }]);
  try {
    return judgeEvidence(claim, claimId, { records, now });
  } catch {
    // a record that cannot be read confirms nothing
    return claimVerdict(claimId, [{ code: "EG_STORE_UNAVAILABLE" }]);
  }
}

/** A hypothesis and a recommendation say what may be or should be done; the others say what is. */
function isFactual({ kind }: Claim): boolean {
  return kind === "observation" || kind === "negative" || kind === "root_cause";
}

interface Evidence {
  readonly records: CitedRecords | null;
  readonly now: number;
}

function judgeEvidence(claim: Claim, claimId: string, { records, now }: Evidence): ClaimVerdict {
  const followed = claim.citations.flatMap((citation) => records?.resolve(citation, claim) ?? []);
  const failed = followed.filter((citation): citation is FailedCitation => "code" in citation);
  if (failed.length > 0) return claimVerdict(claimId, failed.map(failure));
  const context = new ClaimContext(
    claim,
    followed.filter((citation): citation is ResolvedCitation => "view" in citation),
    now,
  );
  const found = relevant(CHECKS.flatMap((check) => check(context)));
  const scope = claim.kind === "negative" ? context.records[0]?.record.scope : undefined;
  const verdict = claimVerdict(claimId, found.map(finding));
  return scope === undefined ? verdict : { ...verdict, attached_scope: scope };
}

/** What rests on nothing needs no further reasons; a scope that is not shown matters only where the claim otherwise holds. */
function relevant(found: readonly CheckFinding[]): readonly CheckFinding[] {
  const baseless = found.filter(({ code }) => code === "EG_POSITIVE_FROM_NO_EVIDENCE");
  if (baseless.length > 0) return baseless;
  const rejected = found.some(({ code }) => GUARD_FINDINGS[code].severity === "REJECT");
  return rejected ? found.filter(({ code }) => code !== "EG_NEGATIVE_SCOPE_MISSING") : found;
}

type Pointed = Pick<Finding, "code" | "tool_call_id" | "item_id">;

function failure({ code, citation }: FailedCitation): Pointed {
  const item = isOwnId(citation.item_id) ? { item_id: citation.item_id } : {};
  return { code, tool_call_id: shownCallId(citation.tool_call_id), ...item };
}

function finding({ code, citation }: CheckFinding): Pointed {
  if (citation === undefined) return { code };
  const item = citation.item === null ? {} : { item_id: citation.item.itemId };
  return { code, tool_call_id: shownCallId(citation.view.record.toolCallId), ...item };
}

function claimVerdict(claimId: string, found: readonly Pointed[]): ClaimVerdict {
  const findings = found.map((one): Finding => ({ ...one, severity: severityOf(one.code) }));
  return { claim_id: claimId, verdict: worst(findings.map(({ severity }) => severity)), findings };
}

function severityOf(code: GuardCode): Finding["severity"] {
  return GUARD_FINDINGS[code].severity;
}

function worst(words: readonly VerdictWord[]): VerdictWord {
  if (words.includes("REJECT")) return "REJECT";
  return words.includes("WARN") ? "WARN" : "PASS";
}

function verdictOf(claims: readonly ClaimVerdict[], now: number): Verdict {
  return {
    verdict: worst(claims.map(({ verdict }) => verdict)),
    claims,
    checked_at: new Date(now).toISOString(),
    guard_version: GUARD_VERSION,
  };
}
