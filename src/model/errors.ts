/** Every code of the product. A code is a promise: it is never renamed; `docs/errors.md` is held equal to the table below. */
export const BOUNDARY_ERROR_CODES = [
  "ENVELOPE_INVALID",
  "RUN_MISMATCH",
  "RUN_NOT_ACTIVE",
  "INVALID_CALL_ID",
  "DUPLICATE_CALL_ID",
  "TOOL_UNKNOWN",
  "TOOL_NOT_GRANTED",
  "TOOL_NOT_READ_ONLY",
  "REQUEST_INVALID",
  "REQUEST_TOO_LARGE",
  "PLACEHOLDER_IN_REQUEST",
  "ALIAS_POSITION",
  "ALIAS_UNKNOWN",
  "BUDGET_EXHAUSTED",
  "STOP_REQUIRED",
  "DUPLICATE",
  "COVERED",
  "OBSERVATION_NOT_FOUND",
  "TIME_ZONE_MISSING",
  "TIME_INVALID",
  "RANGE_INVALID",
  "RANGE_IN_FUTURE",
  "SOURCE_NOT_FOUND",
  "PATTERN_UNSUPPORTED",
  "SQL_TOO_LARGE",
  "SQL_TOO_COMPLEX",
  "SQL_CHARACTER",
  "SQL_LEXICAL",
  "SQL_SYNTAX",
  "SQL_STATEMENT",
  "SQL_CLAUSE",
  "SQL_FUNCTION",
  "SQL_TABLE",
  "SQL_COLUMN",
  "SQL_AMBIGUOUS",
  "SQL_LITERAL",
  "SENSITIVE_COLUMN",
  "DEADLINE_EXCEEDED",
  "BACKEND_UNAVAILABLE",
  "BACKEND_ERROR",
  "BACKEND_SCHEMA_ERROR",
  "BAD_QUERY",
  "QUERY_VALUE",
  "QUERY_GROUPING",
  "QUERY_COLLATION",
  "QUERY_REGEXP",
  "QUERY_SUBQUERY",
  "SCHEMA_CHANGED",
  "PARTIAL_RESULT",
  "SOURCE_UNREADABLE",
  "RAW_MISSING",
  "RAW_TOO_LARGE",
  "RAW_NOT_SERIALIZABLE",
  "PROJECTION_FAILED",
  "PROJECTION_INVALID",
  "PROJECTION_TOO_LARGE",
  "NOTHING_FITS",
  "REDACTION_FAILED",
  "LEAK_DETECTED",
  "STORE_ERROR",
  "STORE_FULL",
  "ABANDONED",
  "INTERNAL_ERROR",
  "RUN_EXISTS",
  "RUN_UNKNOWN",
  "STORE_NOT_SHARED",
  "STORE_UNAVAILABLE",
  "CONFIG_INVALID",
  "CONFIG_UNREADABLE",
  "TOOL_INVALID",
  "AUDIT_UNAVAILABLE",
  "AUDIT_FAILED",
  "AUDIT_OVERFLOW",
  "AUDIT_OUTBOX_LOST",
] as const;
export type BoundaryErrorCode = (typeof BOUNDARY_ERROR_CODES)[number];

/** How a code reaches the model: a call that was not executed, or one that was and failed; `HOST` codes never reach a model. */
export type ErrorOutcome = "REFUSED" | "ERROR" | "HOST";

export interface ErrorEntry {
  readonly outcome: ErrorOutcome;
  /** Whether the same call may succeed a moment later; progress allows one retry of such a call. */
  readonly transient: boolean;
  /** The one sentence a model sees. Fixed: never built from a request, a backend's text or a counter. */
  readonly sentence: string;
}

const refused = (sentence: string): ErrorEntry => ({ outcome: "REFUSED", transient: false, sentence });
const failed = (sentence: string): ErrorEntry => ({ outcome: "ERROR", transient: false, sentence });
const passing = (sentence: string): ErrorEntry => ({ outcome: "ERROR", transient: true, sentence });
const host = (sentence: string): ErrorEntry => ({ outcome: "HOST", transient: false, sentence });

/** What each code says and how it acts. */
export const BOUNDARY_ERRORS: Readonly<Record<BoundaryErrorCode, ErrorEntry>> = {
  // the envelope
  ENVELOPE_INVALID: refused(
    "The call is not a well-formed tool call. Send run_id, tool_call_id, tool_name and request.",
  ),
  RUN_MISMATCH: refused("This call names another run. Use the run you were given."),
  RUN_NOT_ACTIVE: refused("This run has ended. No further tool call is possible in it."),
  INVALID_CALL_ID: refused("The tool call id is not usable: 1 to 8192 visible ASCII characters."),
  DUPLICATE_CALL_ID: refused("This tool call id was used before in this run. Use a new id for a new call."),
  TOOL_UNKNOWN: refused("There is no tool of this name. Use one of the tools you were offered."),
  TOOL_NOT_GRANTED: refused("This tool is not granted to this run."),
  TOOL_NOT_READ_ONLY: refused("This tool is not declared read-only and cannot be called here."),
  REQUEST_INVALID: refused("The request does not fit the tool's schema. Correct the named field."),
  REQUEST_TOO_LARGE: refused("The request is too large. Send a shorter one."),
  PLACEHOLDER_IN_REQUEST: refused(
    "The request holds a placeholder of a held-back secret. It cannot be turned back; ask without it.",
  ),
  ALIAS_POSITION: refused(
    "An alias stands where none can be resolved. Use it only as the whole value of an exact filter.",
  ),
  ALIAS_UNKNOWN: refused("The request holds an alias that this run has not seen. Copy aliases exactly as shown."),
  BUDGET_EXHAUSTED: refused("This run has no room for this call. Conclude within the checked scopes."),
  STOP_REQUIRED: refused(
    "Further calls bring nothing new. Conclude within the checked scopes; 'not determined' is a valid conclusion.",
  ),
  DUPLICATE: refused(
    "The same scope was already looked at. Use the earlier observation; recall_observation shows it again.",
  ),
  COVERED: refused("An earlier, wider and complete answer already covers this scope. Use that observation."),
  OBSERVATION_NOT_FOUND: refused("No observation of this run has that tool call id."),
  // what a tool can say of a request
  TIME_ZONE_MISSING: refused(
    "A time has no zone. Write times as ISO 8601 with Z or an offset, or relative such as now-15m.",
  ),
  TIME_INVALID: refused("A time cannot be read. Write ISO 8601 with Z or an offset, or relative such as now-15m."),
  RANGE_INVALID: refused("The time range is empty or reversed. 'from' must lie before 'to'."),
  RANGE_IN_FUTURE: refused("The time range lies in the future. Ask for a range that has begun."),
  SOURCE_NOT_FOUND: refused("There is no such source. Use one of the sources the tool lists."),
  PATTERN_UNSUPPORTED: refused("The pattern uses a form that is not supported. Use plain text or keywords."),
  // SQL that was not understood or not allowed; nothing of it was sent
  SQL_TOO_LARGE: refused("The statement is too large. Ask in smaller steps."),
  SQL_TOO_COMPLEX: refused("The statement is nested or chained too far. Ask in smaller steps."),
  SQL_CHARACTER: refused("The statement holds a character or encoding that is not allowed outside of a string."),
  SQL_LEXICAL: refused(
    "The statement cannot be read: an unfinished string, comment or name, or a form that is not supported.",
  ),
  SQL_SYNTAX: refused("The statement is not in the supported SELECT grammar."),
  SQL_STATEMENT: refused("Only one SELECT statement is allowed."),
  SQL_CLAUSE: refused("The statement uses a clause that is not allowed here."),
  SQL_FUNCTION: refused(
    "The statement calls a function that is not on the list of allowed functions, or calls it in a way that is not allowed.",
  ),
  SQL_TABLE: refused("The statement reads a table that is not available here."),
  SQL_COLUMN: refused("The statement uses a column that is not available here."),
  SQL_AMBIGUOUS: refused("A name in the statement can mean more than one thing. Qualify it with its table."),
  SQL_LITERAL: refused("A literal or number in the statement is out of range or of a form that is not supported."),
  SENSITIVE_COLUMN: refused("A sensitive column may only be selected as it is or tested with IS NULL or IS NOT NULL."),
  // execution
  DEADLINE_EXCEEDED: passing("The backend did not answer in time. Try a narrower request."),
  BACKEND_UNAVAILABLE: passing("The backend cannot be reached at the moment."),
  BACKEND_ERROR: failed("The backend failed on this call."),
  BACKEND_SCHEMA_ERROR: failed("The backend answered in a form that is not understood."),
  BAD_QUERY: failed("The backend refused the query."),
  QUERY_VALUE: failed(
    "A value does not fit what the statement does with it: out of range, or no such number, date, JSON or path. Convert or exclude it.",
  ),
  QUERY_GROUPING: failed(
    "A column that is neither grouped by nor aggregated stands beside an aggregate. Add it to GROUP BY, or aggregate it.",
  ),
  QUERY_COLLATION: failed("Texts of different collations are compared. Name one for both with COLLATE utf8mb4_bin."),
  QUERY_REGEXP: failed("The backend cannot use the regular expression. Write a simpler one, or use LIKE."),
  QUERY_SUBQUERY: failed(
    "A subquery that stands for one value gave several rows or columns. Aggregate it, or use IN or EXISTS.",
  ),
  SCHEMA_CHANGED: passing(
    "Tables or columns are not what they were when the statement was checked. Ask again; a name that is refused then is gone.",
  ),
  PARTIAL_RESULT: passing(
    "The backend could only answer in part, so an empty answer proves nothing. Try again or narrow the request.",
  ),
  SOURCE_UNREADABLE: failed("The source exists but cannot be read."),
  RAW_MISSING: failed("The backend returned nothing at all."),
  RAW_TOO_LARGE: failed("The answer is larger than allowed. Narrow the request."),
  RAW_NOT_SERIALIZABLE: failed("The backend's answer cannot be stored without loss."),
  PROJECTION_FAILED: failed("The answer could not be prepared for you."),
  PROJECTION_INVALID: failed("The prepared answer does not have the promised form."),
  PROJECTION_TOO_LARGE: failed("The prepared answer is larger than allowed. Narrow the request."),
  NOTHING_FITS: failed("There is a result, but no part of it fits the room for an answer. Narrow the request."),
  REDACTION_FAILED: failed("The answer could not be checked for secrets, so it is withheld."),
  LEAK_DETECTED: failed("The prepared answer still held a secret, so it is withheld."),
  STORE_ERROR: passing("The result could not be stored, so it cannot be shown."),
  STORE_FULL: passing("There is no room to store another result at the moment."),
  ABANDONED: passing("The call was interrupted and never finished."),
  INTERNAL_ERROR: failed("The call failed inside the boundary."),
  // for the host and the command line alone
  RUN_EXISTS: host("A run of this id exists already."),
  RUN_UNKNOWN: host("There is no run of this id in the store."),
  STORE_NOT_SHARED: host("This command needs records of another process, and the memory store is not shared."),
  STORE_UNAVAILABLE: host("The store cannot be reached or used."),
  CONFIG_INVALID: host("The configuration is not valid."),
  CONFIG_UNREADABLE: host("The configuration or a file it names cannot be read."),
  TOOL_INVALID: host("The tool definition is not valid."),
  AUDIT_UNAVAILABLE: host("The audit database cannot be reached or used."),
  AUDIT_FAILED: host("Audit rows could not be written; they are kept and tried again."),
  AUDIT_OVERFLOW: host("The audit outbox is full; the oldest events were dropped and counted."),
  AUDIT_OUTBOX_LOST: host("The audit outbox began anew: events of the former one that were not written yet are lost."),
};

const SAFE_FIELD = /^[A-Za-z_][A-Za-z0-9_.[\]-]{0,63}$/;

/**
 * A refused or failed call. The model sees `code`, its fixed sentence and at most `field`, a name from the tool's own schema.
 * `detail` is for operators; a backend's text goes neither into it nor into a cause.
 */
export class BoundaryError extends Error {
  override readonly name = "BoundaryError";
  readonly code: BoundaryErrorCode;
  readonly field: string | undefined;

  constructor(code: BoundaryErrorCode, field?: string, detail?: string) {
    super(detail === undefined ? BOUNDARY_ERRORS[code].sentence : `${BOUNDARY_ERRORS[code].sentence} ${detail}`);
    this.code = code;
    this.field = field !== undefined && SAFE_FIELD.test(field) ? field : undefined;
  }

  /** True across duplicate copies of the package, where `instanceof` is not. */
  static is(value: unknown): value is BoundaryError {
    try {
      return (
        value instanceof Error && value.name === "BoundaryError" && isBoundaryErrorCode((value as BoundaryError).code)
      );
    } catch {
      // what was thrown may itself throw when it is looked at
      return false;
    }
  }
}

export function isBoundaryErrorCode(value: unknown): value is BoundaryErrorCode {
  return typeof value === "string" && Object.hasOwn(BOUNDARY_ERRORS, value);
}

/** Whether a failed call may be tried once more unchanged. */
export function isTransient(code: BoundaryErrorCode): boolean {
  return BOUNDARY_ERRORS[code].transient;
}
