import { type LineParser, parseAccess, parseLogfmt, parseNdjson, parseSyslog5424, parseText } from "./formats.ts";
import type { TimeReference } from "./time.ts";

/** Formats in the order they are preferred when they fit a sample equally well: the narrower before the wider. */
export const FORMATS = ["ndjson", "syslog5424", "access", "logfmt", "text"] as const;
export type FormatName = (typeof FORMATS)[number];

export const PARSERS: Readonly<Record<FormatName, LineParser>> = {
  ndjson: parseNdjson,
  syslog5424: parseSyslog5424,
  access: parseAccess,
  logfmt: parseLogfmt,
  text: parseText,
};

/** Lines looked at to tell a format. */
const SAMPLE_LINES = 200;

/** The format most lines of a sample have. Plain lines without any header are text too. */
export function detectFormat(sample: readonly string[], reference: TimeReference): FormatName {
  const lines = sample.filter((line) => line.trim() !== "" && !/^\s/.test(line)).slice(0, SAMPLE_LINES);
  let best: FormatName = "text";
  let bestShare = 0;
  for (const name of FORMATS) {
    const hits = lines.filter((line) => PARSERS[name](line, reference) !== null).length;
    if (hits > bestShare) {
      best = name;
      bestShare = hits;
    }
  }
  return best;
}
