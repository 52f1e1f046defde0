import type { z } from "zod";
import type { AgentResult } from "../model/evidence.ts";
import type { JsonValue } from "../model/json.ts";
import type { Reading } from "../model/reading.ts";
import type { Coverage, Scope } from "../model/scope.ts";
import type { Redact } from "../redact/redact.ts";

export interface ResolveContext {
  /** Milliseconds since the epoch; relative times become absolute against it. */
  readonly now: number;
  /** The value behind an identifier alias that is the whole of `text`; any other text comes back unchanged. Throws ALIAS_UNKNOWN. */
  readonly alias: (text: string) => string;
}

/** A request made absolute: what will be executed, what it looks at, and what makes it the same as another. */
export interface Resolved<T> {
  readonly resolved: T;
  readonly scope: Scope;
  /** Two calls of one tool with equal identity ask the same. */
  readonly identity: string;
  /** The region a complete answer would speak for; absent when no other call can be covered by it. */
  readonly covers?: Coverage;
}

export interface ExecuteContext {
  readonly signal: AbortSignal;
  /** Stop reading beyond this many bytes and throw RAW_TOO_LARGE, or stop before it and mark the raw as cut by the backend. */
  readonly maxRawBytes: number;
}

export interface ProjectionContext {
  /** `maxBytes`: UTF-8 bytes of the agent result as JSON. */
  readonly limits: { readonly maxBytes: number };
  readonly redact: Redact;
}

/** Counts for the control view and the audit; a model never sees them. */
export interface Measures {
  readonly l0MatchCount?: number;
  readonly l1MatchCount?: number;
  readonly returnedCount?: number;
}

/** Pure and versioned: the same raw, resolved request, limits and redaction give the same bytes. No clock, no chance, no I/O. */
export interface Projector<T> {
  readonly id: string;
  readonly version: string;
  /** Digest of a policy that changes the output; empty where there is none. */
  readonly policyDigest?: string;
  readonly project: (raw: JsonValue, resolved: T, context: ProjectionContext) => AgentResult;
  readonly measure?: (raw: JsonValue, resolved: T) => Measures;
}

export interface ToolDefinition<Request, T = Request> {
  /** `^[A-Za-z0-9._:-]{1,64}$`. */
  readonly name: string;
  /** Written for a model: when to use the tool and what it answers. */
  readonly description: string;
  readonly readOnly: true;
  readonly request: z.ZodType<Request>;
  /** Form of the agent result; a projection that does not fit is an ERROR. */
  readonly result?: z.ZodType;
  /** Default: the request is its own scope and identity. Pure; throws BoundaryError(code, field). */
  readonly resolve?: (request: Request, context: ResolveContext) => Resolved<T>;
  /** The only I/O. */
  readonly execute: (resolved: T, context: ExecuteContext) => Promise<unknown>;
  readonly projector: Projector<T>;
  readonly reading?: Partial<Reading>;
  /** Request fields whose whole value may be an identifier alias; the boundary puts the value back. */
  readonly aliasFields?: readonly string[];
  /** Request fields that the tool reads for aliases itself, through `ResolveContext.alias`. */
  readonly aliasTextFields?: readonly string[];
}

/** A tool whose types are closed over: what the boundary works with. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly readOnly: boolean;
  readonly requestSchema: z.ZodType;
  readonly resultSchema: z.ZodType | null;
  readonly reading: Reading;
  readonly aliasFields: readonly string[];
  readonly aliasTextFields: readonly string[];
  readonly projector: { readonly id: string; readonly version: string; readonly policyDigest: string };
  /** Throws BoundaryError(REQUEST_INVALID, field). */
  parse(request: JsonValue): JsonValue;
  prepare(request: JsonValue, context: ResolveContext): PreparedCall;
}

/** One call of a tool, resolved and ready to run. */
export interface PreparedCall {
  readonly scope: Scope;
  readonly identity: string;
  readonly covers: Coverage | null;
  execute(context: ExecuteContext): Promise<unknown>;
  /** Throws what the projector throws; BoundaryError(PROJECTION_INVALID) when the result does not fit its schema. */
  project(raw: JsonValue, context: ProjectionContext): AgentResult;
  measure(raw: JsonValue): Measures;
}
