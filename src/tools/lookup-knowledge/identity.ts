import { createHash } from "node:crypto";

/** White space folded, compatibility forms folded: what makes two texts the same evidence. */
export function foldText(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ").trim();
}

/** Names the text itself; eight hexadecimal digits. */
export function revOf(text: string): string {
  return sha256(foldText(text)).slice(0, 8);
}

/**
 * Names the place of a passage: its document and headings. It survives edits of the text and of everything around it.
 * `duplicate` counts passages with the same headings and the same text, which nothing else tells apart.
 */
export function sectionIdOf(documentId: string, path: readonly string[], duplicate: number): string {
  const slugs = path.map((heading) => foldText(heading).toLowerCase());
  return sha256([documentId, slugs.join("\u0001"), String(duplicate)].join("\u0000")).slice(0, 12);
}

/** The name that a citation pins: place and text. An edited passage has another one. */
export function itemIdOf(sectionId: string, rev: string): string {
  return `${sectionId}@${rev}`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
