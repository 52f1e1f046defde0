import { tokenize } from "../../text/tokens.ts";
import { HEADING_WEIGHT, inverseFrequency, termScore } from "./bm25.ts";
import { cardKeys } from "./cards.ts";
import {
  type Candidate,
  type CardKey,
  type DocumentEntry,
  headingText,
  type IndexChanges,
  type Matches,
  type MatchOptions,
  type Passage,
  type PassageIndex,
  type StoredDocument,
} from "./passage-index.ts";

interface Entry {
  readonly path: string;
  readonly passage: Passage;
  readonly length: number;
}

interface Held {
  readonly document: StoredDocument;
  readonly keys: readonly CardKey[];
  readonly entries: readonly Entry[];
}

/** BM25 over postings in memory: nothing to install, nothing on disk, gone with the process. */
export class MemoryIndex implements PassageIndex {
  readonly #documents = new Map<string, Held>();
  /** Term to passages with its weighted frequency. */
  readonly #postings = new Map<string, Map<Entry, number>>();
  /** First token of a phrase to documents. */
  readonly #cards = new Map<string, Map<Held, CardKey[]>>();
  #passageCount = 0;
  #totalLength = 0;

  documents(): readonly StoredDocument[] {
    return [...this.#documents.values()].map((held) => held.document);
  }

  apply(changes: IndexChanges): "applied" {
    for (const path of changes.remove) this.#remove(path);
    for (const document of changes.put) {
      this.#remove(document.path);
      this.#put(document);
    }
    return "applied";
  }

  match(terms: readonly string[], options: MatchOptions): Matches {
    const postings = terms.map((term) => this.#postings.get(term));
    const containing = postings.map((entries) => entries?.size ?? 0);
    const averageLength = this.#passageCount === 0 ? 1 : this.#totalLength / this.#passageCount;
    const scores = new Map<Entry, number>();
    for (const [i, entries] of postings.entries()) {
      const inverse = inverseFrequency(this.#passageCount, containing[i] ?? 0);
      for (const [entry, frequency] of entries ?? []) {
        if (options.paths !== undefined && !options.paths.has(entry.path)) continue;
        scores.set(entry, (scores.get(entry) ?? 0) + termScore(inverse, frequency, entry.length / averageLength));
      }
    }
    const best = [...scores].sort((a, b) => b[1] - a[1] || compare(a[0], b[0])).slice(0, options.limit);
    const candidates = best.map(
      ([entry]): Candidate => ({ ...entry, frequencies: postings.map((entries) => entries?.get(entry) ?? 0) }),
    );
    return { passageCount: this.#passageCount, averageLength, containing, candidates };
  }

  cardsByFirstToken(tokens: readonly string[]): readonly { readonly path: string; readonly key: CardKey }[] {
    return tokens.flatMap((token) =>
      [...(this.#cards.get(token) ?? [])].flatMap(([held, keys]) =>
        keys.map((key) => ({ path: held.document.path, key })),
      ),
    );
  }

  firstPassage(path: string): Passage | null {
    return this.#documents.get(path)?.entries.find((entry) => !entry.passage.fromCard)?.passage ?? null;
  }

  stats(): { readonly documents: number; readonly passages: number } {
    return { documents: this.#documents.size, passages: this.#passageCount };
  }

  close(): void {
    this.#documents.clear();
    this.#postings.clear();
    this.#cards.clear();
  }

  #put({ passages, ...document }: DocumentEntry): void {
    const entries = passages.map((passage): Entry => {
      const frequencies = termFrequencies(passage);
      const entry = { path: document.path, passage, length: frequencies.length };
      for (const [term, frequency] of frequencies.byTerm) emplace(this.#postings, term).set(entry, frequency);
      this.#totalLength += entry.length;
      return entry;
    });
    this.#passageCount += entries.length;
    const held = { document, keys: cardKeys(document.card), entries };
    for (const key of held.keys) {
      const byDocument = emplace(this.#cards, firstToken(key));
      byDocument.set(held, [...(byDocument.get(held) ?? []), key]);
    }
    this.#documents.set(document.path, held);
  }

  #remove(path: string): void {
    const held = this.#documents.get(path);
    if (held === undefined) return;
    for (const entry of held.entries) {
      for (const term of termFrequencies(entry.passage).byTerm.keys()) withdraw(this.#postings, term, entry);
      this.#totalLength -= entry.length;
    }
    for (const key of held.keys) withdraw(this.#cards, firstToken(key), held);
    this.#passageCount -= held.entries.length;
    this.#documents.delete(path);
  }
}

/** How often each term stands in a passage; a heading's counts more. `length` is in tokens. */
function termFrequencies(passage: Passage): { readonly byTerm: ReadonlyMap<string, number>; readonly length: number } {
  const heading = tokenize(headingText(passage)).all;
  const body = tokenize(passage.text).all;
  const byTerm = new Map<string, number>();
  for (const term of heading) byTerm.set(term, (byTerm.get(term) ?? 0) + HEADING_WEIGHT);
  for (const term of body) byTerm.set(term, (byTerm.get(term) ?? 0) + 1);
  return { byTerm, length: heading.length + body.length };
}

function firstToken(key: CardKey): string {
  return key.phrase.split(" ", 1)[0] ?? "";
}

function compare(a: Entry, b: Entry): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.passage.ordinal - b.passage.ordinal;
}

function emplace<K, T>(map: Map<string, Map<K, T>>, key: string): Map<K, T> {
  const found = map.get(key) ?? new Map<K, T>();
  map.set(key, found);
  return found;
}

function withdraw<K, T>(map: Map<string, Map<K, T>>, key: string, member: K): void {
  const members = map.get(key);
  members?.delete(member);
  if (members?.size === 0) map.delete(key);
}
