import { cleanLine } from "../events/decode.ts";
import type { ParsedLine } from "../events/formats.ts";
import { messageKey } from "../events/formats.ts";
import { detectFile, EventReader } from "../events/reader.ts";
import type { LogQuery } from "../match/filter.ts";
import type { RawLogs } from "../raw.ts";
import { EventCollector } from "./collector.ts";

const SAMPLE = 200;

/** Lines held in memory, searched like those of a file. `written` is an instant shortly after the last of them. */
export function searchLines(lines: readonly string[], query: LogQuery, written: number, maxBytes: number): RawLogs {
  const clean = lines.map(cleanLine);
  const reference = { zone: null, written };
  const format = detectFile(clean.slice(0, SAMPLE), reference, null);
  const reader = new EventReader({ file: "-", format, reference, service: null });
  const collector = new EventCollector(query, { maxBytes, zoneDeclared: true });
  let around: number | null = null;
  const take = (event: ReturnType<EventReader["push"]>): void => {
    if (event === null) return;
    if (event.time !== null) around = Date.parse(event.time);
    collector.take(event, around);
  };
  clean.forEach((line, i) => {
    take(reader.push(line, i + 1));
  });
  for (const event of reader.flush()) take(event);
  return collector.result({ partial: false });
}

/** The message of each line without its header, line by line; nothing is joined. */
export function messagesOf(lines: readonly string[], written: number): string[] {
  const clean = lines.map(cleanLine);
  const reference = { zone: null, written };
  const { parse } = detectFile(clean.slice(0, SAMPLE), reference, null);
  return clean.map((line) => messageOf(line, parse(line, reference)));
}

function messageOf(line: string, parsed: ParsedLine | null): string {
  if (parsed === null) return line;
  if (parsed.fields === undefined) return (parsed.line ?? line).slice(parsed.at, parsed.until);
  const key = messageKey(parsed.fields);
  return key === null ? line : String(parsed.fields[key]);
}
