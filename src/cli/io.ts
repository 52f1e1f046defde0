import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** Where a command reads and writes; the process's own streams, or a test's. */
export interface CommandIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

export const EXIT = { ok: 0, negative: 1, usage: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A wrong use of the command line or a wrong configuration: printed as it is, exit 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Writes and waits when the reader is slower. A reader that has gone away is no error. */
export async function write(stream: Writable, text: string): Promise<void> {
  if (stream.destroyed || stream.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done).off("error", done);
      resolve();
    };
    stream.once("drain", done).once("close", done).once("error", done);
  });
}

/** Lines of a byte stream without their ends, however long; invalid UTF-8 becomes U+FFFD. */
export async function* readLines(stream: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let pending: string[] = [];
  for await (const chunk of stream) {
    const parts = (typeof chunk === "string" ? chunk : decoder.write(chunk as Buffer)).split("\n");
    for (const part of parts.slice(0, -1)) {
      yield withoutCarriageReturn(pending.join("") + part);
      pending = [];
    }
    pending.push(parts.at(-1) ?? "");
  }
  const last = pending.join("") + decoder.end();
  if (last !== "") yield withoutCarriageReturn(last);
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Everything a stream holds, as text. */
export async function readAll(stream: Readable): Promise<string> {
  const decoder = new StringDecoder("utf8");
  let text = "";
  for await (const chunk of stream) text += typeof chunk === "string" ? chunk : decoder.write(chunk as Buffer);
  return text + decoder.end();
}

/** NDJSON in, NDJSON out: same order, one line for one line. A line that is no JSON is answered with an error, not skipped. */
export async function answerLines(
  io: CommandIo,
  answer: (input: unknown) => unknown | Promise<unknown>,
): Promise<void> {
  for await (const line of readLines(io.stdin)) {
    if (line.trim() === "") continue;
    await write(io.stdout, `${JSON.stringify(await answerLine(line, answer))}\n`);
  }
}

async function answerLine(line: string, answer: (input: unknown) => unknown | Promise<unknown>): Promise<unknown> {
  let input: unknown;
  try {
    input = JSON.parse(line);
  } catch {
    return { error: "LINE_NOT_JSON" };
  }
  return await answer(input);
}
