import { createReadStream } from "node:fs";
import { z } from "zod";
import { documentEntry, readDocument } from "../../tools/lookup-knowledge/backends/folder/document.ts";
import { MemoryIndex } from "../../tools/lookup-knowledge/backends/folder/memory-index.ts";
import type { PassageIndex } from "../../tools/lookup-knowledge/backends/folder/passage-index.ts";
import { rankPassages } from "../../tools/lookup-knowledge/backends/folder/search.ts";
import { type CommandIo, EXIT, type ExitCode, readLines, UsageError, write } from "../io.ts";
import { unreadable } from "../read-config.ts";

const id = z.union([z.string(), z.number()]).transform(String);
const documentLine = z.object({ _id: id, title: z.string().default(""), text: z.string() });
const queryLine = z.object({ _id: id, text: z.string() });
const options = z.object({ docs: z.string(), queries: z.string(), top: z.coerce.number().int().min(1).max(1000) });

/** A long document can fill many places with its passages. */
const CANDIDATES_A_HIT = 10;

interface DocumentHit {
  readonly doc_id: string;
  readonly rank: number;
  readonly relevance_level: string;
}

/** Documents and queries in BEIR form in, ranked documents out; `BELOW_FLOOR` marks what a search would not have returned. */
export async function run(given: Readonly<Record<string, unknown>>, io: CommandIo): Promise<ExitCode> {
  const parsed = options.safeParse(given);
  if (!parsed.success)
    throw new UsageError(`--${String(parsed.error.issues[0]?.path[0])}: ${parsed.error.issues[0]?.message}`);
  const index = new MemoryIndex();
  for await (const { _id, title, text } of records("--docs", parsed.data.docs, documentLine)) {
    const read = readDocument({ text: text.trim() === "" ? title : text, fallbackTitle: title, format: "markdown" });
    const card = title === "" ? read.card : { ...read.card, title };
    index.apply({ put: [documentEntry({ path: _id, stamp: "", documentId: _id }, { ...read, card })], remove: [] });
  }
  for await (const { _id, text } of records("--queries", parsed.data.queries, queryLine)) {
    const hits = rankDocuments(index, text, parsed.data.top);
    await write(io.stdout, `${JSON.stringify({ query_id: _id, hits })}\n`);
  }
  return EXIT.ok;
}

/** A document stands where its best passage stands. */
function rankDocuments(index: PassageIndex, question: string, top: number): DocumentHit[] {
  const hits = new Map<string, DocumentHit>();
  for (const { passage, level } of rankPassages(index, question, { candidates: CANDIDATES_A_HIT * top }).passages) {
    if (hits.size === top) break;
    if (hits.has(passage.documentId)) continue;
    hits.set(passage.documentId, {
      doc_id: passage.documentId,
      rank: hits.size + 1,
      relevance_level: level ?? "BELOW_FLOOR",
    });
  }
  return [...hits.values()];
}

async function* records<T>(option: string, file: string, schema: z.ZodType<T>): AsyncGenerator<T> {
  let number = 0;
  try {
    for await (const line of readLines(createReadStream(file))) {
      number++;
      if (line.trim() !== "") yield schema.parse(JSON.parse(line));
    }
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new UsageError(
        `${option}: ${file}:${number}: ${error.issues[0]?.path.join(".")}: ${error.issues[0]?.message}`,
      );
    if (error instanceof SyntaxError) throw new UsageError(`${option}: ${file}:${number}: not JSON`);
    if (number === 0) throw new UsageError(`${option}: ${unreadable(file, error)}`);
    throw error;
  }
}
