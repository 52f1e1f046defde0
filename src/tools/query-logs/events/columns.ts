import { PARSERS } from "./detect.ts";
import type { LineParser } from "./formats.ts";
import { type Level, levelOf } from "./level.ts";
import type { TimeReference } from "./time.ts";

const MAX_COLUMNS = 6;
const MOST = 0.9;
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
    if (timed >= lines.length * MOST) return withLevelColumn(parse, lines, reference);
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

/** The level may stand some words after the time, in the same column of all lines. */
function withLevelColumn(parse: LineParser, lines: readonly string[], reference: TimeReference): LineParser {
  const parsed = lines.map((line) => ({ line, at: parse(line, reference)?.at ?? 0 }));
  for (let column = 1; column < MAX_COLUMNS; column += 1) {
    const word = new RegExp(`(?:\\S{1,64} {1,8}){${column}}([A-Z]{3,9}) {1,8}`, "y");
    const levelAfter = (line: string, at: number): readonly [Level, number] | null => {
      word.lastIndex = at;
      const match = word.exec(line);
      const level = levelOf(match?.[1] ?? "");
      return match === null || level === null ? null : [level, at + match[0].length];
    };
    if (parsed.filter(({ line, at }) => levelAfter(line, at) !== null).length < lines.length * MOST) continue;
    return (line, context) => {
      const header = parse(line, context);
      const found = header === null || header.level !== null ? null : levelAfter(line, header.at);
      return header === null || found === null ? header : { ...header, level: found[0], at: found[1] };
    };
  }
  return parse;
}
