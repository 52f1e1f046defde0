import { Lexer, type Token, type Tokens } from "marked";
import { cutText, packPieces, splitFence, splitTable } from "./pieces.ts";

/** Characters of a passage at most; only a repeated table header or fence line may add to it. */
const PASSAGE_CHARACTERS = 1200;
const MAX_DEPTH = 4;

/** A passage before it has an identity: where it stands and what it says. */
export interface Section {
  /** Headings above it, outermost first. They are not part of the text. */
  readonly path: readonly string[];
  readonly text: string;
}

/** Splits Markdown into passages that never cross a heading. Every line of content is in exactly one of them. */
export function splitMarkdown(markdown: string, limit: number = PASSAGE_CHARACTERS): Section[] {
  const outline = new Outline(limit);
  for (const token of blockTokens(markdown)) {
    if (isHeading(token)) outline.open(token.depth, token.text.trim());
    else outline.add(piecesOf(token, limit, 0));
  }
  return outline.finish();
}

/** The headings that are open while a document is read, and what was gathered under the innermost. */
class Outline {
  readonly #limit: number;
  readonly #sections: Section[] = [];
  readonly #headings: { readonly depth: number; readonly title: string; filled: boolean }[] = [];
  #pieces: string[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(pieces: readonly string[]): void {
    this.#pieces.push(...pieces);
  }

  open(depth: number, title: string): void {
    this.#flush();
    this.#close(depth);
    if (title !== "") this.#headings.push({ depth, title, filled: false });
  }

  finish(): Section[] {
    this.#flush();
    this.#close(1);
    return this.#sections;
  }

  #flush(): void {
    for (const text of packPieces(this.#pieces, this.#limit)) this.#emit(text);
    this.#pieces = [];
  }

  /** A heading with nothing under it says something too: it becomes a passage of its own. */
  #close(depth: number): void {
    for (let last = this.#headings.at(-1); last !== undefined && last.depth >= depth; last = this.#headings.at(-1)) {
      if (!last.filled) this.#emit(last.title);
      this.#headings.pop();
    }
  }

  #emit(text: string): void {
    this.#sections.push({ path: this.#headings.map((heading) => heading.title), text });
    for (const heading of this.#headings) heading.filled = true;
  }
}

/** Text without markup: blank lines part paragraphs, there are no headings. */
export function splitPlainText(text: string, limit: number = PASSAGE_CHARACTERS): Section[] {
  const paragraphs = text.split(/\n(?:[ \t]*\n)+/).filter((paragraph) => paragraph.trim() !== "");
  const pieces = paragraphs.flatMap((paragraph) => cutText(paragraph.trimEnd(), limit));
  return packPieces(pieces, limit).map((packed) => ({ path: [], text: packed }));
}

function blockTokens(markdown: string): readonly Token[] {
  const source = markdown.replace(/\r\n?/g, "\n");
  try {
    return new Lexer({ gfm: true }).blockTokens(source);
  } catch (error) {
    // a text nested so deep that the lexer gives up is read as one paragraph
    if (!(error instanceof RangeError)) throw error;
    return [{ type: "paragraph", raw: source, text: source }];
  }
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

/** The parts of one block, each within the limit, in order. */
function piecesOf(token: Token, limit: number, depth: number): string[] {
  const raw = token.raw.replace(/^\n+|\s+$/g, "");
  if (raw === "" || token.type === "hr" || token.type === "space") return [];
  if (raw.length <= limit) return [raw];
  if (token.type === "code") return splitFence(raw, limit);
  if (token.type === "table") return splitTable(raw, limit);
  if (token.type === "list" && depth < MAX_DEPTH) {
    const { items, loose } = token as Tokens.List;
    const pieces = items.flatMap((item) => piecesOfItem(item, limit, depth + 1));
    return packPieces(pieces, limit, loose ? "\n\n" : "\n");
  }
  return cutText(raw, limit);
}

/** An item too large for a passage is read block by block, so that a fence inside it stays whole. */
function piecesOfItem(item: Tokens.ListItem, limit: number, depth: number): string[] {
  const raw = item.raw.trimEnd();
  if (raw.length <= limit) return [raw];
  const marker = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/.exec(raw)?.[0] ?? "";
  const pieces = item.tokens.flatMap((token) => piecesOf(token, limit, depth));
  return pieces.map((piece, i) => (i === 0 && !piece.startsWith(marker.trim()) ? `${marker}${piece}` : piece));
}
