import { BoundaryError } from "../../../../model/errors.ts";
import type { ExecuteContext } from "../../../tool.ts";
import type { Encoding } from "../../events/decode.ts";
import type { LineParser } from "../../events/formats.ts";
import { userFormat } from "../../events/user-format.ts";
import { parseZone, type Zone } from "../../events/zone.ts";
import type { LogQuery } from "../../match/filter.ts";
import type { RawLogs } from "../../raw.ts";
import type { LogSource } from "../backend.ts";
import { EventCollector } from "../collector.ts";
import { type FoundFile, findFiles } from "./glob.ts";
import { serviceOfFile } from "./rotation.ts";
import { type ScanOptions, scanFile } from "./scan.ts";

export interface FilesSourceOptions {
  readonly name: string;
  /** Globs with `*`, `?`, `[…]`, `{a,b}` and `**`; relative ones start at `root`, or where the process stands. */
  readonly files: readonly string[];
  /** Folder that nothing may lead out of; without it each glob's part before its first wildcard. */
  readonly root?: string;
  /** A regular expression with the named groups time, level, service, logger and message, for lines of no known format. */
  readonly linePattern?: string;
  /** IANA zone or offset of times without one. */
  readonly timeZone?: string;
  /** Service of events that name none; without it the name of their file up to its first dot. */
  readonly service?: string;
  /** Default `utf-8`; a byte order mark goes before it. */
  readonly encoding?: Encoding;
}

/** Log files on disk as a source: text or JSON, rotated and compressed ones too. Reads as little as it can and keeps little in memory. */
export function filesSource(options: FilesSourceOptions): LogSource {
  const zone = options.timeZone === undefined ? null : parseZone(options.timeZone);
  if (options.timeZone !== undefined && zone === null)
    throw new BoundaryError("CONFIG_INVALID", "timeZone", `Source ${options.name}: no such time zone.`);
  const own = options.linePattern === undefined ? null : userFormat(options.linePattern);
  return {
    name: options.name,
    ...(options.timeZone === undefined ? {} : { timeZone: options.timeZone }),
    search: async (query, context) => await searchFiles(query, context, { options, zone, own }),
  };
}

interface Prepared {
  readonly options: FilesSourceOptions;
  readonly zone: Zone | null;
  readonly own: LineParser | null;
}

async function searchFiles(query: LogQuery, context: ExecuteContext, prepared: Prepared): Promise<RawLogs> {
  const { options, zone } = prepared;
  const files = await findFiles(options.files, options.root);
  if (files.length === 0) throw new BoundaryError("SOURCE_NOT_FOUND", "source");
  const collector = new EventCollector(query, { maxBytes: context.maxRawBytes, zoneDeclared: zone !== null });
  let unread = 0;
  for (const file of files) {
    if (collector.full) break;
    if (!(await readFile(file, { query, collector, signal: context.signal, ...prepared }))) unread += 1;
  }
  if (unread === files.length) throw new BoundaryError("SOURCE_UNREADABLE", "source");
  return collector.result({ partial: unread > 0 });
}

/** False when the file could not be read, or not to its end. */
async function readFile(
  file: FoundFile,
  { options, zone, ...search }: Prepared & Pick<ScanOptions, "query" | "collector" | "signal">,
): Promise<boolean> {
  const reference = { zone, written: writtenAt(file, search.query) };
  const service = options.service ?? serviceOfFile(file.name);
  search.collector.expect(service, options.service !== undefined);
  try {
    await scanFile(file, { ...search, reference, service, encoding: options.encoding ?? "utf-8" });
    return true;
  } catch (error) {
    if (search.signal.aborted) throw new BoundaryError("DEADLINE_EXCEEDED");
    if (isReadError(error)) return false;
    throw error;
  }
}

/** A file that is gone, forbidden, cut in the middle of its compression, or compressed in a way this Node cannot read. */
function isReadError(error: unknown): boolean {
  if (BoundaryError.is(error)) return error.code === "SOURCE_UNREADABLE";
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string";
}

/** Packers give files the oldest date they know; such a date says nothing about the year of a log line. */
const PLAUSIBLE = Date.UTC(2000, 0, 1);

function writtenAt(file: FoundFile, query: LogQuery): number {
  return file.modified > PLAUSIBLE ? file.modified : query.to;
}
