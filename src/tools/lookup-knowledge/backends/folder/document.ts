import { parse } from "yaml";
import { revOf, sectionIdOf } from "../../identity.ts";
import type { DocumentCard, DocumentEntry, Passage } from "./passage-index.ts";
import { type Section, splitMarkdown, splitPlainText } from "./split.ts";

const FRONT_MATTER = /^---[ \t]*\n/;
const FRONT_MATTER_END = /^(?:---|\.\.\.)[ \t]*$/m;
const MAX_FRONT_MATTER = 16_384;

/** A document that has been read but not yet named. */
export interface ReadDocument {
  readonly declaredId: string | null;
  readonly card: DocumentCard;
  readonly sections: readonly Section[];
  /** The front matter is no YAML mapping; it was kept as text. */
  readonly brokenFrontMatter: boolean;
}

export interface DocumentSource {
  readonly text: string;
  /** Stands in where the document has no title of its own. */
  readonly fallbackTitle: string;
  readonly format: "markdown" | "text";
}

/** Reads front matter and splits the rest. Broken front matter is text like any other: nothing of a file is lost. */
export function readDocument(source: DocumentSource): ReadDocument {
  const text = source.text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const front = source.format === "markdown" ? cutFrontMatter(text) : null;
  const fields = front === null ? {} : parseFields(front.yaml);
  const body = front === null || fields === null ? text : front.body;
  const sections = source.format === "markdown" ? splitMarkdown(body) : splitPlainText(body);
  const known = fields ?? {};
  return {
    declaredId: strings(known["id"])[0] ?? null,
    card: {
      title:
        strings(known["title"])[0] ?? sections.find(({ path }) => path.length > 0)?.path[0] ?? source.fallbackTitle,
      aliases: strings(known["aliases"]),
      symptoms: strings(known["symptoms"]),
      errorCodes: strings(known["error_codes"]),
      services: strings(known["services"]),
      language: strings(known["language"])[0] ?? null,
    },
    sections,
    brokenFrontMatter: fields === null,
  };
}

/** The passages of a document under the name it is cited by. */
export function passagesOf(documentId: string, { card, sections }: ReadDocument): Passage[] {
  const seen = new Map<string, number>();
  const own = cardSection(card);
  const all = own === null ? sections : [own, ...sections];
  return all.map(({ path, text }, ordinal) => {
    const rev = revOf(text);
    const duplicate = seen.get(sectionIdOf(documentId, path, 0) + rev) ?? 0;
    seen.set(sectionIdOf(documentId, path, 0) + rev, duplicate + 1);
    const shown = path[0] === card.title ? path.slice(1) : path;
    return {
      documentId,
      title: card.title,
      section: shown.join(" > "),
      sectionId: sectionIdOf(documentId, path, duplicate),
      rev,
      text,
      ordinal,
      fromCard: own !== null && ordinal === 0,
    };
  });
}

/** Assembles what an index stores. */
export function documentEntry(
  file: Pick<DocumentEntry, "path" | "stamp" | "documentId">,
  read: ReadDocument,
): DocumentEntry {
  const { declaredId, card, brokenFrontMatter } = read;
  return { ...file, declaredId, card, brokenFrontMatter, passages: passagesOf(file.documentId, read) };
}

/** What only the front matter says can be found and cited as well. */
function cardSection(card: DocumentCard): Section | null {
  const lines = [
    ["Symptoms", card.symptoms],
    ["Error codes", card.errorCodes],
    ["Also known as", card.aliases],
  ] as const;
  const text = lines
    .flatMap(([name, values]) => (values.length === 0 ? [] : [`${name}: ${values.join("; ")}`]))
    .join("\n");
  return text === "" ? null : { path: [], text };
}

function cutFrontMatter(text: string): { readonly yaml: string; readonly body: string } | null {
  const start = FRONT_MATTER.exec(text)?.[0].length;
  if (start === undefined) return null;
  const rest = text.slice(start, start + MAX_FRONT_MATTER);
  const end = FRONT_MATTER_END.exec(rest);
  if (end === null) return null;
  return { yaml: rest.slice(0, end.index), body: text.slice(start + end.index + end[0].length) };
}

function parseFields(yaml: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = parse(yaml, { maxAliasCount: 10, logLevel: "error" });
    if (value === null || value === undefined) return {};
    return typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** A scalar or a list of scalars, as trimmed texts. */
function strings(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list
    .filter((entry) => typeof entry === "string" || typeof entry === "number")
    .map((entry) => String(entry).trim())
    .filter((entry) => entry !== "");
}
