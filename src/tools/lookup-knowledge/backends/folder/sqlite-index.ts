import { BoundaryError } from "../../../../model/errors.ts";
import {
  openDatabase,
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
} from "../../../../sqlite/sqlite.ts";
import { tokenize } from "../../text/tokens.ts";
import { cardKeys } from "./cards.ts";
import {
  CARD_KEY_KINDS,
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
import { candidateOf, documentOf, passageOf, type Row, text } from "./sqlite-rows.ts";
import { CREATE_TABLES, DROP_TABLES, FORMAT, STATEMENTS, type StatementName } from "./sqlite-schema.ts";

/** A call waits for a lock no longer than this: it would hold up the whole process. */
const BUSY_MS = 200;
const SQLITE_BUSY = 5;

/** Opens or makes an index file. One that belongs to another collection, or is no index, is refused rather than overwritten. */
export async function openSqliteIndex(file: string, collection: string): Promise<PassageIndex> {
  let database: SqliteDatabase | undefined;
  try {
    database = await openDatabase(file);
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;`);
    if (!isReady(database, collection)) inTransaction(database, "BEGIN IMMEDIATE", prepareTables(database, collection));
    return new SqliteIndex(database);
  } catch (error) {
    database?.close();
    if (BoundaryError.is(error)) throw error;
    if (isBusy(error))
      throw new BoundaryError("BACKEND_UNAVAILABLE", "index_file", "Another process is building the index.");
    throw new BoundaryError("CONFIG_INVALID", "index_file", "The file cannot be used as an index.");
  }
}

const prepareTables = (database: SqliteDatabase, collection: string) => (): void => {
  // whoever held the lock before may have done it
  if (isReady(database, collection)) return;
  database.exec(DROP_TABLES);
  database.exec(CREATE_TABLES);
  database.prepare(STATEMENTS.writeMeta).run("collection", collection);
  database.prepare(STATEMENTS.writeMeta).run("format", FORMAT);
};

/** Whether the file is an index of this format; false also when it is empty. */
function isReady(database: SqliteDatabase, collection: string): boolean {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  if (tables.length === 0) return false;
  const names = new Set(tables.map((row) => row["name"]));
  if (!names.has("meta") || !names.has("card_key")) {
    throw new BoundaryError("CONFIG_INVALID", "index_file", "The file is another database.");
  }
  const meta = (name: string): unknown => database.prepare(STATEMENTS.readMeta).get(name)?.["value"];
  if (meta("collection") !== collection) {
    throw new BoundaryError("CONFIG_INVALID", "index_file", "The file is the index of another collection.");
  }
  return meta("format") === FORMAT;
}

/** FTS5 over our own tokens. Several processes may share the file; an update is one transaction, so a crash leaves the old index. */
class SqliteIndex implements PassageIndex {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<StatementName, SqliteStatement>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  documents(): readonly StoredDocument[] {
    return this.#all("documents").map(documentOf);
  }

  apply(changes: IndexChanges): "applied" | "busy" {
    try {
      inTransaction(this.#database, "BEGIN IMMEDIATE", () => this.#change(changes));
      return "applied";
    } catch (error) {
      if (isBusy(error)) return "busy";
      throw error;
    }
  }

  #change(changes: IndexChanges): void {
    for (const path of changes.remove) this.#remove(path);
    for (const document of changes.put) {
      this.#remove(document.path);
      this.#put(document);
    }
    const totals = this.#all("totals")[0] ?? {};
    this.#run("writeMeta", "passages", String(totals["passages"] ?? 0));
    this.#run("writeMeta", "length", String(totals["length"] ?? 0));
  }

  match(terms: readonly string[], options: MatchOptions): Matches {
    // one snapshot: another process may be writing
    return inTransaction(this.#database, "BEGIN", () => this.#match(terms, options));
  }

  #match(terms: readonly string[], options: MatchOptions): Matches {
    const passageCount = this.#meta("passages");
    const containing = terms.map((term) => Number(this.#all("containing", term)[0]?.["doc"] ?? 0));
    const query = terms.map((term) => `"${term}"`).join(" OR ");
    const averageLength = passageCount === 0 ? 1 : this.#meta("length") / passageCount;
    const candidates = query === "" ? [] : this.#matching(query, options).map((row) => candidateOf(row, terms));
    return { passageCount, averageLength, containing, candidates };
  }

  cardsByFirstToken(tokens: readonly string[]): readonly { readonly path: string; readonly key: CardKey }[] {
    return this.#all("keys", JSON.stringify(tokens)).flatMap((row) => {
      const kind = CARD_KEY_KINDS.find((known) => known === row["kind"]);
      return kind === undefined ? [] : [{ path: text(row, "path"), key: { kind, phrase: text(row, "phrase") } }];
    });
  }

  firstPassage(path: string): Passage | null {
    const row = this.#all("firstPassage", path)[0];
    return row === undefined ? null : passageOf(row);
  }

  stats(): { readonly documents: number; readonly passages: number } {
    return { documents: Number(this.#all("countDocuments")[0]?.["documents"] ?? 0), passages: this.#meta("passages") };
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #matching(query: string, { limit, paths }: MatchOptions): readonly Row[] {
    return paths === undefined
      ? this.#all("match", query, limit)
      : this.#all("matchWithin", query, JSON.stringify([...paths]), limit);
  }

  #put(entry: DocumentEntry): void {
    const { path, stamp, documentId, declaredId, brokenFrontMatter, card } = entry;
    const stored = [path, stamp, documentId, declaredId, Number(brokenFrontMatter), JSON.stringify(card)] as const;
    const document = this.#run("insertDocument", ...stored);
    for (const passage of entry.passages) this.#putPassage(document, passage);
    for (const { kind, phrase } of cardKeys(card)) {
      this.#run("insertKey", phrase.split(" ", 1)[0] ?? "", document, kind, phrase);
    }
  }

  #putPassage(document: number, passage: Passage): void {
    const heading = tokenize(headingText(passage)).all;
    const body = tokenize(passage.text).all;
    const { ordinal, fromCard, sectionId, rev, section } = passage;
    const columns = [
      document,
      ordinal,
      Number(fromCard),
      heading.length + body.length,
      sectionId,
      rev,
      section,
    ] as const;
    const tokens = [heading.join(" "), body.join(" ")] as const;
    const id = this.#run("insertPassage", ...columns, passage.text, ...tokens);
    this.#run("insertTokens", id, ...tokens);
  }

  #remove(path: string): void {
    const id = this.#all("documentId", path)[0]?.["id"];
    if (typeof id !== "number") return;
    for (const statement of ["deleteTokens", "deletePassages", "deleteKeys", "deleteDocument"] as const) {
      this.#run(statement, id);
    }
  }

  #meta(name: string): number {
    return Number(this.#all("readMeta", name)[0]?.["value"] ?? 0);
  }

  #run(name: StatementName, ...values: readonly SqliteValue[]): number {
    return Number(this.#statement(name).run(...values).lastInsertRowid);
  }

  #all(name: StatementName, ...values: readonly SqliteValue[]): readonly Row[] {
    return this.#statement(name).all(...values);
  }

  #statement(name: StatementName): SqliteStatement {
    const prepared = this.#statements.get(name) ?? this.#database.prepare(STATEMENTS[name]);
    this.#statements.set(name, prepared);
    return prepared;
  }
}

function inTransaction<T>(database: SqliteDatabase, begin: "BEGIN" | "BEGIN IMMEDIATE", work: () => T): T {
  database.exec(begin);
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    try {
      database.exec("ROLLBACK");
    } catch {
      // some failures end the transaction by themselves
    }
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
