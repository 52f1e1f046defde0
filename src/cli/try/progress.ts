import type { PreviousEvaluation } from "../../model/envelope.ts";
import { type BoundaryErrorCode, isBoundaryErrorCode } from "../../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { DEFAULT_PROGRESS_CONFIG, type ProgressConfig } from "../../progress/config.ts";
import { admit, type CompletedItem, type CompletedOutcome, complete } from "../../progress/progress-projector.ts";
import { snapshot } from "../../progress/snapshot.ts";
import { emptyProgress, type ProgressState } from "../../progress/state.ts";
import { answerLines, type CommandIo, EXIT, type ExitCode } from "../io.ts";
import { readShortCall, readShortTime, SHORT_DAY, type ShortCall } from "./short-request.ts";

const NOON = SHORT_DAY + 43_200_000;
const DEADLINE_MS = 30_000;

/** Answers each sequence of steps with what progress decides: `{id, steps: [{decisions, no_gain, stop, reason?, abort}]}`. */
export async function run(_options: Readonly<Record<string, unknown>>, io: CommandIo): Promise<ExitCode> {
  await answerLines(io, (line) => answer(line as JsonValue));
  return EXIT.ok;
}

interface Replay {
  state: ProgressState;
  readonly config: ProgressConfig;
  /** The clock of the sequence: the last time a call named. */
  clock: number;
}

function answer(line: JsonValue): JsonObject {
  if (!isJsonObject(line) || !Array.isArray(line["steps"])) return { error: "STEPS_MISSING" };
  const replay: Replay = { state: emptyProgress(), config: readConfig(line["config"]), clock: NOON };
  const steps = line["steps"].map((step, i) => playStep(replay, isJsonObject(step) ? step : {}, `step-${i}`));
  return { id: line["id"] ?? null, steps };
}

function readConfig(value: JsonValue | undefined): ProgressConfig {
  const limit = isJsonObject(value) ? value["T"] : undefined;
  return typeof limit === "number" ? { ...DEFAULT_PROGRESS_CONFIG, noGainLimit: limit } : DEFAULT_PROGRESS_CONFIG;
}

/** All calls of a step are asked before the first of them is answered: they are one parallel batch. */
function playStep(replay: Replay, step: JsonObject, turn: string): JsonObject {
  const calls = Array.isArray(step["calls"]) ? step["calls"].filter(isJsonObject) : [];
  const evaluation = readEvaluation(step["eval"]);
  const decisions = calls.map((call) => decide(replay, call, { turn, ...(evaluation && { evaluation }) }));
  calls.forEach((call, i) => {
    if (decisions[i] !== "EXECUTE") return;
    const completed = { callId: String(call["id"]), now: replay.clock, outcome: readOutcome(call["res"]) };
    replay.state = complete(replay.state, completed, replay.config);
  });
  const { noGain, stop, abort } = snapshot(replay.state, replay.config, replay.clock);
  return { decisions, no_gain: noGain, stop: stop.required, ...(stop.reason && { reason: stop.reason }), abort };
}

function decide(replay: Replay, call: JsonObject, about: { turn: string; evaluation?: PreviousEvaluation }): string {
  const toolName = String(call["tool"]);
  const timed = readShortTime(call["at"], replay.clock);
  replay.clock = timed ?? replay.clock;
  const short = readShortCall(toolName, call["req"] ?? null, replay.clock);
  const now = timed ?? closing(replay, short);
  const admission = admit(
    replay.state,
    { callId: String(call["id"]), toolName, ...short, ...about, now, deadlineMs: DEADLINE_MS },
    replay.config,
  );
  replay.state = admission.next;
  return admission.decision;
}

/** Without a time of its own a call comes after its window has closed. */
function closing(replay: Replay, { covers }: ShortCall): number {
  return Math.max(replay.clock, (covers?.window?.to ?? 0) + replay.config.ingestionLagMs);
}

function readEvaluation(value: JsonValue | undefined): PreviousEvaluation | undefined {
  if (!isJsonObject(value) || (value["verdict"] !== "GAIN" && value["verdict"] !== "NO_GAIN")) return undefined;
  const { verdict, items, hypothesis } = value;
  return {
    verdict,
    ...(Array.isArray(items) && { items: items.map(String) }),
    ...(typeof hypothesis === "string" && { hypothesis }),
  };
}

function readOutcome(value: JsonValue | undefined): CompletedOutcome {
  const result = isJsonObject(value) ? value : {};
  if (result["status"] !== "READY") return { kind: "ERROR", code: errorCode(String(result["error"] ?? "")) };
  const items = Array.isArray(result["items"]) ? result["items"].filter(isJsonObject).map(readItem) : [];
  const evidenceStatus = items.length > 0 ? "EVIDENCE_FOUND" : "NO_EVIDENCE";
  return { kind: "READY", items, truncated: result["truncated"] === true, evidenceStatus };
}

function readItem(item: JsonObject): CompletedItem {
  const id = String(item["id"]);
  const relevance = typeof item["rel"] === "string" ? item["rel"].toUpperCase() : null;
  const known = relevance === "HIGH" || relevance === "MEDIUM" || relevance === "REFERENCE";
  return { identity: id, itemId: id, ...(known && { relevance }) };
}

/** Codes that are not our own are taken by what they say: trouble with the backend passes, trouble with the request does not. */
function errorCode(code: string): BoundaryErrorCode {
  if (isBoundaryErrorCode(code)) return code;
  if (/TIMEOUT|TIMED_OUT|DEADLINE/.test(code)) return "DEADLINE_EXCEEDED";
  if (/UNAVAILABLE|CONNECT|NETWORK|RATE|THROTTL|BUSY|OVERLOAD|RESET|TRANSIENT|50[0234]|429/.test(code))
    return "BACKEND_UNAVAILABLE";
  return "BAD_QUERY";
}
