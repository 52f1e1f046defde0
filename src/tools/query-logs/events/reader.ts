import type { EventForm, RawEvent } from "../raw.ts";
import { parserPastColumns } from "./columns.ts";
import { type ContainerFormat, detectContainer, UNWRAP } from "./container.ts";
import { detectFormat, type FormatName, PARSERS } from "./detect.ts";
import type { LineParser, ParsedLine } from "./formats.ts";
import { EventJoiner, type JoinedEvent } from "./join.ts";
import type { Level } from "./level.ts";
import { readTime, type TimeReference } from "./time.ts";

/** What the reader finds out about a file from its first lines, or is told. */
export interface FileFormat {
  readonly container: ContainerFormat | null;
  readonly format: FormatName;
  readonly parse: LineParser;
  /** Nearly every event starts with a time. */
  readonly timed: boolean;
  /** Most lines have a header, so that a line without one is worth counting. */
  readonly headed: boolean;
}

/** An event, and whether its time had to be completed. */
export interface ReadEvent extends RawEvent {
  /** Whether the event itself says its service. */
  readonly named: boolean;
}

export interface ReaderOptions {
  readonly file: string;
  readonly format: FileFormat;
  readonly reference: TimeReference;
  /** For events that name no service. */
  readonly service: string | null;
}

/** Tells the format of a file by a sample of its lines; a parser of the user's own goes before all known formats. */
export function detectFile(sample: readonly string[], reference: TimeReference, own: LineParser | null): FileFormat {
  const container = detectContainer(sample);
  const lines = container === null ? sample : sample.map((line) => UNWRAP[container](line)?.text ?? line);
  const starts = lines.filter((line) => line.trim() !== "" && !/^\s/.test(line));
  const format = own === null ? detectFormat(starts, reference) : "text";
  const parse = own ?? orElse(parserOf(format, starts, reference));
  const parsed = starts.map((line) => parse(line, reference)).filter((line) => line !== null);
  const timed = parsed.filter((line) => line.time !== null).length;
  return {
    container,
    format,
    parse,
    timed: timed >= 5 && timed >= starts.length * 0.9,
    headed: parsed.length * 2 > starts.length,
  };
}

function parserOf(format: FormatName, starts: readonly string[], reference: TimeReference): LineParser {
  if (format !== "text") return PARSERS[format];
  const timed = starts.filter((line) => (PARSERS.text(line, reference)?.time ?? null) !== null).length;
  const past = timed * 2 < starts.length ? parserPastColumns(starts, reference) : null;
  return past ?? PARSERS.text;
}

/** Programs mix: a crash among JSON lines, JSON among text. A line that is not of the file's format is read as what it looks like. */
function orElse(first: LineParser): LineParser {
  return (line, reference) => {
    const parsed = first(line, reference);
    if (parsed !== null) return parsed;
    return line.startsWith("{") ? PARSERS.ndjson(line, reference) : PARSERS.text(line, reference);
  };
}

/** Turns clean lines into events, one file at a time. */
export class EventReader {
  readonly #options: ReaderOptions;
  readonly #joiners = new Map<string, EventJoiner>();
  readonly #partial = new Map<string, { readonly text: string; readonly line: number; readonly time: string }>();

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Takes the next line; gives the event that it ends, if any. */
  push(text: string, line: number): ReadEvent | null {
    const { container } = this.#options.format;
    const wrapped = container === null ? null : UNWRAP[container](text);
    if (wrapped === null) return this.#join("", text, line, null);
    const before = this.#partial.get(wrapped.stream);
    const whole = {
      text: (before?.text ?? "") + wrapped.text,
      line: before?.line ?? line,
      time: before?.time ?? wrapped.time,
    };
    if (wrapped.partial && whole.text.length < MAX_PARTIAL) {
      this.#partial.set(wrapped.stream, whole);
      return null;
    }
    this.#partial.delete(wrapped.stream);
    return this.#join(wrapped.stream, whole.text, whole.line, whole.time);
  }

  /** The events still open at the end. */
  flush(): ReadEvent[] {
    const events: (ReadEvent | null)[] = [];
    for (const [stream, { text, line, time }] of this.#partial) events.push(this.#join(stream, text, line, time));
    this.#partial.clear();
    for (const joiner of this.#joiners.values()) events.push(this.#event(joiner.flush()));
    return events.filter((event) => event !== null).sort((a, b) => a.line - b.line);
  }

  #join(stream: string, text: string, line: number, time: string | null): ReadEvent | null {
    let joiner = this.#joiners.get(stream);
    if (joiner === undefined) {
      const { parse, timed } = this.#options.format;
      joiner = new EventJoiner({ parse, timed, reference: this.#options.reference });
      this.#joiners.set(stream, joiner);
    }
    return this.#event(joiner.push(text, line, time));
  }

  #event(joined: JoinedEvent | null): ReadEvent | null {
    if (joined === null) return null;
    const { file, service, reference, format } = this.#options;
    const parsed = joined.parsed ?? NO_HEADER;
    const time = joined.wrapped === null ? parsed.time : readTime(joined.wrapped, 0, reference);
    return {
      file,
      line: joined.line,
      time: time?.iso ?? null,
      level: parsed.level ?? levelOfTrace(joined.text),
      service: parsed.service ?? service,
      logger: parsed.logger,
      form: formOf(parsed, joined.text),
      text: parsed.line === undefined ? joined.text : parsed.line + joined.text.slice(firstLineEnd(joined.text)),
      body: parsed.body,
      at: parsed.at,
      until: parsed.until ?? 0,
      assumed: time?.assumed ?? false,
      unparsed: joined.parsed === null && format.headed,
      named: parsed.service !== null,
    };
  }
}

const NO_HEADER: ParsedLine = { time: null, level: null, service: null, logger: null, body: 0, at: 0 };
const MAX_PARTIAL = 1024 * 1024;
const CRASH = /^(?:panic: |fatal error: |thread '[^']{0,200}'(?: \(\d{1,20}\))? panicked at )/;
const EXCEPTION =
  /^(?:Traceback \(most recent call last\):|Exception in thread |Unhandled exception|Uncaught |(?:[\w$]{1,80}\.){0,20}(?:[A-Z][\w$]{0,120})?(?:Exception|Error)(?::|$|\n))/;

/** A trace that no logger wrote says what it is by its first line. */
function levelOfTrace(text: string): Level | null {
  if (CRASH.test(text)) return "FATAL";
  return EXCEPTION.test(text) ? "ERROR" : null;
}

function firstLineEnd(text: string): number {
  const end = text.indexOf("\n");
  return end < 0 ? text.length : end;
}

function formOf(parsed: ParsedLine, text: string): EventForm {
  if (parsed.fields === undefined) return "text";
  return text.trimStart().startsWith("{") ? "json" : "logfmt";
}
