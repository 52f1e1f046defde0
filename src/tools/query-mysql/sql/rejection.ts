import type { BoundaryErrorCode } from "../../../model/errors.ts";

export type SqlRejectionCode = Extract<
  BoundaryErrorCode,
  `SQL_${string}` | "SENSITIVE_COLUMN" | "ALIAS_POSITION" | "PLACEHOLDER_IN_REQUEST"
>;

/** Why a statement was refused. Thrown inside the validator alone; callers get it as a value. */
export class SqlRejection extends Error {
  override readonly name = "SqlRejection";
  readonly code: SqlRejectionCode;
  /** Offset in the statement, in UTF-16 code units. */
  readonly at: number;
  /** For people: speaks of the statement's own words and of allowed names, never of a hidden one. */
  readonly detail: string;

  constructor(code: SqlRejectionCode, at: number, detail: string) {
    super(`${code} at ${at}: ${detail}`);
    this.code = code;
    this.at = at;
    this.detail = detail;
  }
}

export function reject(code: SqlRejectionCode, at: number, detail: string): never {
  throw new SqlRejection(code, at, detail);
}
