import type { LineParser, ParsedLine } from "./formats.ts";
import type { TimeReference } from "./time.ts";

/** The lines of one event, read together. */
export interface JoinedEvent {
  /** Number of its first line, from 1. */
  readonly line: number;
  /** The first line, then those that go on from it, joined by newlines. */
  readonly text: string;
  readonly parsed: ParsedLine | null;
  /** Time of the container runtime, where one wrapped the line. */
  readonly wrapped: string | null;
}

/** What the joiner has to know of a file. */
export interface JoinOptions {
  readonly parse: LineParser;
  readonly reference: TimeReference;
  /** Whether nearly every event starts with a time, so that any other line goes on from the one before. */
  readonly timed: boolean;
}

type Mode = "open" | "python" | "python-ended" | "go" | "rust" | "pem";

const MAX_LINES = 2_000;
const MAX_CHARACTERS = 512 * 1024;

const INDENTED = /^[ \t]+\S/;
const CONTINUES =
  /^(?:Caused by: |Suppressed: |\.\.\. \d+ (?:more|common)|--- End of |\s{0,64}---> |[)}\]]{1,8}[;,]?$)/;
const PYTHON_START = /^Traceback \(most recent call last\):/;
const PYTHON_CHAIN = /^(?:During handling of the above exception|The above exception was the direct cause)/;
const PYTHON_END = /^[A-Za-z_][\w.]{0,200}(?::|$)/;
const CRASH = /^(?:panic: |fatal error: |thread '[^']{0,200}'(?: \(\d{1,20}\))? panicked at )/;
const GOROUTINE = /^goroutine \d{1,10} \[/;
const GO_START = /^(?:panic: |fatal error: |goroutine \d{1,10} \[)/;
const GO_LINE = /^(?:goroutine \d{1,10} \[|\[signal |created by |exit status \d|[a-z\d]{2,6} {2,8}0x)/;
const GO_CALL = /^[\w./-]{2,200}[(.]/;
const RUST_START = /^thread '[^']{0,200}'(?: \(\d{1,20}\))? panicked at /;
const RUST_LINE = /^(?:note: |stack backtrace:|\s+\d{1,6}: |\s)/;
const EXCEPTION = /^(?:[\w$]{1,80}\.){0,20}[A-Z][\w$]{0,120}(?:Exception|Error|Throwable)(?::|$)/;
const PEM_BEGIN = /^-----BEGIN [A-Z0-9 ]{1,64}-----/;
const PEM_END = /-----END [A-Z0-9 ]{1,64}-----/;

const STARTS: readonly (readonly [Mode, RegExp])[] = [
  ["python", PYTHON_START],
  ["go", GO_START],
  ["rust", RUST_START],
];
/** What follows a line with a header directly and belongs to it. */
const TRACE_STARTS: readonly RegExp[] = [PYTHON_START, EXCEPTION, GOROUTINE];

interface Open {
  readonly line: number;
  readonly parsed: ParsedLine | null;
  readonly wrapped: string | null;
  readonly lines: string[];
  length: number;
  mode: Mode;
}

/**
 * Joins lines into events: stack traces of Java, Python, Go, Node, .NET and Rust, private keys, and what is indented go to
 * the line before. When in doubt a line stays an event of its own; none is ever dropped.
 */
export class EventJoiner {
  readonly #options: JoinOptions;
  #open: Open | null = null;

  constructor(options: JoinOptions) {
    this.#options = options;
  }

  /** Takes the next line; gives the event before it when the line starts a new one. */
  push(text: string, line: number, wrapped: string | null = null): JoinedEvent | null {
    const open = this.#open;
    if (text.trim() === "") return open === null ? null : this.#extend(open, text);
    const parsed = this.#parse(text);
    if (open !== null && parsed === null && hasRoom(open) && this.#continues(open, text))
      return this.#extend(open, text);
    const done = this.flush();
    this.#open = { line, parsed, wrapped, lines: [text], length: text.length, mode: modeOf(text, "open") };
    return done;
  }

  /** The event still open, at the end of the lines. */
  flush(): JoinedEvent | null {
    const open = this.#open;
    this.#open = null;
    if (open === null) return null;
    while (open.lines.at(-1)?.trim() === "") open.lines.pop();
    return { line: open.line, text: open.lines.join("\n"), parsed: open.parsed, wrapped: open.wrapped };
  }

  #parse(text: string): ParsedLine | null {
    return /^\s/.test(text) && !text.trimStart().startsWith("{")
      ? null
      : this.#options.parse(text, this.#options.reference);
  }

  #extend(open: Open, text: string): null {
    open.lines.push(text);
    open.length += text.length + 1;
    open.mode = modeOf(text, open.mode);
    return null;
  }

  #continues(open: Open, text: string): boolean {
    if (open.mode !== "open") return CONTINUES_IN[open.mode](text, open);
    // A JSON event is whole, and a crash is an event of its own.
    if (open.parsed?.fields !== undefined || CRASH.test(text)) return false;
    if (INDENTED.test(text) || CONTINUES.test(text) || chains(open, text)) return true;
    if (open.parsed === null) return false;
    const blank = open.lines.at(-1)?.trim() === "";
    return this.#options.timed || (!blank && TRACE_STARTS.some((start) => start.test(text)));
  }
}

/** What goes on from a line while a trace of this kind is open. */
const CONTINUES_IN: Readonly<Record<Exclude<Mode, "open">, (text: string, open: Open) => boolean>> = {
  pem: () => true,
  go: (text) => GO_LINE.test(text) || INDENTED.test(text) || (GO_CALL.test(text) && text.endsWith(")")),
  rust: (text, open) => RUST_LINE.test(text) || open.lines.length === 1,
  python: () => true,
  "python-ended": (text, open) =>
    PYTHON_CHAIN.test(text) || (INDENTED.test(text) && open.lines.at(-1)?.trim() !== "") || chains(open, text),
};

function hasRoom(open: Open): boolean {
  return open.lines.length < MAX_LINES && open.length < MAX_CHARACTERS;
}

/** A second traceback after "During handling of the above exception …". */
function chains(open: Open, text: string): boolean {
  if (!PYTHON_START.test(text)) return false;
  const before = open.lines.findLast((line) => line.trim() !== "");
  return before !== undefined && PYTHON_CHAIN.test(before);
}

/** A key begins here and does not end in the same line. */
function opensKey(text: string): boolean {
  const at = text.lastIndexOf("-----BEGIN ");
  return at >= 0 && !text.includes("-----END ", at) && PEM_BEGIN.test(text.slice(at, at + 96));
}

function modeOf(text: string, mode: Mode): Mode {
  if (mode === "pem") return PEM_END.test(text) ? "open" : "pem";
  const started = opensKey(text) ? "pem" : STARTS.find(([, start]) => start.test(text))?.[0];
  if (started !== undefined) return started;
  if (mode === "python") return endsTraceback(text) ? "python-ended" : "python";
  if (mode !== "python-ended") return mode;
  return text.trim() === "" || INDENTED.test(text) || PYTHON_CHAIN.test(text) ? mode : "open";
}

function endsTraceback(text: string): boolean {
  return !/^\s/.test(text) && PYTHON_END.test(text);
}
