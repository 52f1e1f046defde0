import type { PreviousEvaluation } from "../model/envelope.ts";
import { type BoundaryErrorCode, isBoundaryErrorCode } from "../model/errors.ts";
import type { EvidenceStatus } from "../model/evidence.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import type { Coverage, Scope } from "../model/scope.ts";

export type StopReason = "NO_NEW_INFORMATION" | "TOOLS_UNAVAILABLE";

/** What an answer brought. STRONG and WEAK are unseen items, WEAK those of level REFERENCE alone. */
export type Freshness = "STRONG" | "WEAK" | "NONE" | "EMPTY";

export type CallOutcome =
  | { readonly kind: "PENDING" }
  | { readonly kind: "ERROR"; readonly code: BoundaryErrorCode }
  | {
      readonly kind: "READY";
      readonly freshness: Freshness;
      readonly truncated: boolean;
      readonly evidenceStatus: EvidenceStatus;
      /** Fresh items that were only REFERENCE: fingerprint of their identity, and their item id. */
      readonly weak: readonly (readonly [identity: string, itemId: string])[];
    };

/** A call that was executed, or is being executed. Times in milliseconds since the epoch. */
export interface CheckedCall {
  /** As shown to the model: see `shownCallId`. */
  readonly callId: string;
  readonly toolName: string;
  /** Fingerprint of the tool's name and the call's identity. */
  readonly key: string;
  readonly scope: Scope;
  readonly coverage: Coverage | null;
  readonly at: number;
  readonly deadlineAt: number;
  /** Number of the batch it belongs to. */
  readonly batch: number;
  readonly outcome: CallOutcome;
}

/** One turn of the model: its parallel calls count once. */
export interface Batch {
  readonly number: number;
  readonly turn: string | null;
  /** Calls made in it, refused ones included. */
  readonly calls: number;
}

export interface Counters {
  /** Consecutive NO_GAIN batches. */
  readonly noGain: number;
  /** Consecutive ERROR batches. */
  readonly errors: number;
}

/**
 * All that progress remembers of a run; plain JSON, bounded in size. The counters stand as they were before `previous`:
 * that batch and the current one are still open to late answers and to the model's evaluation, so they are added when asked for.
 */
export interface ProgressState {
  readonly version: 1;
  readonly counters: Counters;
  readonly previous: Batch | null;
  /** What the model said of `previous`; of parallel calls, all said together. */
  readonly evaluation: PreviousEvaluation | null;
  readonly current: Batch | null;
  readonly stop: StopReason | null;
  /** Turns that were refused since the stop. */
  readonly ignoredStops: number;
  /** The latest calls, oldest first. */
  readonly calls: readonly CheckedCall[];
  /** Answered calls that were moved out of `calls`: their key and id. */
  readonly older: readonly (readonly [key: string, callId: string])[];
  /** Fingerprints of every item identity that was shown. */
  readonly seen: readonly string[];
  /** Fingerprints of hypotheses that an empty answer excluded. */
  readonly excluded: readonly string[];
}

/** Bounds of a stored state. The default run makes 40 calls; these let 10,000 pass. */
export const STATE_LIMITS = {
  calls: 512,
  older: 10_000,
  seen: 40_000,
  excluded: 1_000,
  batchCalls: 128,
  scopeBytes: 4_096,
  weakItems: 64,
} as const;

export function emptyProgress(): ProgressState {
  return {
    version: 1,
    counters: { noGain: 0, errors: 0 },
    previous: null,
    evaluation: null,
    current: null,
    stop: null,
    ignoredStops: 0,
    calls: [],
    older: [],
    seen: [],
    excluded: [],
  };
}

/**
 * Takes a stored value back; null is a run that has not called anything. Throws a TypeError that names the broken part. Parts
 * never change once made, so what was found sound is not looked at again: a run grows by a call at a time.
 */
export function readProgress(value: JsonValue): ProgressState {
  if (value === null) return emptyProgress();
  const broken = findBroken(value);
  if (broken !== null) throw new TypeError(`progress state: '${broken}' is broken`);
  return value as unknown as ProgressState; // every member was looked at
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = once((value) => Array.isArray(value) && value.every(isText));
const isPair = (value: unknown): boolean => Array.isArray(value) && value.length === 2 && value.every(isText);
const isPairs = once((value) => Array.isArray(value) && value.every(isPair));
const isBatch = (value: unknown): boolean =>
  value === null ||
  (isJsonObject(value) && isCount(value["number"]) && isCount(value["calls"]) && isNullOr(value["turn"], isText));

function isNullOr(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === null || is(value);
}

/** The same check, which remembers the objects and arrays that passed it. */
function once(is: (value: unknown) => boolean): (value: unknown) => boolean {
  const sound = new WeakSet<object>();
  return (value) => {
    if (typeof value !== "object" || value === null) return is(value);
    if (sound.has(value)) return true;
    if (!is(value)) return false;
    sound.add(value);
    return true;
  };
}

const MEMBERS: readonly (readonly [string, (value: unknown) => boolean])[] = [
  ["version", (value) => value === 1],
  ["counters", (value) => isJsonObject(value) && isCount(value["noGain"]) && isCount(value["errors"])],
  ["previous", isBatch],
  ["current", isBatch],
  ["evaluation", (value) => isNullOr(value, isEvaluation)],
  ["stop", (value) => value === null || value === "NO_NEW_INFORMATION" || value === "TOOLS_UNAVAILABLE"],
  ["ignoredStops", isCount],
  ["calls", (value) => Array.isArray(value) && value.every(isCheckedCall)],
  ["older", isPairs],
  ["seen", isTexts],
  ["excluded", isTexts],
];

function findBroken(value: JsonValue): string | null {
  if (!isJsonObject(value)) return "state";
  return MEMBERS.find(([name, is]) => !is(value[name]))?.[0] ?? null;
}

function isEvaluation(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { verdict, items, hypothesis } = value;
  return (
    (verdict === "GAIN" || verdict === "NO_GAIN") &&
    (items === undefined || isTexts(items)) &&
    (hypothesis === undefined || isText(hypothesis))
  );
}

const isCheckedCall = once((value) => {
  if (!isJsonObject(value)) return false;
  const { callId, toolName, key, scope, coverage, at, deadlineAt, batch, outcome } = value;
  return (
    [callId, toolName, key].every(isText) &&
    isJsonObject(scope) &&
    isNullOr(coverage, isCoverage) &&
    typeof at === "number" &&
    typeof deadlineAt === "number" &&
    isCount(batch) &&
    isOutcome(outcome)
  );
});

function isCoverage(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { family, filters, columns, window } = value;
  return (
    isText(family) &&
    isTexts(filters) &&
    (columns === undefined || isTexts(columns)) &&
    (window === undefined ||
      (isJsonObject(window) && typeof window["from"] === "number" && typeof window["to"] === "number"))
  );
}

function isOutcome(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  if (value["kind"] === "PENDING") return true;
  if (value["kind"] === "ERROR") return isBoundaryErrorCode(value["code"]);
  return (
    value["kind"] === "READY" &&
    ["STRONG", "WEAK", "NONE", "EMPTY"].includes(value["freshness"] as string) &&
    typeof value["truncated"] === "boolean" &&
    isPairs(value["weak"])
  );
}
