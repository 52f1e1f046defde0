import { setTimeout } from "node:timers/promises";
import { BoundaryError } from "../../../../model/errors.ts";
import { type FileProblem, type FoundFile, listFolder, readFileText } from "./corpus.ts";
import { documentEntry, type ReadDocument, readDocument } from "./document.ts";
import type { DocumentEntry, PassageIndex, StoredDocument } from "./passage-index.ts";

const MAX_NAMED_PROBLEMS = 100;
const RETRY_MS = 100;
const MAX_ATTEMPTS = 100;

/** What became of the files of a folder. */
export interface IndexReport {
  readonly documents: number;
  readonly passages: number;
  /** Files read again because they are new or changed, and files that are gone. */
  readonly updated: number;
  readonly removed: number;
  /** How many files have each problem. */
  readonly problemCounts: Readonly<Partial<Record<FileProblem, number>>>;
  /** The first of them by name. */
  readonly problems: readonly { readonly path: string; readonly problem: FileProblem }[];
}

interface Problem {
  readonly path: string;
  readonly problem: FileProblem;
}

type Stored = ReadonlyMap<string, StoredDocument>;

/** Keeps an index equal to a folder, reading only what has changed. */
export class FolderIndex {
  readonly #folder: string;
  readonly #index: PassageIndex;
  /** Stamps of files that hold no document, with the reason: what has not changed needs no second look. */
  readonly #refused = new Map<string, { readonly stamp: string; readonly problem: FileProblem }>();

  constructor(folder: string, index: PassageIndex) {
    this.#folder = folder;
    this.#index = index;
  }

  /** Brings the index up to date in one step: whoever searches meanwhile finds the old one, whole. */
  async refresh(): Promise<IndexReport> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const report = await this.#attempt();
      if (report !== "busy") return report;
      // the other process is likely doing the same work: look again when it may be done
      await setTimeout(RETRY_MS);
    }
    throw new BoundaryError("BACKEND_UNAVAILABLE", "index_file", "Another process keeps the index locked.");
  }

  async #attempt(): Promise<IndexReport | "busy"> {
    const listing = await listFolder(this.#folder);
    const stored: Stored = new Map(this.#index.documents().map((document) => [document.path, document]));
    const changed = new Map<string, ReadDocument>();
    const problems: Problem[] = [...listing.problems];
    const present: FoundFile[] = [];
    for (const file of listing.files) {
      const problem = await this.#look(file, stored, changed);
      if (problem === null) present.push(file);
      else problems.push({ path: file.path, problem });
    }
    const names = nameDocuments(present, stored, changed);
    const put = await entriesOf(present, names.ids, stored, changed);
    const remove = [...stored.keys()].filter((path) => !names.ids.has(path));
    if (put.length + remove.length > 0 && this.#index.apply({ put, remove }) === "busy") return "busy";
    return this.#report([...problems, ...names.problems], put.length, remove.length);
  }

  /** Reads a file unless it is known already. What is new goes to `changed`; a file that is no document has a problem. */
  async #look(file: FoundFile, stored: Stored, changed: Map<string, ReadDocument>): Promise<FileProblem | null> {
    if (stored.get(file.path)?.stamp === file.stamp) return null;
    const refused = this.#refused.get(file.path);
    if (refused?.stamp === file.stamp) return refused.problem;
    const read = await readFile(file);
    if (typeof read === "object") {
      this.#refused.delete(file.path);
      changed.set(file.path, read);
      return null;
    }
    this.#refused.set(file.path, { stamp: file.stamp, problem: read });
    return read;
  }

  #report(problems: readonly Problem[], updated: number, removed: number): IndexReport {
    const broken = this.#index.documents().filter((document) => document.brokenFrontMatter);
    const all = [...problems, ...broken.map(({ path }): Problem => ({ path, problem: "broken_front_matter" }))];
    const problemCounts: Partial<Record<FileProblem, number>> = {};
    for (const { problem } of all) problemCounts[problem] = (problemCounts[problem] ?? 0) + 1;
    return { ...this.#index.stats(), updated, removed, problemCounts, problems: all.slice(0, MAX_NAMED_PROBLEMS) };
  }
}

async function readFile(file: FoundFile): Promise<ReadDocument | FileProblem> {
  const content = await readFileText(file);
  if (typeof content === "string") return content;
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  return readDocument({ ...content, fallbackTitle: name.replace(/\.[^.]*$/, "") });
}

/** Entries for what changed, and for what is called otherwise now because another file came or went. */
async function entriesOf(
  files: readonly FoundFile[],
  ids: ReadonlyMap<string, string>,
  stored: Stored,
  changed: ReadonlyMap<string, ReadDocument>,
): Promise<DocumentEntry[]> {
  const entries: DocumentEntry[] = [];
  for (const file of files) {
    const documentId = ids.get(file.path) ?? file.path;
    if (!changed.has(file.path) && stored.get(file.path)?.documentId === documentId) continue;
    const read = changed.get(file.path) ?? (await readFile(file));
    if (typeof read === "object") entries.push(documentEntry({ path: file.path, stamp: file.stamp, documentId }, read));
  }
  return entries;
}

/** A declared id belongs to the first file that claims it; any other file is called by its path. */
function nameDocuments(
  files: readonly FoundFile[],
  stored: Stored,
  changed: ReadonlyMap<string, ReadDocument>,
): { readonly ids: ReadonlyMap<string, string>; readonly problems: readonly Problem[] } {
  const taken = new Set(files.map(({ path }) => path));
  const ids = new Map<string, string>();
  const problems: Problem[] = [];
  for (const { path } of files) {
    const declared = (changed.get(path) ?? stored.get(path))?.declaredId ?? path;
    const free = declared === path || !taken.has(declared);
    if (!free) problems.push({ path, problem: "duplicate_id" });
    taken.add(declared);
    ids.set(path, free ? declared : path);
  }
  return { ids, problems };
}
