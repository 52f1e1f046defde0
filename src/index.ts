export type {
  AuditQuery,
  AuditSink,
  DiagnosisRunRow,
  StoredToolInvocationRow,
  ToolInvocationRow,
} from "./audit/audit.ts";
export type { CallAnswer } from "./boundary/answer.ts";
export {
  createHarness,
  Harness,
  type HarnessOptions,
  type Notice,
  type OpenRunOptions,
} from "./boundary/harness.ts";
export { type CallLimits, DEFAULT_LIMITS, type LimitOptions, type Limits } from "./boundary/limits.ts";
export type { Publication, Run, RunCall } from "./boundary/run.ts";
export type { CallOptions, ToolBoundary } from "./boundary/tool-boundary.ts";
export type { EvidenceGuard } from "./guard/guard.ts";
export type { Amounts, Budget } from "./model/budget.ts";
export type { Citation, Claim, ClaimKind, Draft } from "./model/draft.ts";
export type { PreviousEvaluation, ToolCallRequestEnvelope } from "./model/envelope.ts";
export {
  BOUNDARY_ERROR_CODES,
  BOUNDARY_ERRORS,
  BoundaryError,
  type BoundaryErrorCode,
  type ErrorEntry,
  type ErrorOutcome,
} from "./model/errors.ts";
export type { AgentResult, EvidenceItem, EvidenceStatus, RelevanceLevel } from "./model/evidence.ts";
export type { CanonicalInvocation, Failed, Projecting, Ready } from "./model/invocation.ts";
export type { JsonObject, JsonValue } from "./model/json.ts";
export type { Reading } from "./model/reading.ts";
export type { RunContext, RunState, RunStatus } from "./model/run.ts";
export type { Coverage, Scope } from "./model/scope.ts";
export {
  type ClaimVerdict,
  type Finding,
  GUARD_CODES,
  GUARD_FINDINGS,
  type GuardCode,
  type GuardEntry,
  type Severity,
  type Verdict,
  type VerdictWord,
} from "./model/verdict.ts";
export { ProgressProjector } from "./progress/progress-projector.ts";
export type { ProgressSnapshot } from "./progress/snapshot.ts";
export type { Redact, Redaction, Redactor } from "./redact/redact.ts";
export { createRedaction } from "./redact/redaction.ts";
export { MemoryStore, type MemoryStoreOptions, memoryStore } from "./store/memory/memory-store.ts";
export type { CanonicalStore } from "./store/store.ts";
export { defineTool } from "./tools/define-tool.ts";
export type {
  ExecuteContext,
  ProjectionContext,
  Projector,
  ResolveContext,
  Resolved,
  Tool,
  ToolDefinition,
} from "./tools/tool.ts";
export type { ControlView } from "./views/control-view.ts";
export type { DeniedObservation, Observation, OkObservation } from "./views/observation.ts";
