import { z } from "zod";

/** Events read at most when a request names no limit. */
export const DEFAULT_LIMIT = 10_000;
const MAX_LIMIT = 50_000;

/** What a model asks for. */
export interface QueryLogsRequest {
  readonly source?: string;
  readonly service?: string;
  readonly level?: "*" | "TRACE" | "DEBUG" | "INFO" | "WARN" | "ERROR" | "FATAL";
  readonly keywords?: string | readonly string[];
  readonly pattern?: string;
  readonly from: string;
  readonly to: string;
  readonly limit?: number;
}

const time = (which: string): z.ZodString =>
  z
    .string()
    .min(1)
    .max(64)
    .describe(
      `${which} An ISO 8601 time with a zone, such as 2026-07-29T10:15:00Z or 2026-07-29T18:15:00+08:00, or a time relative ` +
        'to the call: "now", "now-15m", "now-2h", "now-1d" (units s, m, h, d, w).',
    );

export const queryLogsRequest: z.ZodType<QueryLogsRequest> = z.strictObject({
  source: z
    .string()
    .min(1)
    .max(64)
    .describe("Name of the log source. Needed when there is more than one.")
    .exactOptional(),
  service: z
    .string()
    .min(1)
    .max(256)
    .describe("Only events of exactly this service. Leave out to search all services of the source.")
    .exactOptional(),
  level: z
    .enum(["*", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"])
    .describe(
      "Only events of this level or a more severe one. Events that state no level are not found by it; leave out, or *, for all.",
    )
    .exactOptional(),
  keywords: z
    .union([z.string().max(1024), z.array(z.string().max(256)).max(16)])
    .describe(
      "Words that must all occur in an event, in any order and case. Separated by white space; a word also matches inside a longer one. " +
        "Begin with few words: each further word only narrows. Held-back secrets are not searched.",
    )
    .exactOptional(),
  pattern: z
    .string()
    .min(1)
    .max(512)
    .describe(
      "A text, or a regular expression without look-around and back references, that must occur in an event; case is ignored. " +
        "Escape . ( ) [ ] when you mean the characters.",
    )
    .exactOptional(),
  from: time("Start of the window, inclusive."),
  to: time("End of the window, exclusive."),
  limit: z
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .describe(
      `Events read at most, ${DEFAULT_LIMIT} when left out. Counts are exact only when the limit was not reached: prefer a narrower window to a limit.`,
    )
    .exactOptional(),
});
