import { HEADING_WEIGHT } from "./bm25.ts";

/** Part of the stored format: a change of the tokens, the splitter or the tables raises it, and the index is built anew. */
export const FORMAT = "1";

/**
 * `passage` keeps the tokens beside the text, because FTS5 needs them again to delete a row and ranking to count them.
 * Tokens hold letters, digits and the joints of identifiers; the `ascii` tokenizer leaves them as they are.
 */
export const CREATE_TABLES = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS document (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    stamp TEXT NOT NULL,
    document_id TEXT NOT NULL,
    declared_id TEXT,
    broken_front_matter INTEGER NOT NULL,
    card TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS passage (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES document (id),
    ordinal INTEGER NOT NULL,
    from_card INTEGER NOT NULL,
    length INTEGER NOT NULL,
    section_id TEXT NOT NULL,
    rev TEXT NOT NULL,
    section TEXT NOT NULL,
    text TEXT NOT NULL,
    heading_tokens TEXT NOT NULL,
    body_tokens TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS passage_document ON passage (document, ordinal);
  CREATE TABLE IF NOT EXISTS card_key (first_token TEXT NOT NULL, document INTEGER NOT NULL, kind TEXT NOT NULL, phrase TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS card_key_token ON card_key (first_token);
  CREATE INDEX IF NOT EXISTS card_key_document ON card_key (document);
  CREATE VIRTUAL TABLE IF NOT EXISTS passage_search USING fts5 (
    heading_tokens, body_tokens, content = 'passage', content_rowid = 'id', tokenize = "ascii tokenchars '-_.:/'"
  );
  CREATE VIRTUAL TABLE IF NOT EXISTS passage_term USING fts5vocab (passage_search, 'row');
`;

export const DROP_TABLES = `
  DROP TABLE IF EXISTS passage_term;
  DROP TABLE IF EXISTS passage_search;
  DROP TABLE IF EXISTS card_key;
  DROP TABLE IF EXISTS passage;
  DROP TABLE IF EXISTS document;
  DROP TABLE IF EXISTS meta;
`;

const CANDIDATE_COLUMNS = `d.path, d.document_id, d.card, p.ordinal, p.from_card, p.length, p.section_id, p.rev, p.section, p.text,
    p.heading_tokens, p.body_tokens`;

// ranked before it is joined: only the best rows are read
const matching = (condition: string): string => `
  SELECT ${CANDIDATE_COLUMNS}
  FROM (
    SELECT rowid AS id, bm25(passage_search, ${HEADING_WEIGHT}.0, 1.0) AS rank
    FROM passage_search WHERE passage_search MATCH ? ${condition} ORDER BY 2 LIMIT ?
  ) AS hit JOIN passage p ON p.id = hit.id JOIN document d ON d.id = p.document
  ORDER BY hit.rank, d.path, p.ordinal`;

/** The statements of the index. */
export type StatementName =
  | "readMeta"
  | "writeMeta"
  | "documents"
  | "documentId"
  | "insertDocument"
  | "deleteDocument"
  | "insertPassage"
  | "insertTokens"
  | "deleteTokens"
  | "deletePassages"
  | "insertKey"
  | "deleteKeys"
  | "keys"
  | "totals"
  | "countDocuments"
  | "containing"
  | "match"
  | "matchWithin"
  | "firstPassage";

export const STATEMENTS: Readonly<Record<StatementName, string>> = {
  readMeta: "SELECT value FROM meta WHERE name = ?",
  writeMeta: "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  documents: "SELECT path, stamp, document_id, declared_id, broken_front_matter, card FROM document ORDER BY path",
  documentId: "SELECT id FROM document WHERE path = ?",
  insertDocument: `INSERT INTO document (path, stamp, document_id, declared_id, broken_front_matter, card)
    VALUES (?, ?, ?, ?, ?, ?)`,
  deleteDocument: "DELETE FROM document WHERE id = ?",
  insertPassage: `INSERT INTO passage
    (document, ordinal, from_card, length, section_id, rev, section, text, heading_tokens, body_tokens)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  insertTokens: "INSERT INTO passage_search (rowid, heading_tokens, body_tokens) VALUES (?, ?, ?)",
  deleteTokens: `INSERT INTO passage_search (passage_search, rowid, heading_tokens, body_tokens)
    SELECT 'delete', id, heading_tokens, body_tokens FROM passage WHERE document = ?`,
  deletePassages: "DELETE FROM passage WHERE document = ?",
  insertKey: "INSERT INTO card_key (first_token, document, kind, phrase) VALUES (?, ?, ?, ?)",
  deleteKeys: "DELETE FROM card_key WHERE document = ?",
  keys: `SELECT d.path, k.kind, k.phrase FROM card_key k JOIN document d ON d.id = k.document
    WHERE k.first_token IN (SELECT value FROM json_each(?))`,
  totals: "SELECT count(*) AS passages, coalesce(sum(length), 0) AS length FROM passage",
  countDocuments: "SELECT count(*) AS documents FROM document",
  containing: "SELECT doc FROM passage_term WHERE term = ?",
  match: matching(""),
  matchWithin: matching(`AND rowid IN (
    SELECT p.id FROM passage p JOIN document d ON d.id = p.document WHERE d.path IN (SELECT value FROM json_each(?)))`),
  firstPassage: `SELECT ${CANDIDATE_COLUMNS} FROM passage p JOIN document d ON d.id = p.document
    WHERE d.path = ? AND p.from_card = 0 ORDER BY p.ordinal LIMIT 1`,
};
