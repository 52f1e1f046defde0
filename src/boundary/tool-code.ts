import { BOUNDARY_ERRORS, BoundaryError, type BoundaryErrorCode } from "../model/errors.ts";

/** What only the boundary can know: a tool that throws one of these would speak in its name. */
const OWN_CODES: ReadonlySet<BoundaryErrorCode> = new Set([
  "ENVELOPE_INVALID",
  "RUN_MISMATCH",
  "RUN_NOT_ACTIVE",
  "INVALID_CALL_ID",
  "DUPLICATE_CALL_ID",
  "TOOL_UNKNOWN",
  "TOOL_NOT_GRANTED",
  "TOOL_NOT_READ_ONLY",
  "BUDGET_EXHAUSTED",
  "STOP_REQUIRED",
  "DUPLICATE",
  "COVERED",
  "OBSERVATION_NOT_FOUND",
  "STORE_ERROR",
  "STORE_FULL",
  "ABANDONED",
]);

/**
 * A tool's failure as the model may be told of it: the code that the tool named, where it may name it, and at most a safe field
 * name. Anything else that it throws becomes `otherwise`.
 */
export function toolError(error: unknown, otherwise: BoundaryErrorCode): BoundaryError {
  if (!BoundaryError.is(error)) return new BoundaryError(otherwise);
  const { code, field } = error;
  const isOthers = OWN_CODES.has(code) || BOUNDARY_ERRORS[code].outcome === "HOST";
  return new BoundaryError(isOthers ? otherwise : code, field);
}
