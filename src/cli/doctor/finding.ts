import { BOUNDARY_ERRORS, BoundaryError } from "../../model/errors.ts";
import { detailOf } from "../detail.ts";

/** What one check says. Nothing in it is a credential or a server's own text. */
export interface Finding {
  /** Name of the check; stable, for scripts. */
  readonly check: string;
  /** `error`: calls fail or evidence can be lost. `warning`: works, and should not stay so. `note`: worth knowing. */
  readonly severity: "ok" | "note" | "warning" | "error";
  readonly what: string;
  /** Why it matters; absent where all is well. */
  readonly why?: string;
  /** What to do; absent where all is well. */
  readonly fix?: string;
}

/** The parts of a finding that an operator has to act on or to know. */
export interface Trouble {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

export function ok(check: string, what: string): Finding {
  return { check, severity: "ok", what };
}

export function note(check: string, trouble: Trouble): Finding {
  return { check, severity: "note", ...trouble };
}

export function warning(check: string, trouble: Trouble): Finding {
  return { check, severity: "warning", ...trouble };
}

export function failure(check: string, trouble: Trouble): Finding {
  return { check, severity: "error", ...trouble };
}

/** A check that could not be made for a reason that the error names; the reason holds the remedy. */
export function failureOfOpening(check: string, error: unknown, why: string): Finding {
  if (!BoundaryError.is(error)) throw error;
  return failure(check, { what: `${error.code}: ${detailOf(error)}`, why, fix: fixOf(error) });
}

function fixOf({ code, field }: BoundaryError): string {
  const place = field === undefined ? "the configuration" : `'${field}' in the configuration`;
  if (code === "STORE_UNAVAILABLE" || code === "AUDIT_UNAVAILABLE" || BOUNDARY_ERRORS[code].outcome === "ERROR")
    return "Do what is said above, and run this again.";
  return `Correct ${place}, or what it names, and run this again.`;
}
