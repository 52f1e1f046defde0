import { byteOrderMark, type Encoding, streamDecoder } from "../../events/decode.ts";

/** A run of whole lines, without the newline of the last. */
export interface Block {
  /** UTF-8 with one character for each byte, so that ASCII can be looked for without decoding; other encodings decoded. */
  readonly raw: string;
  /** The text of a part of `raw`. */
  readonly decode: (raw: string) => string;
}

/** A line longer than this is cut into several. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Cuts a stream of bytes at newlines. What follows the last newline is a line too. */
export async function* readBlocks(chunks: AsyncIterable<Buffer>, declared: Encoding): AsyncGenerator<Block> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    if (first.done === true) return;
    const mark = byteOrderMark(first.value);
    const encoding = mark?.encoding ?? declared;
    const all = withFirst(first.value.subarray(mark?.length ?? 0), iterator);
    yield* encoding === "utf-8" ? byteBlocks(all) : decodedBlocks(all, encoding);
  } finally {
    await iterator.return?.();
  }
}

async function* withFirst(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function* byteBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Block> {
  let pending: Buffer[] = [];
  let size = 0;
  for await (const bytes of chunks) {
    const end = bytes.lastIndexOf(10);
    if (end < 0 && size < MAX_LINE_BYTES) {
      pending.push(bytes);
      size += bytes.length;
      continue;
    }
    const cut = end < 0 ? bytes.length : end;
    yield byteBlock(Buffer.concat([...pending, bytes.subarray(0, cut)]));
    const rest = bytes.subarray(end < 0 ? cut : cut + 1);
    pending = [rest];
    size = rest.length;
  }
  const last = Buffer.concat(pending);
  if (last.length > 0) yield byteBlock(last);
}

function byteBlock(bytes: Buffer): Block {
  return { raw: bytes.toString("latin1"), decode: decodeBytes };
}

function decodeBytes(raw: string): string {
  return NOT_ASCII.test(raw) ? Buffer.from(raw, "latin1").toString("utf8") : raw;
}

const NOT_ASCII = /[^\u0000-\u007f]/;

/** Other encodings are decoded first; a newline is not one byte in all of them. */
async function* decodedBlocks(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Block> {
  const decode = streamDecoder(encoding);
  let pending = "";
  for await (const chunk of chunks) {
    pending += decode(chunk, false);
    const end = pending.lastIndexOf("\n");
    if (end < 0 && pending.length < MAX_LINE_BYTES) continue;
    yield textBlock(end < 0 ? pending : pending.slice(0, end));
    pending = end < 0 ? "" : pending.slice(end + 1);
  }
  pending += decode(new Uint8Array(), true);
  if (pending !== "") yield textBlock(pending);
}

function textBlock(text: string): Block {
  return { raw: text, decode: (raw) => raw };
}
