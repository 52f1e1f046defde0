import { HEADING_WEIGHT } from "./bm25.ts";
import type { Candidate, DocumentCard, Passage, StoredDocument } from "./passage-index.ts";

/** A row of one of the index's own statements. */
export type Row = Readonly<Record<string, unknown>>;

export function documentOf(row: Row): StoredDocument {
  return {
    path: text(row, "path"),
    stamp: text(row, "stamp"),
    documentId: text(row, "document_id"),
    declaredId: row["declared_id"] === null ? null : text(row, "declared_id"),
    brokenFrontMatter: row["broken_front_matter"] === 1,
    card: cardOf(row),
  };
}

export function candidateOf(row: Row, terms: readonly string[]): Candidate {
  const counts = new Map<string, number>();
  const count = (column: string, weight: number): void => {
    for (const token of text(row, column).split(" ")) counts.set(token, (counts.get(token) ?? 0) + weight);
  };
  count("heading_tokens", HEADING_WEIGHT);
  count("body_tokens", 1);
  return {
    path: text(row, "path"),
    passage: passageOf(row),
    frequencies: terms.map((term) => counts.get(term) ?? 0),
    length: Number(row["length"]),
  };
}

export function passageOf(row: Row): Passage {
  return {
    documentId: text(row, "document_id"),
    title: cardOf(row).title,
    section: text(row, "section"),
    sectionId: text(row, "section_id"),
    rev: text(row, "rev"),
    text: text(row, "text"),
    ordinal: Number(row["ordinal"]),
    fromCard: row["from_card"] === 1,
  };
}

/** Written by the index alone, so its form is known. */
function cardOf(row: Row): DocumentCard {
  return JSON.parse(text(row, "card")) as DocumentCard;
}

export function text(row: Row, column: string): string {
  return String(row[column] ?? "");
}
