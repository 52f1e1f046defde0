import { parseObject } from "../events/formats.ts";
import { atLeast, type Level } from "../events/level.ts";
import type { RawEvent } from "../raw.ts";
import { compilePattern } from "./pattern.ts";

/** What is asked of the events of one source. Times in milliseconds since the epoch, half open. */
export interface LogQuery {
  readonly source: string;
  readonly service: string | null;
  readonly level: Level | null;
  /** All must occur, folded. */
  readonly keywords: readonly string[];
  readonly pattern: string | null;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** Compatibility forms and case do not make a difference: full-width letters are letters. */
export function fold(text: string): string {
  return (/^[\u0000-\u007f]*$/.test(text) ? text : text.normalize("NFKC")).toLowerCase();
}

export interface EventFilter {
  /** Texts that every match holds, folded. */
  readonly needles: readonly string[];
  readonly service: (event: Pick<RawEvent, "service">) => boolean;
  /** Keywords and pattern. */
  readonly text: (event: Pick<RawEvent, "form" | "text">) => boolean;
  readonly level: (event: Pick<RawEvent, "level">) => boolean;
}

/** The filters of a query. Throws PATTERN_UNSUPPORTED. */
export function compileFilter(query: LogQuery): EventFilter {
  const { keywords, level } = query;
  const service = query.service === null ? null : fold(query.service);
  const pattern = query.pattern === null ? null : compilePattern(query.pattern);
  const matches = (text: string): boolean =>
    keywords.every((keyword) => text.includes(keyword)) && (pattern === null || pattern.test(text));
  return {
    needles: [...keywords, ...(pattern?.needles ?? [])],
    service: (event) => service === null || (event.service !== null && fold(event.service) === service),
    text: ({ form, text }) =>
      matches(fold(text)) || (form === "json" && text.includes("\\") && matches(fold(plainJson(text)))),
    level: (event) => level === null || (event.level !== null && atLeast(event.level, level)),
  };
}

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g;

/** JSON with the escapes of its strings undone, to search in what was meant. */
function plainJson(text: string): string {
  if (parseObject(text) === null) return text;
  return text.replace(ESCAPE, (escaped) => JSON.parse(`"${escaped}"`) as string);
}
