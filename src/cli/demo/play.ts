import type { StoredToolInvocationRow } from "../../audit/audit.ts";
import type { CallAnswer } from "../../boundary/answer.ts";
import type { Run } from "../../boundary/run.ts";
import type { EvidenceItem } from "../../model/evidence.ts";
import type { JsonValue } from "../../model/json.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Observation } from "../../views/observation.ts";
import type { OpenedHarness } from "../open-harness.ts";
import { leavesOf, type Pair, pairOf } from "./evidence-pair.ts";
import type { Incident } from "./incident/generate.ts";
import { CALLS, DRAFTS, type ScriptedCall, type ScriptedClaim, type ScriptedDraft } from "./incident/script.ts";
import type { PlantedSecret } from "./incident/secrets.ts";

/** One call of the demo: what the backend returned, what the model saw, what the audit kept. Sizes in UTF-8 bytes of JSON. */
export interface PlayedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly intent: string;
  readonly request: JsonValue;
  readonly returned: { readonly bytes: number; readonly secrets: number } | null;
  readonly seen: {
    readonly bytes: number;
    readonly observation: Observation;
    readonly heldBack: Readonly<Record<string, number>>;
    /** Planted values that stand in the observation; none is expected. */
    readonly leaked: readonly string[];
  };
  readonly kept: StoredToolInvocationRow | null;
  /** The same piece of evidence on both sides. */
  readonly pair: Pair | null;
  readonly asExpected: boolean;
}

export interface PlayedDraft {
  readonly name: string;
  readonly intent: string;
  readonly draft: JsonValue;
  readonly verdict: Verdict;
  readonly asExpected: boolean;
}

export interface DemoReport {
  readonly question: string;
  readonly logLines: number;
  readonly calls: readonly PlayedCall[];
  readonly drafts: readonly PlayedDraft[];
  readonly published: boolean;
  readonly totals: {
    readonly returnedBytes: number;
    readonly seenBytes: number;
    readonly keptBytes: number;
    readonly heldBack: number;
    readonly plantedSecrets: number;
    readonly leakedSecrets: number;
  };
  readonly asExpected: boolean;
}

/** Plays the scripted agent: its calls through the boundary, then its drafts through the guard. */
export async function playIncident(
  opened: OpenedHarness,
  incident: Incident,
  secrets: readonly PlantedSecret[],
): Promise<DemoReport> {
  const run = await opened.harness.openRun({ sessionId: "demo", runId: "demo-run" });
  const answers: (readonly [ScriptedCall, CallAnswer])[] = [];
  for (const call of CALLS) answers.push([call, await run.call(call)]);
  const drafts = await playDrafts(run, answers);
  const conclusion = DRAFTS[0] === undefined ? null : draftOf(DRAFTS[0], answers);
  const { published } = await run.publish(conclusion);
  await opened.harness.close();
  const rows = await (opened.audit?.list({ runId: run.runId, afterId: 0 }) ?? []);
  const calls = await Promise.all(answers.map(([call, answer]) => played(opened, run, call, answer, rows, secrets)));
  return report(incident, calls, drafts, published, secrets);
}

async function playDrafts(
  run: Run,
  answers: readonly (readonly [ScriptedCall, CallAnswer])[],
): Promise<readonly PlayedDraft[]> {
  const drafts: PlayedDraft[] = [];
  for (const scripted of DRAFTS) {
    const draft = draftOf(scripted, answers);
    const verdict = await run.verify(draft);
    drafts.push({ name: scripted.name, intent: scripted.intent, draft, verdict, asExpected: fits(scripted, verdict) });
  }
  return drafts;
}

function fits({ expect }: ScriptedDraft, verdict: Verdict): boolean {
  if (expect.verdict === "PASS") return verdict.verdict === "PASS";
  const codes = verdict.claims.flatMap((claim) => claim.findings.map((finding) => finding.code));
  return verdict.verdict === "REJECT" && codes.includes(expect.code);
}

/** The draft with the item ids that this run gave. */
function draftOf(scripted: ScriptedDraft, answers: readonly (readonly [ScriptedCall, CallAnswer])[]): JsonValue {
  const claims = scripted.claims.map((claim) => ({ ...claim, citations: claim.citations.map(cite) }));
  return { claims } as unknown as JsonValue;

  function cite({ item, ...citation }: ScriptedClaim["citations"][number]): object {
    if (item === undefined) return citation;
    const found = itemsOf(answers, citation.tool_call_id).find((candidate) => {
      const text = JSON.stringify(candidate);
      return item.includes.every((part) => text.includes(part));
    });
    return { ...citation, item_id: found?.item_id ?? "e1" };
  }
}

function itemsOf(
  answers: readonly (readonly [ScriptedCall, CallAnswer])[],
  toolCallId: string,
): readonly EvidenceItem[] {
  const observation = answers.find(([call]) => call.toolCallId === toolCallId)?.[1].observation;
  return observation?.outcome === "OK" ? observation.items : [];
}

async function played(
  opened: OpenedHarness,
  run: Run,
  call: ScriptedCall,
  { observation, control }: CallAnswer,
  rows: readonly StoredToolInvocationRow[],
  secrets: readonly PlantedSecret[],
): Promise<PlayedCall> {
  const stored = await opened.store.readRaw(run.runId, call.toolCallId);
  const raw = stored.kind === "found" ? stored.record.raw : null;
  const text = JSON.stringify(observation);
  const shown = leavesOf(observation as JsonValue).join("\n");
  return {
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    intent: call.intent,
    request: call.request,
    returned:
      raw === null
        ? null
        : { bytes: Buffer.byteLength(raw), secrets: planted(leavesOf(JSON.parse(raw)).join("\n"), secrets).length },
    seen: {
      bytes: Buffer.byteLength(text),
      observation,
      heldBack: control.heldBack,
      leaked: planted(shown, secrets).map((secret) => secret.kind),
    },
    kept: rows.find((row) => row.input_params.tool_call_id === call.toolCallId) ?? null,
    pair: raw === null ? null : pairOf(JSON.parse(raw), observation as JsonValue),
    asExpected: asExpected(call, observation),
  };
}

function planted(text: string, secrets: readonly PlantedSecret[]): readonly PlantedSecret[] {
  return secrets.filter((secret) => text.includes(secret.value));
}

function asExpected({ expect }: ScriptedCall, observation: Observation): boolean {
  if (observation.outcome === "OK") return observation.evidence_status === expect;
  return typeof expect === "object" && expect.refused.includes(observation.code);
}

function report(
  incident: Incident,
  calls: readonly PlayedCall[],
  drafts: readonly PlayedDraft[],
  published: boolean,
  secrets: readonly PlantedSecret[],
): DemoReport {
  const sum = (of: (call: PlayedCall) => number): number => calls.reduce((total, call) => total + of(call), 0);
  const totals = {
    returnedBytes: sum((call) => call.returned?.bytes ?? 0),
    seenBytes: sum((call) => call.seen.bytes),
    keptBytes: sum((call) => (call.kept === null ? 0 : Buffer.byteLength(JSON.stringify(call.kept)))),
    heldBack: sum((call) => Object.values(call.seen.heldBack).reduce((total, count) => total + count, 0)),
    plantedSecrets: secrets.length,
    leakedSecrets: sum((call) => call.seen.leaked.length),
  };
  const { question, logLines } = incident;
  const good = calls.every((call) => call.asExpected) && drafts.every((draft) => draft.asExpected);
  return {
    question,
    logLines,
    calls,
    drafts,
    published,
    totals,
    asExpected: good && published && totals.leakedSecrets === 0,
  };
}
