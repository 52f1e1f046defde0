import { createReadStream } from "node:fs";
import type { Readable, Transform } from "node:stream";
import * as zlib from "node:zlib";
import { BoundaryError } from "../../../../model/errors.ts";

/** Bytes read at a time. */
const CHUNK_BYTES = 256 * 1024;

/** The bytes of a file from an offset on, decompressed by its name: `.gz`, and `.zst` where this Node can. */
export function readBytes(path: string, start: number, signal: AbortSignal): AsyncIterable<Buffer> {
  const stream = createReadStream(path, { start, highWaterMark: CHUNK_BYTES, signal });
  const transform = decompressor(path);
  return transform === null ? stream : decompressed(stream, transform);
}

export function isCompressed(path: string): boolean {
  return /\.(?:gz|zst|zstd)$/.test(path);
}

function decompressor(path: string): Transform | null {
  if (path.endsWith(".gz")) return zlib.createGunzip({ chunkSize: CHUNK_BYTES });
  if (!isCompressed(path)) return null;
  const create: unknown = Reflect.get(zlib, "createZstdDecompress");
  if (typeof create !== "function")
    throw new BoundaryError("SOURCE_UNREADABLE", "source", "This Node has no zstd; 22.15 and later have.");
  return create() as Transform;
}

async function* decompressed(stream: Readable, transform: Transform): AsyncGenerator<Buffer> {
  stream.once("error", (error) => transform.destroy(error));
  stream.pipe(transform);
  try {
    yield* transform as AsyncIterable<Buffer>;
  } finally {
    stream.destroy();
    transform.destroy();
  }
}

/** How many newlines stand before an offset. */
export async function linesBefore(path: string, offset: number, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const chunk of createReadStream(path, { end: offset - 1, highWaterMark: 4 * CHUNK_BYTES, signal })) {
    const bytes = chunk as Buffer;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  }
  return count;
}
