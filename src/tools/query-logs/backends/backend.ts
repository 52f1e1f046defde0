import type { ExecuteContext } from "../../tool.ts";
import type { LogQuery } from "../match/filter.ts";
import type { RawLogs } from "../raw.ts";

/** Where logs come from. Who opened its client closes it. */
export interface LogSource {
  readonly name: string;
  /** IANA zone or offset of times that do not say theirs; without it a request must name a zone, and such times are taken for UTC. */
  readonly timeZone?: string;
  /**
   * The matching events of the window by time, then by place. Counts bytes while reading and stops with `backend_truncated`
   * before `maxRawBytes`; throws SOURCE_NOT_FOUND, SOURCE_UNREADABLE or a backend code, never a vendor's text.
   */
  search(query: LogQuery, context: ExecuteContext): Promise<RawLogs>;
}
