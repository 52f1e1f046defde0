import type { RelevanceLevel } from "../../../model/evidence.ts";
import type { JsonValue } from "../../../model/json.ts";

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
  /** The answer as JSON, in the form of `KnowledgeAnswer`; throws BoundaryError when there is none. */
  search(query: string, options: SearchOptions): Promise<JsonValue>;
  close(): Promise<void>;
}

/** A passage as a backend gives it. `relevanceLevel` is read as well: other systems spell it so. */
export interface KnowledgeHit {
  readonly document_id: string;
  readonly title: string;
  /** Headings above the passage, outermost first, joined with " > ". */
  readonly section: string;
  readonly section_id: string;
  readonly rev: string;
  readonly text: string;
  readonly relevance_level: RelevanceLevel;
}

export interface KnowledgeAnswer {
  readonly hits: readonly KnowledgeHit[];
  /** Document cards that the query names. */
  readonly l0_match_count: number;
  /** Passages over the relevance floor, returned or not. */
  readonly l1_match_count: number;
  /** Whether passages over the floor were left out. */
  readonly more: boolean;
}
