import type { Amounts } from "../model/budget.ts";
import type { Canonical } from "../model/codec.ts";
import { BoundaryError, type BoundaryErrorCode } from "../model/errors.ts";
import type { EvidenceItem } from "../model/evidence.ts";
import { fingerprint } from "../model/fingerprint.ts";
import { type Derivation, markError, markReady, type Settled } from "../model/invocation.ts";
import type { JsonValue } from "../model/json.ts";
import { appendMemory, EMPTY_MEMORY, type RunMemory } from "../model/memory.ts";
import type { RunState } from "../model/run.ts";
import type { CompletedItem, CompletedOutcome } from "../progress/progress-projector.ts";
import type { Redaction, Redactor } from "../redact/redact.ts";
import type { Measures, Tool } from "../tools/tool.ts";
import type { Begun } from "./begin.ts";
import { execute } from "./execute.ts";
import type { BoundaryParts } from "./parts.ts";
import type { Checked } from "./preflight.ts";
import { type Projected, project } from "./project.ts";

/** How a call ended: the record to be stored, and what the run learned and spent. */
export interface Ending {
  readonly record: Settled;
  readonly spent: Amounts;
  readonly learned: RunMemory;
  readonly outcome: CompletedOutcome;
  readonly measures: Measures;
  readonly agentResultBytes: number;
  /** Values held back in the observation, by kind. */
  readonly heldBack: Readonly<Record<string, number>>;
  readonly field: string | undefined;
}

/** Asks the backend and projects its answer. Every failure is an ending too. `runNow` gives the newest known state of the run. */
export async function endOf(
  parts: BoundaryParts,
  runNow: () => RunState,
  checked: Checked,
  begun: Begun,
): Promise<Ending> {
  let raw: Canonical | null = null;
  try {
    const { deadlineMs } = parts.limits.call;
    raw = await execute(checked.prepared, { rawBytes: begun.allowance.rawBytes, deadlineMs });
    return readyEnding(parts, runNow(), checked, begun, raw);
  } catch (error) {
    const { code, field } = BoundaryError.is(error) ? error : new BoundaryError("INTERNAL_ERROR");
    return failedEnding(begun, code, raw?.bytes ?? 0, parts.clock(), field);
  }
}

function readyEnding(parts: BoundaryParts, run: RunState, checked: Checked, begun: Begun, raw: Canonical): Ending {
  const { prepared, tool } = checked;
  const { memory, salt } = run;
  const maxBytes = begun.allowance.projectionBytes;
  const redactor = (known: RunMemory): Redactor => parts.redaction.redactor({ salt, memory: known });
  const projected = project({ call: prepared, raw: raw.value, scope: begun.record.scope, memory, redactor, maxBytes });
  const { evidence, agentResult, bytes } = projected;
  const derivation = derivationOf(tool, parts.redaction, maxBytes, memory);
  return {
    record: markReady(begun.record, { evidence, raw: raw.text, agentResult, derivation }, parts.clock()),
    spent: { calls: 1, requestBytes: checked.requestBytes, rawBytes: raw.bytes, projectionBytes: bytes },
    learned: appendMemory(begun.learned, projected.learned),
    outcome: readyOutcome(tool, projected),
    measures: measuresOf(checked, raw.value),
    agentResultBytes: bytes,
    heldBack: projected.heldBack,
    field: undefined,
  };
}

/** A failed call has cost its request, the call and what was read of raw; nothing was projected. */
export function failedEnding(
  begun: Begun,
  code: BoundaryErrorCode,
  rawBytes: number,
  now: number,
  field?: string,
): Ending {
  return {
    record: markError(begun.record, code, now),
    spent: { calls: 1, requestBytes: begun.record.requestBytes, rawBytes, projectionBytes: 0 },
    learned: EMPTY_MEMORY,
    outcome: { kind: "ERROR", code },
    measures: {},
    agentResultBytes: 0,
    heldBack: {},
    field,
  };
}

/** What must be equal for the same raw to give the same observation. */
function derivationOf(tool: Tool, redaction: Redaction, maxBytes: number, memory: RunMemory): Derivation {
  const { id, version, policyDigest } = tool.projector;
  return {
    projectorId: id,
    projectorVersion: version,
    policyDigest: fingerprint(`${policyDigest}\0${redaction.digest}`),
    maxBytes,
    memory: { secrets: memory.secrets.length, aliases: memory.aliases.length },
  };
}

function readyOutcome(tool: Tool, { agentResult, evidence }: Projected): CompletedOutcome {
  const items = agentResult.items.map((item) => completedItem(tool, item));
  // A sample shows a part of its region, as a cut answer does: it must not stand in the way of a closer look.
  const truncated = agentResult.truncated || agentResult["sampled"] === true;
  return { kind: "READY", items, truncated, evidenceStatus: evidence };
}

function completedItem(tool: Tool, item: EvidenceItem): CompletedItem {
  const { item_id: itemId, relevance_level: relevance, ...content } = item;
  const identity = tool.reading.identity === "item_id" ? itemId : JSON.stringify(content);
  return relevance === undefined ? { identity, itemId } : { identity, itemId, relevance };
}

/** Counts are for the Harness's own use: a fault in them fails no call. */
function measuresOf(checked: Checked, raw: JsonValue): Measures {
  try {
    return checked.prepared.measure(raw);
  } catch {
    return {};
  }
}
