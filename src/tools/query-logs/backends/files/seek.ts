import { type FileHandle, open } from "node:fs/promises";
import { UNWRAP } from "../../events/container.ts";
import { cleanLine } from "../../events/decode.ts";
import type { FileFormat } from "../../events/reader.ts";
import { readTime, type TimeReference } from "../../events/time.ts";

/** What binary search found: where to start, and whether the file may be left when its times have passed the window. */
export interface Start {
  readonly offset: number;
  readonly sorted: boolean;
}

const WHOLE_FILE: Start = { offset: 0, sorted: false };
/** Smaller files are read from their beginning. */
const MIN_BYTES = 4 * 1024 * 1024;
const PROBE_BYTES = 64 * 1024;
const PROBES = 24;
/** Lines of several threads may be this much out of order. */
export const DISORDER_MS = 60_000;

/**
 * Where in a file sorted by time a window can begin. Probes tell whether it is sorted; in doubt it is read from its start. The
 * offset is that of a line.
 */
export async function seekStart(
  file: { readonly path: string; readonly size: number },
  from: number,
  format: FileFormat,
  reference: TimeReference,
): Promise<Start> {
  if (file.size < MIN_BYTES) return WHOLE_FILE;
  const handle = await open(file.path, "r");
  try {
    const probe = (offset: number): Promise<Probe | null> => probeAt(handle, offset, format, reference);
    if (!(await isSorted(file.size, probe))) return WHOLE_FILE;
    return { offset: await lastBefore(file.size, from - DISORDER_MS, probe), sorted: true };
  } finally {
    await handle.close();
  }
}

interface Probe {
  /** Where the line with the time starts. */
  readonly offset: number;
  readonly ms: number;
}

async function isSorted(size: number, probe: (offset: number) => Promise<Probe | null>): Promise<boolean> {
  let before = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < PROBES; i += 1) {
    const found = await probe(Math.floor((size * i) / PROBES));
    if (found === null || found.ms < before - DISORDER_MS) return false;
    before = Math.max(before, found.ms);
  }
  return true;
}

/** Offset of a line whose time is before `ms`, as late as possible within a probe; 0 when there is none. */
async function lastBefore(size: number, ms: number, probe: (offset: number) => Promise<Probe | null>): Promise<number> {
  let low = 0;
  let high = size;
  let start = 0;
  while (high - low > PROBE_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const found = await probe(middle);
    if (found !== null && found.ms < ms) {
      start = found.offset;
      low = middle;
    } else high = middle;
  }
  return start;
}

async function probeAt(
  handle: FileHandle,
  offset: number,
  format: FileFormat,
  reference: TimeReference,
): Promise<Probe | null> {
  const buffer = Buffer.alloc(PROBE_BYTES);
  const { bytesRead } = await handle.read(buffer, 0, PROBE_BYTES, offset);
  let at = offset === 0 ? 0 : buffer.subarray(0, bytesRead).indexOf(10) + 1;
  if (offset > 0 && at === 0) return null;
  for (let end = buffer.indexOf(10, at); end >= 0 && end < bytesRead; end = buffer.indexOf(10, at)) {
    const ms = timeOfLine(buffer.toString("utf8", at, end), format, reference);
    if (ms !== null) return { offset: offset + at, ms };
    at = end + 1;
  }
  return null;
}

function timeOfLine(line: string, format: FileFormat, reference: TimeReference): number | null {
  const clean = cleanLine(line);
  if (format.container === null) return format.parse(clean, reference)?.time?.ms ?? null;
  const wrapped = UNWRAP[format.container](clean);
  return wrapped === null ? null : (readTime(wrapped.time, 0, reference)?.ms ?? null);
}
