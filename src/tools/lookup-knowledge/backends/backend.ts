/** Narrows a search to documents that declare the value. */
export interface KnowledgeFilters {
  readonly service?: string;
  readonly error_code?: string;
  readonly language?: string;
  readonly document_id?: string;
}

export interface SearchOptions {
  /** Hits wanted at most. */
  readonly topK: number;
  readonly filters: KnowledgeFilters;
  readonly signal: AbortSignal;
  /** UTF-8 bytes of the answer at most. */
  readonly maxRawBytes: number;
}

/** One searchable collection. Knows nothing of models: what it answers is raw. */
export interface KnowledgeBackend {
  readonly collection: string;
  /** Throws BoundaryError when there is no answer; an empty one means that there is nothing. */
  search(query: string, options: SearchOptions): Promise<KnowledgeAnswer>;
  close(): Promise<void>;
}

export interface KnowledgeAnswer {
  /** Best first, all of them over the relevance floor. */
  readonly hits: readonly KnowledgeHit[];
  /** Document cards that the query names. */
  readonly l0_match_count?: number;
  /** Passages over the relevance floor, returned or not. */
  readonly l1_match_count?: number;
  /** Whether passages over the floor were left out. */
  readonly more?: boolean;
}

/** A passage as a backend gives it; the projector makes up for what is missing and trusts no level that it does not know. */
export interface KnowledgeHit {
  readonly text: string;
  readonly document_id?: string;
  readonly title?: string;
  /** Headings above the passage, outermost first, joined with " > ". */
  readonly section?: string;
  /** Twelve hexadecimal digits that name the place in the document, whatever stands there. */
  readonly section_id?: string;
  /** Of the text; the projector computes its own. */
  readonly rev?: string;
  readonly relevance_level?: string;
  /** The spelling of other systems. Where both are given, the lower level holds. */
  readonly relevanceLevel?: string;
}
