import { BoundaryError } from "../../../../model/errors.ts";
import type { KnowledgeAnswer, KnowledgeBackend, KnowledgeFilters, SearchOptions } from "../backend.ts";
import type { FolderIndex, IndexReport } from "./folder-index.ts";
import type { DocumentCard, PassageIndex } from "./passage-index.ts";

/** How long a look at the folder is good for, in milliseconds. */
const FRESH_MS = 5_000;

export interface FolderKnowledgeOptions {
  /** Folder of Markdown and text files. */
  readonly folder: string;
  /** Name that the model and the scope know it by. */
  readonly collection: string;
  /** SQLite file that keeps the index between runs and for several processes. Without it the index lives in memory. */
  readonly indexFile?: string;
}

/** A folder of documents as a searchable collection. */
export interface FolderKnowledge extends KnowledgeBackend {
  /** Looks at the folder now and says what became of its files. */
  refresh(): Promise<IndexReport>;
}

interface Opened {
  readonly index: PassageIndex;
  readonly folder: FolderIndex;
}

/** Searches a folder of Markdown and text. Nothing is read before the first search; the caller closes it. */
export function folderKnowledge(options: FolderKnowledgeOptions): FolderKnowledge {
  return new FolderBackend(options);
}

class FolderBackend implements FolderKnowledge {
  readonly collection: string;
  readonly #options: FolderKnowledgeOptions;
  #opened: Promise<Opened> | undefined;
  #refreshing: Promise<IndexReport> | undefined;
  #freshUntil = 0;

  constructor(options: FolderKnowledgeOptions) {
    this.collection = options.collection;
    this.#options = options;
  }

  async refresh(): Promise<IndexReport> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return await this.#refreshing;
  }

  async search(query: string, options: SearchOptions): Promise<KnowledgeAnswer> {
    try {
      return await this.#search(query, options);
    } catch (error) {
      if (BoundaryError.is(error) || options.signal.aborted) throw error;
      // a database's or file system's own words stay here
      throw new BoundaryError("BACKEND_ERROR");
    }
  }

  async close(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
    const opened = await this.#opened?.catch(() => undefined);
    opened?.index.close();
    this.#opened = undefined;
    this.#freshUntil = 0;
  }

  async #search(query: string, { topK, filters, signal, maxRawBytes }: SearchOptions): Promise<KnowledgeAnswer> {
    if (performance.now() >= this.#freshUntil) await this.refresh();
    const { index } = await this.#open();
    signal.throwIfAborted();
    const { answerQuestion } = await import("./answer.ts");
    return answerQuestion(index, query, { topK, maxRawBytes, paths: pathsFor(index, filters) });
  }

  async #refresh(): Promise<IndexReport> {
    const { folder } = await this.#open();
    const report = await folder.refresh();
    this.#freshUntil = performance.now() + FRESH_MS;
    return report;
  }

  #open(): Promise<Opened> {
    this.#opened ??= openFolder(this.#options).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}

/** Parsers and databases are loaded here, so that a harness without a folder never loads them. */
async function openFolder({ folder, collection, indexFile }: FolderKnowledgeOptions): Promise<Opened> {
  const { FolderIndex } = await import("./folder-index.ts");
  const index = await openIndex(collection, indexFile);
  return { index, folder: new FolderIndex(folder, index) };
}

async function openIndex(collection: string, file: string | undefined): Promise<PassageIndex> {
  if (file === undefined) return new (await import("./memory-index.ts")).MemoryIndex();
  const { openSqliteIndex } = await import("./sqlite-index.ts");
  return await openSqliteIndex(file, collection);
}

/** Undefined when nothing is filtered. A document that does not declare a field is not among those asked for. */
function pathsFor(index: PassageIndex, filters: KnowledgeFilters): ReadonlySet<string> | undefined {
  if (Object.values(filters).every((value) => value === undefined)) return undefined;
  const same = (a: string | null, b: string | undefined): boolean => b === undefined || fold(a ?? "") === fold(b);
  const has = (values: DocumentCard["services"], wanted: string | undefined): boolean =>
    wanted === undefined || values.some((value) => same(value, wanted));
  const fits = index.documents().filter(({ card, documentId }) => {
    const declared = has(card.services, filters.service) && has(card.errorCodes, filters.error_code);
    return declared && same(card.language, filters.language) && (filters.document_id ?? documentId) === documentId;
  });
  return new Set(fits.map(({ path }) => path));
}

function fold(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase();
}
