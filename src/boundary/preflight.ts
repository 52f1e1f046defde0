import { canonical } from "../model/codec.ts";
import type { PreviousEvaluation, ToolCallRequestEnvelope } from "../model/envelope.ts";
import { BoundaryError, type BoundaryErrorCode } from "../model/errors.ts";
import { isCallId, shownCallId } from "../model/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { RunMemory } from "../model/memory.ts";
import { type RunState, statusAt } from "../model/run.ts";
import type { PreparedCall, Tool } from "../tools/tool.ts";
import { aliasLookup, withoutAliases } from "./aliases.ts";
import { toolError } from "./tool-code.ts";

/** Who asks what, as far as it can be told even of a bad envelope; safe to show and to audit. */
export interface Asked {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly requestBytes: number;
  readonly evaluation: PreviousEvaluation | null;
}

/** A call that may go on: everything that can be known of it without I/O. */
export interface Checked extends Asked {
  readonly kind: "checked";
  readonly wireCallId: string;
  readonly tool: Tool;
  /** As the model wrote it; aliases are still aliases. */
  readonly request: JsonValue;
  readonly prepared: PreparedCall;
}

export interface Denied extends Asked {
  readonly kind: "denied";
  readonly code: BoundaryErrorCode;
  readonly field: string | undefined;
}

export interface PreflightContext {
  readonly run: RunState;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly maxRequestBytes: number;
  readonly now: number;
}

/** All checks of a call that need no I/O, in a fixed order; the first that fails is the answer. Pure. */
export function preflight(envelope: unknown, context: PreflightContext): Checked | Denied {
  const members = memberAccess(envelope);
  const asked = whatIsAsked(members, context);
  try {
    return check(members, asked, context);
  } catch (error) {
    const known = BoundaryError.is(error);
    return {
      kind: "denied",
      ...asked,
      code: known ? error.code : "INTERNAL_ERROR",
      field: known ? error.field : undefined,
    };
  }
}

interface RawAsked extends Asked {
  readonly request: JsonValue | null;
  readonly fault: BoundaryError | null;
}

/** An envelope's members, of any form. */
type Members = Readonly<Record<string, unknown>>;

/** Reads them without failing: what cannot be read stays at its least. */
function whatIsAsked(members: Members, context: PreflightContext): RawAsked {
  const { tool_call_id: id, tool_name: name, request, previous_evaluation: beside } = members;
  const named = typeof name === "string" && context.tools.has(name);
  const base = { toolCallId: isCallId(id) ? shownCallId(id) : "INVALID", toolName: named ? name : "UNKNOWN" };
  const read = readRequest(request, context.maxRequestBytes);
  if (read.fault !== null) return { ...base, ...read, request: null, evaluation: null };
  try {
    const { rest, evaluation } = takeEvaluation(read.request, beside);
    return { ...base, requestBytes: read.requestBytes, evaluation, request: rest, fault: null };
  } catch (error) {
    return { ...base, requestBytes: read.requestBytes, evaluation: null, request: null, fault: asFault(error) };
  }
}

type ReadRequest =
  | { readonly requestBytes: number; readonly request: JsonValue; readonly fault: null }
  | { readonly requestBytes: number; readonly fault: BoundaryError };

function readRequest(request: unknown, maxBytes: number): ReadRequest {
  try {
    const { value, bytes } = canonical(request, maxBytes);
    return { requestBytes: bytes, request: value, fault: null };
  } catch (error) {
    const tooLarge = BoundaryError.is(error) && error.code === "RAW_TOO_LARGE";
    if (!tooLarge) return { requestBytes: 0, fault: new BoundaryError("REQUEST_INVALID", "request") };
    return { requestBytes: maxBytes + 1, fault: new BoundaryError("REQUEST_TOO_LARGE") };
  }
}

function asFault(error: unknown): BoundaryError {
  return BoundaryError.is(error) ? error : new BoundaryError("REQUEST_INVALID", "request");
}

/** Members by name; of something that is no object, or that fails when it is touched, none. */
function memberAccess(value: unknown): Members {
  try {
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function check(members: Members, asked: RawAsked, context: PreflightContext): Checked {
  const { run, tools, now } = context;
  const wire = checkedEnvelope(members);
  if (wire.run_id !== run.runId) throw new BoundaryError("RUN_MISMATCH");
  if (statusAt(run, now) !== "ACTIVE") throw new BoundaryError("RUN_NOT_ACTIVE");
  if (!isCallId(wire.tool_call_id)) throw new BoundaryError("INVALID_CALL_ID");
  const tool = grantedTool(tools.get(wire.tool_name), run);
  if (asked.requestBytes > context.maxRequestBytes) throw new BoundaryError("REQUEST_TOO_LARGE");
  if (asked.request === null) throw asked.fault ?? new BoundaryError("REQUEST_INVALID", "request");
  const prepared = preparedCall(tool, asked.request, run.memory, now);
  const { toolCallId, toolName, requestBytes, evaluation } = asked;
  return {
    kind: "checked",
    toolCallId,
    toolName,
    requestBytes,
    evaluation,
    wireCallId: wire.tool_call_id,
    tool,
    request: asked.request,
    prepared,
  };
}

function preparedCall(tool: Tool, request: JsonValue, memory: RunMemory, now: number): PreparedCall {
  try {
    return prepareCall(tool, request, memory, now);
  } catch (error) {
    throw toolError(error, "INTERNAL_ERROR");
  }
}

/** Request → prepared call. Pure, so that a stored request prepares the same call again. */
function prepareCall(tool: Tool, request: JsonValue, memory: RunMemory, now: number): PreparedCall {
  const alias = aliasLookup(memory);
  return tool.prepare(tool.parse(withoutAliases(tool, request, alias)), { now, alias });
}

function checkedEnvelope(members: Members): ToolCallRequestEnvelope {
  for (const field of ["run_id", "tool_call_id", "tool_name"]) {
    if (typeof members[field] !== "string") throw new BoundaryError("ENVELOPE_INVALID", field);
  }
  if (members["request"] === undefined) throw new BoundaryError("ENVELOPE_INVALID", "request");
  return members as unknown as ToolCallRequestEnvelope;
}

function grantedTool(tool: Tool | undefined, run: RunState): Tool {
  if (tool === undefined) throw new BoundaryError("TOOL_UNKNOWN");
  if (run.grants !== null && !run.grants.includes(tool.name)) throw new BoundaryError("TOOL_NOT_GRANTED");
  if (tool.readOnly !== true) throw new BoundaryError("TOOL_NOT_READ_ONLY");
  return tool;
}

/** The evaluation belongs to the envelope, but a model can only write it beside the tool's own arguments. */
function takeEvaluation(
  request: JsonValue,
  beside: unknown,
): { readonly rest: JsonValue; readonly evaluation: PreviousEvaluation | null } {
  if (!isJsonObject(request) || !Object.hasOwn(request, "previous_evaluation")) {
    return { rest: request, evaluation: beside === undefined ? null : readEvaluation(beside) };
  }
  const { previous_evaluation: inside, ...rest } = request;
  return { rest, evaluation: readEvaluation(beside ?? inside) };
}

const MAX_NAMED_ITEMS = 200;
const MAX_TEXT_LENGTH = 512;

function readEvaluation(value: unknown): PreviousEvaluation | null {
  if (value === null || value === undefined) return null;
  const { verdict, items, hypothesis } = memberAccess(value) as JsonObject;
  const invalid = (field: string): BoundaryError =>
    new BoundaryError("REQUEST_INVALID", `previous_evaluation.${field}`);
  if (verdict !== "GAIN" && verdict !== "NO_GAIN") throw invalid("verdict");
  if (items !== undefined && !isTextList(items)) throw invalid("items");
  if (hypothesis !== undefined && !isShortText(hypothesis)) throw invalid("hypothesis");
  return {
    verdict,
    ...(items === undefined ? {} : { items }),
    ...(hypothesis === undefined ? {} : { hypothesis }),
  };
}

function isShortText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_TEXT_LENGTH;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_NAMED_ITEMS && value.every(isShortText);
}
