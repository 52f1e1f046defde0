import { BoundaryError } from "../../../../model/errors.ts";
import { cleanLine, type Encoding } from "../../events/decode.ts";
import type { LineParser } from "../../events/formats.ts";
import { detectFile, EventReader, type FileFormat, type ReadEvent } from "../../events/reader.ts";
import type { TimeReference } from "../../events/time.ts";
import type { LogQuery } from "../../match/filter.ts";
import type { EventCollector } from "../collector.ts";
import { type Block, readBlocks } from "./blocks.ts";
import type { FoundFile } from "./glob.ts";
import { type LinesTest, linesTest } from "./needles.ts";
import { isCompressed, linesBefore, readBytes } from "./open-file.ts";
import { DISORDER_MS, type Start, seekStart } from "./seek.ts";

export interface ScanOptions {
  readonly query: LogQuery;
  readonly collector: EventCollector;
  readonly reference: TimeReference;
  readonly encoding: Encoding;
  readonly own: LineParser | null;
  /** For events that name no service. */
  readonly service: string | null;
  readonly signal: AbortSignal;
}

const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_LINES = 200;

/** Reads one file and gives its matching events to the collector. */
export async function scanFile(file: FoundFile, options: ScanOptions): Promise<void> {
  const { query, reference, signal, encoding } = options;
  const sample = await sampleLines(file, options);
  const format = detectFile(sample, reference, options.own);
  const seekable = !isCompressed(file.path) && encoding === "utf-8";
  const start: Start = seekable ? await seekStart(file, query.from, format, reference) : { offset: 0, sorted: false };
  const scan = new FileScan(file, format, start, options);
  await scanBlocks(scan, file, start, options);
  // Lines are counted from where reading began; those before matter only when something was found.
  if (start.offset > 0 && options.collector.has(file.name))
    options.collector.shiftLines(file.name, await linesBefore(file.path, start.offset, signal));
}

async function scanBlocks(scan: FileScan, file: FoundFile, start: Start, options: ScanOptions): Promise<void> {
  const { signal, encoding } = options;
  for await (const block of readBlocks(readBytes(file.path, start.offset, signal), encoding)) {
    if (signal.aborted) throw new BoundaryError("DEADLINE_EXCEEDED");
    if (!scan.take(block)) return;
  }
  scan.end();
}

async function sampleLines(file: FoundFile, { encoding, signal }: ScanOptions): Promise<string[]> {
  const lines: string[] = [];
  let read = 0;
  for await (const block of readBlocks(readBytes(file.path, 0, signal), encoding)) {
    const text = block.decode(block.raw);
    lines.push(...text.slice(0, SAMPLE_BYTES).split("\n", SAMPLE_LINES).map(cleanLine));
    read += text.length;
    if (read >= SAMPLE_BYTES || lines.length >= SAMPLE_LINES) break;
  }
  return lines.slice(0, SAMPLE_LINES);
}

/** The lines of one file on their way to becoming events. */
class FileScan {
  readonly #options: ScanOptions;
  readonly #format: FileFormat;
  readonly #reader: EventReader;
  readonly #test: LinesTest | null;
  readonly #sorted: boolean;
  #line = 1;
  /** The lines from the last event's start on: it may go on in the next block. */
  #carried = "";
  /** Whether an event is open in the reader, so that the next lines must be read whatever they hold. */
  #open = false;
  #around: number | null = null;
  #decode: Block["decode"] = (raw) => raw;

  constructor(file: FoundFile, format: FileFormat, start: Start, options: ScanOptions) {
    const { reference, service, query } = options;
    this.#options = options;
    this.#format = format;
    this.#reader = new EventReader({ file: file.name, format, reference, service });
    this.#test = format.container === null && format.headed ? linesTest(query) : null;
    this.#sorted = start.sorted;
  }

  /** Takes the next lines; false when nothing more needs to be read. */
  take({ raw, decode }: Block): boolean {
    this.#decode = decode;
    if (this.#test === null) this.#read(raw);
    else this.#readWhereNeeded(this.#carried === "" ? raw : `${this.#carried}\n${raw}`, this.#test);
    if (this.#options.collector.full) return false;
    return !(this.#sorted && this.#around !== null && this.#around >= this.#options.query.to + DISORDER_MS);
  }

  end(): void {
    if (this.#carried !== "") this.#read(this.#carried);
    this.#flush();
  }

  #readWhereNeeded(raw: string, test: LinesTest): void {
    const cut = this.#lastStart(raw);
    const whole = cut > 0 ? raw.slice(0, cut - 1) : "";
    this.#carried = cut >= 0 ? raw.slice(cut) : "";
    if (cut < 0) {
      this.#read(raw);
      this.#open = true;
    } else if (cut > 0) {
      if (!this.#open && !test(whole, this.#decode)) this.#line += countLines(whole);
      else if (this.#format.format === "ndjson") this.#readSingly(whole, test);
      else this.#read(whole);
      this.#flush();
      this.#open = false;
    }
  }

  /** Where the last event starts that has a header; -1 when none does near the end. */
  #lastStart(raw: string): number {
    let end = raw.length;
    for (let back = 0; back < MAX_BACK && end > 0; back += 1) {
      const start = raw.lastIndexOf("\n", end - 1) + 1;
      const line = raw.slice(start, end);
      const parsed = /^\s/.test(line)
        ? null
        : this.#format.parse(cleanLine(this.#decode(line)), this.#options.reference);
      if (parsed !== null) {
        if (parsed.time !== null) this.#around = parsed.time.ms;
        return raw.length - start > MAX_CARRIED ? -1 : start;
      }
      end = start - 1;
    }
    return -1;
  }

  #read(raw: string): void {
    for (const line of this.#decode(raw).split("\n")) {
      this.#give(this.#reader.push(cleanLine(line), this.#line));
      this.#line += 1;
      if (this.#options.collector.full) return;
    }
  }

  /** JSON lines are events of their own and need not be parsed when they cannot match; what stands between them is joined. */
  #readSingly(raw: string, test: LinesTest): void {
    for (const line of raw.split("\n")) {
      const single = line.startsWith("{");
      if (single) this.#flush();
      if (!single || test(line, this.#decode)) {
        this.#give(this.#reader.push(cleanLine(this.#decode(line)), this.#line));
      }
      this.#line += 1;
    }
  }

  #flush(): void {
    for (const event of this.#reader.flush()) this.#give(event);
  }

  #give(event: ReadEvent | null): void {
    if (event === null) return;
    if (event.time !== null) this.#around = Date.parse(event.time);
    this.#options.collector.take(event, this.#around);
  }
}

const MAX_BACK = 2_000;
const MAX_CARRIED = 1024 * 1024;

function countLines(raw: string): number {
  let count = 1;
  for (let at = raw.indexOf("\n"); at >= 0; at = raw.indexOf("\n", at + 1)) count += 1;
  return count;
}
