import type { z } from "zod";
import { BoundaryError } from "../model/errors.ts";
import type { AgentResult } from "../model/evidence.ts";
import { isOwnId } from "../model/ids.ts";
import { isJsonObject, type JsonValue, stableJson } from "../model/json.ts";
import { DEFAULT_READING } from "../model/reading.ts";
import type { Scope, ScopeValue } from "../model/scope.ts";
import { checkResolved } from "./check-resolved.ts";
import type { PreparedCall, Resolved, Tool, ToolDefinition } from "./tool.ts";

/** Registers a tool: checks the definition once, closes over its types and gives the plain `Tool` that a harness takes. */
export function defineTool<Request, T = Request>(definition: ToolDefinition<Request, T>): Tool {
  checkDefinition(definition);
  const { projector } = definition;
  const resolve = definition.resolve ?? (defaultResolve as (request: Request) => Resolved<T>);
  return {
    name: definition.name,
    description: definition.description,
    readOnly: definition.readOnly,
    requestSchema: definition.request,
    resultSchema: definition.result ?? null,
    reading: { ...DEFAULT_READING, ...definition.reading },
    aliasFields: definition.aliasFields ?? [],
    aliasTextFields: definition.aliasTextFields ?? [],
    projector: { id: projector.id, version: projector.version, policyDigest: projector.policyDigest ?? "" },
    // a parsed request is JSON again: zod gives what it was given, with defaults
    parse: (request) => parseRequest(definition.request, request) as JsonValue,
    prepare: (request, context) => prepare(definition, checkResolved(resolve(request as Request, context))),
  };
}

function checkDefinition<Request, T>(definition: ToolDefinition<Request, T>): void {
  const { name, projector } = definition;
  if (!isOwnId(name)) throw new BoundaryError("TOOL_INVALID", "name", "A name is 1 to 64 of A-Z a-z 0-9 . _ : -");
  for (const [field, value] of Object.entries({ execute: definition.execute, project: projector?.project })) {
    if (typeof value !== "function")
      throw new BoundaryError("TOOL_INVALID", field, `Tool ${name} has no ${field} function.`);
  }
  if (typeof definition.request?.safeParse !== "function") {
    throw new BoundaryError("TOOL_INVALID", "request", `The request of tool ${name} must be a zod schema.`);
  }
  if (typeof projector.id !== "string" || typeof projector.version !== "string") {
    throw new BoundaryError("TOOL_INVALID", "projector", `The projector of tool ${name} needs an id and a version.`);
  }
}

function parseRequest<Request>(schema: z.ZodType<Request>, request: JsonValue): Request {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new BoundaryError("REQUEST_INVALID", fieldName(parsed.error.issues[0]?.path ?? []));
}

/** `filters.level`, `items[2]`; undefined for the request as a whole. */
function fieldName(path: readonly PropertyKey[]): string | undefined {
  const name = path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
  return name === "" ? undefined : name;
}

/**
 * Without a resolver the request is what it looks at: its members are the scope. Whole, since aliases were put back: a cut
 * through a value would show its beginning, which nothing recognises any more. The request's own limit bounds it.
 */
function defaultResolve(request: unknown): Resolved<unknown> {
  const value = request as JsonValue;
  const scope = isJsonObject(value) ? scopeOf(Object.entries(value)) : scopeOf([["request", value]]);
  return { resolved: request, scope, identity: stableJson(value) };
}

function scopeOf(members: readonly (readonly [string, JsonValue])[]): Scope {
  const fields = members.map(([name, value]) => [name, scopeValue(value)] as const);
  return Object.fromEntries(fields.filter((field): field is readonly [string, ScopeValue] => field[1] !== null));
}

function scopeValue(value: JsonValue): ScopeValue | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value) && value.every((element) => typeof element === "string")) return value;
  return value === null ? null : stableJson(value);
}

function prepare<Request, T>(definition: ToolDefinition<Request, T>, call: Resolved<T>): PreparedCall {
  const { projector, result } = definition;
  return {
    scope: call.scope,
    identity: call.identity,
    covers: call.covers ?? null,
    execute: async (context) => await definition.execute(call.resolved, context),
    project: (raw, context) => fitting(result, projector.project(raw, call.resolved, context)),
    measure: (raw) => projector.measure?.(raw, call.resolved) ?? {},
  };
}

/** What the schema does not name does not pass: the parsed value is the result. */
function fitting(schema: z.ZodType | undefined, result: AgentResult): AgentResult {
  if (schema === undefined) return result;
  const parsed = schema.safeParse(result);
  if (!parsed.success) throw new BoundaryError("PROJECTION_INVALID", itemName(parsed.error.issues[0]?.path ?? []));
  return parsed.data as AgentResult;
}

/** `items[2]` and no further: deeper names may be keys of a record, and those are a backend's words. */
function itemName([member, index]: readonly PropertyKey[]): string | undefined {
  return member === "items" && typeof index === "number" ? `items[${index}]` : undefined;
}
