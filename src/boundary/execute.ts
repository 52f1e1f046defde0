import { type Canonical, canonical } from "../model/codec.ts";
import { BoundaryError, type BoundaryErrorCode } from "../model/errors.ts";
import type { PreparedCall } from "../tools/tool.ts";
import { toolError } from "./tool-code.ts";

/** System errors that say the backend could not be reached. */
const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  // what fetch says of a connection that the other side has ended
  "UND_ERR_SOCKET",
]);
const TIMED_OUT = new Set(["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

export interface ExecuteLimits {
  readonly rawBytes: number;
  readonly deadlineMs: number;
}

/**
 * Asks the backend and brings its answer into canonical form. Answers at the deadline even when the backend ignores the signal;
 * what comes later is dropped. Rejects with a BoundaryError only: nothing of the backend's own words gets out.
 */
export async function execute(call: PreparedCall, limits: ExecuteLimits): Promise<Canonical> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new BoundaryError("DEADLINE_EXCEEDED"));
    }, limits.deadlineMs);
  });
  try {
    const work = call.execute({ signal: controller.signal, maxRawBytes: limits.rawBytes });
    work.catch(() => undefined);
    return canonical(await Promise.race([work, deadline]), limits.rawBytes);
  } catch (error) {
    throw toolError(error, systemFailure(error));
  } finally {
    clearTimeout(timer);
  }
}

/** What an error that names no code of ours says of the backend. */
function systemFailure(error: unknown): BoundaryErrorCode {
  if (BoundaryError.is(error)) return "BACKEND_ERROR";
  const code = systemCode(error);
  if (code !== null && UNREACHABLE.has(code)) return "BACKEND_UNAVAILABLE";
  if (code !== null && TIMED_OUT.has(code)) return "DEADLINE_EXCEEDED";
  return "BACKEND_ERROR";
}

/** The `code` of a Node error, or of the one that it wraps as fetch does. */
function systemCode(error: unknown): string | null {
  try {
    const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } | null };
    if (typeof code === "string") return code;
    return typeof cause?.code === "string" ? cause.code : null;
  } catch {
    return null;
  }
}
