import { PARSERS } from "./detect.ts";
import type { LineParser } from "./formats.ts";
import type { TimeReference } from "./time.ts";

const MAX_COLUMNS = 6;
/** Fewer lines may agree by chance. */
const MIN_LINES = 8;

/**
 * Some systems write columns of their own before the time: a node, a job, an epoch. When nearly all lines of a sample have a
 * time after the same number of words, that is where their header starts; the most words win. Null when they have not.
 */
export function parserPastColumns(lines: readonly string[], reference: TimeReference): LineParser | null {
  if (lines.length < MIN_LINES) return null;
  for (let columns = MAX_COLUMNS; columns > 0; columns -= 1) {
    const parse = pastColumns(columns);
    const timed = lines.filter((line) => (parse(line, reference)?.time ?? null) !== null).length;
    if (timed >= lines.length * 0.9) return parse;
  }
  return null;
}

function pastColumns(columns: number): LineParser {
  const prefix = new RegExp(`^(?:\\S{1,64} {1,8}){${columns}}`);
  return (line, reference) => {
    const start = prefix.exec(line)?.[0].length;
    if (start === undefined) return null;
    const parsed = PARSERS.text(line.slice(start), reference);
    // The columns stay to be seen; only what is mined begins after them.
    return parsed === null || parsed.time === null ? null : { ...parsed, body: 0, at: parsed.at + start };
  };
}
