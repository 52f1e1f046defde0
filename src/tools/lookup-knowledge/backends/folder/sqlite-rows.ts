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
  const heading = ` ${text(row, "heading_tokens")} `;
  const body = ` ${text(row, "body_tokens")} `;
  return {
    path: text(row, "path"),
    passage: passageOf(row),
    frequencies: terms.map((term) => HEADING_WEIGHT * countToken(heading, term) + countToken(body, term)),
    length: Number(row["length"]),
  };
}

/** How often a token stands among others, each between two spaces. */
function countToken(tokens: string, token: string): number {
  const wanted = ` ${token} `;
  let count = 0;
  // the space after one is the space before the next
  for (let at = tokens.indexOf(wanted); at >= 0; at = tokens.indexOf(wanted, at + wanted.length - 1)) count++;
  return count;
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
