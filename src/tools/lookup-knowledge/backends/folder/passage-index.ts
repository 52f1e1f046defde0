/** A passage that can be found and cited. */
export interface Passage {
  readonly documentId: string;
  readonly title: string;
  /** Headings above it, without one that repeats the title. */
  readonly section: string;
  readonly sectionId: string;
  readonly rev: string;
  readonly text: string;
  /** Position in its document. */
  readonly ordinal: number;
  /** Made of the front matter alone; it names the document's other passages rather than answering for them. */
  readonly fromCard: boolean;
}

/** What a card can name a document by, the most telling first. */
export const CARD_KEY_KINDS = ["error_code", "alias", "symptom", "title", "service"] as const;

/** A phrase by which a question can name a document, as tokens joined with spaces. */
export interface CardKey {
  readonly kind: (typeof CARD_KEY_KINDS)[number];
  readonly phrase: string;
}

/** What a passage is found by besides its text. */
export function headingText(passage: Passage): string {
  return `${passage.title}\n${passage.section}`;
}

/** What front matter says of a document. */
export interface DocumentCard {
  readonly title: string;
  readonly aliases: readonly string[];
  readonly symptoms: readonly string[];
  readonly errorCodes: readonly string[];
  readonly services: readonly string[];
  readonly language: string | null;
}

/** One file as it is indexed. */
export interface DocumentEntry {
  /** Path within the folder; the key of replacement. */
  readonly path: string;
  /** Of the file when it was read; another one means that it may have changed. */
  readonly stamp: string;
  readonly brokenFrontMatter: boolean;
  /** `id` of the front matter, which another file may have claimed first. */
  readonly declaredId: string | null;
  readonly documentId: string;
  readonly card: DocumentCard;
  readonly passages: readonly Passage[];
}

export type StoredDocument = Omit<DocumentEntry, "passages">;

/** A passage that holds some of the terms, with what ranking needs to know of it. */
export interface Candidate {
  readonly path: string;
  readonly passage: Passage;
  /** Per term asked for: how often it stands in the passage, headings weighted. */
  readonly frequencies: readonly number[];
  /** Tokens of heading and body. */
  readonly length: number;
}

export interface Matches {
  readonly passageCount: number;
  /** Tokens a passage. */
  readonly averageLength: number;
  /** Per term asked for: how many passages hold it. */
  readonly containing: readonly number[];
  readonly candidates: readonly Candidate[];
}

export interface MatchOptions {
  readonly limit: number;
  /** Only passages of these documents, by path. */
  readonly paths?: ReadonlySet<string>;
}

export interface IndexChanges {
  readonly put: readonly DocumentEntry[];
  /** Paths. */
  readonly remove: readonly string[];
}

/** Where passages are kept and found by their tokens. All calls are synchronous: none waits for anything but a local file. */
export interface PassageIndex {
  documents(): readonly StoredDocument[];
  /** All or nothing. A path that is put again replaces what was there. `busy`: another process is writing, and nothing was changed. */
  apply(changes: IndexChanges): "applied" | "busy";
  /** The best passages by BM25 that hold at least one term; ties by path and position. */
  match(terms: readonly string[], options: MatchOptions): Matches;
  /** Documents whose card has a phrase that begins with one of the tokens. */
  cardsByFirstToken(tokens: readonly string[]): readonly { readonly path: string; readonly key: CardKey }[];
  /** The first passage of a document that is not its card. */
  firstPassage(path: string): Passage | null;
  stats(): { readonly documents: number; readonly passages: number };
  close(): void;
}
