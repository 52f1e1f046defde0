import { splitSentences } from "../../text/sentences.ts";

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;

/** Joins neighbours of one section while they fit together. */
export function packPieces(pieces: readonly string[], limit: number, between = "\n\n"): string[] {
  const packed: string[] = [];
  let current = "";
  for (const piece of pieces) {
    if (current === "") current = piece;
    else if (current.length + between.length + piece.length <= limit) current = `${current}${between}${piece}`;
    else {
      packed.push(current);
      current = piece;
    }
  }
  if (current !== "") packed.push(current);
  return packed;
}

/** A code block as several, each with the opening and closing line of the whole. Indented code is cut by lines alone. */
export function splitFence(raw: string, limit: number): string[] {
  const lines = raw.split("\n");
  const opening = lines[0] ?? "";
  const fence = FENCE.exec(opening)?.[0].trim();
  if (fence === undefined) return packLines(lines, limit);
  const closed = lines.length > 1 && lines.at(-1)?.trim().startsWith(fence);
  const body = lines.slice(1, closed ? -1 : undefined);
  return packLines(body, limit - opening.length - fence.length - 2).map((part) => `${opening}\n${part}\n${fence}`);
}

/** A table as several, each with the header of the whole. */
export function splitTable(raw: string, limit: number): string[] {
  const lines = raw.split("\n");
  const header = lines.slice(0, 2).join("\n");
  return packLines(lines.slice(2), limit - header.length - 1).map((part) => `${header}\n${part}`);
}

/** Prose within the limit: whole sentences together; a sentence that is too long is cut between characters. */
export function cutText(text: string, limit: number): string[] {
  if (text.length <= limit) return [text];
  const parts: string[] = [];
  let current = "";
  for (const sentence of splitSentences(text).flatMap((part) => cutHard(part, limit))) {
    if (current.length + sentence.trimEnd().length > limit) {
      parts.push(current.trimEnd());
      current = "";
    }
    current += sentence;
  }
  parts.push(current.trimEnd());
  return parts.filter((part) => part !== "");
}

function packLines(lines: readonly string[], limit: number): string[] {
  const room = Math.max(limit, 80);
  const parts: string[] = [];
  let current: string[] = [];
  let length = 0;
  for (const line of lines.flatMap((long) => cutHard(long, room))) {
    if (current.length > 0 && length + line.length + 1 > room) {
      parts.push(current.join("\n"));
      current = [];
      length = 0;
    }
    current.push(line);
    length += line.length + 1;
  }
  if (current.length > 0) parts.push(current.join("\n"));
  return parts;
}

/** Never between the two halves of a surrogate pair. */
function cutHard(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limit) {
    const space = rest.lastIndexOf(" ", limit);
    let end = space > limit / 2 ? space + 1 : limit;
    if (/[\uD800-\uDBFF]/.test(rest.charAt(end - 1))) end--;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  parts.push(rest);
  return parts;
}
