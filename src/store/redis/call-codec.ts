import { isBoundaryErrorCode } from "../../model/errors.ts";
import { callKey } from "../../model/ids.ts";
import type { Failed, Projecting, Readable, Ready, Settled } from "../../model/invocation.ts";
import { isJsonObject, type JsonObject, type JsonValue, utf8Bytes } from "../../model/json.ts";
import { STORED_VERSION } from "./lua.ts";
import { damaged, writtenByNewer } from "./redis-failure.ts";
import { jsonOf, textOf } from "./reply.ts";

/** What settling adds to a record; raw stands in a field of its own, and its size here to know it again. */
type Outcome =
  | (Omit<Ready, keyof Projecting | "raw"> & Pick<Ready, "status" | "evidence"> & { readonly rawBytes: number })
  | (Omit<Failed, keyof Projecting> & Pick<Failed, "status" | "evidence">);

export function encodeRecord(record: Projecting): string {
  return JSON.stringify(record);
}

export function encodeOutcome(record: Settled): string {
  return JSON.stringify(outcomeOf(record));
}

function outcomeOf(record: Settled): Outcome {
  const { evidence, completedAt } = record;
  if (record.status === "ERROR") return { status: "ERROR", evidence: "ERROR", code: record.code, completedAt };
  const { agentResult, derivation, raw } = record;
  return {
    status: "READY",
    evidence: evidence as Ready["evidence"],
    agentResult,
    derivation,
    completedAt,
    rawBytes: utf8Bytes(raw),
  };
}

/** A record from version, status, record and outcome. Whatever is not exactly what was written under this key is damage. */
export function decodeRecord(runId: string, key: string, fields: readonly unknown[]): Readable {
  return decode(runId, key, fields).record;
}

/** The same with raw, the field after them; null for a record that is not READY. */
export function decodeReady(runId: string, key: string, fields: readonly unknown[]): Ready | null {
  const { record, rawBytes } = decode(runId, key, fields);
  if (record.status !== "READY") return null;
  const raw = textOf(fields[4], "raw result");
  if (utf8Bytes(raw) !== rawBytes) throw damaged("raw result");
  return { ...record, raw };
}

interface Decoded {
  readonly record: Readable;
  readonly rawBytes: number;
}

function decode(runId: string, key: string, [version, status, record, outcome]: readonly unknown[]): Decoded {
  if (textOf(version, "record") !== STORED_VERSION) throw writtenByNewer();
  const base = jsonOf(record, "record");
  if (!isProjecting(base) || base.runId !== runId || callKey(base.toolCallId) !== key) throw damaged("record");
  const word = textOf(status, "record");
  if (word === "PROJECTING") return { record: base, rawBytes: 0 };
  const end = jsonOf(outcome, "record");
  if (!isOutcome(end) || end["status"] !== word) throw damaged("record");
  const { rawBytes = 0, ...rest } = end;
  return { record: { ...base, ...rest } as unknown as Readable, rawBytes: rawBytes as number };
}

const isNumber = (value: JsonValue | undefined): boolean => typeof value === "number";
const isText = (value: JsonValue | undefined): boolean => typeof value === "string";

function isProjecting(value: JsonValue): value is JsonObject & Projecting {
  if (!isJsonObject(value)) return false;
  const { runId, toolCallId, toolName, identity, request, scope, status, evidence } = value;
  const { requestBytes, createdAt, expiresAt, deadlineAt } = value;
  return (
    [runId, toolCallId, toolName, identity].every(isText) &&
    [requestBytes, createdAt, expiresAt, deadlineAt].every(isNumber) &&
    request !== undefined &&
    isJsonObject(scope) &&
    status === "PROJECTING" &&
    evidence === null
  );
}

function isOutcome(value: JsonValue): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return value["status"] === "READY" ? isReady(value) : value["status"] === "ERROR" && isFailed(value);
}

function isReady(value: JsonObject): boolean {
  const { evidence, agentResult, derivation, completedAt, rawBytes } = value;
  if (!isJsonObject(agentResult) || !isJsonObject(derivation)) return false;
  const { projectorId, projectorVersion, policyDigest, maxBytes, memory } = derivation;
  return (
    (evidence === "EVIDENCE_FOUND" || evidence === "NO_EVIDENCE") &&
    Array.isArray(agentResult["items"]) &&
    typeof agentResult["truncated"] === "boolean" &&
    [projectorId, projectorVersion, policyDigest].every(isText) &&
    isJsonObject(memory) &&
    [maxBytes, memory["secrets"], memory["aliases"], completedAt, rawBytes].every(isNumber)
  );
}

function isFailed(value: JsonObject): boolean {
  return value["evidence"] === "ERROR" && isBoundaryErrorCode(value["code"]) && isNumber(value["completedAt"]);
}
