const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const UNSEEN = /[\p{M}\p{Cf}\p{Cc}]/u;

/** Columns that a text takes in a terminal: Chinese characters take two, combining marks none. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

function columnsOf(character: string): number {
  if (UNSEEN.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Exactly this many columns: cut with an ellipsis, or filled up with blanks. */
export function fitColumns(text: string, columns: number): string {
  const line = text.replace(/\s+/g, " ");
  const width = displayWidth(line);
  if (width <= columns) return line + " ".repeat(columns - width);
  let kept = "";
  let used = 0;
  for (const character of line) {
    const next = columnsOf(character);
    if (used + next > columns - 1) break;
    kept += character;
    used += next;
  }
  return `${kept}…${" ".repeat(Math.max(0, columns - 1 - used))}`;
}

/** Lines of at most this many columns, broken at blanks where there are any. */
export function wrapColumns(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text
    .replace(/\s+/g, " ")
    .trim()
    .split(" ")
    .flatMap((long) => pieces(long, columns))) {
    if (line !== "" && displayWidth(line) + 1 + displayWidth(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  if (line !== "") lines.push(line);
  return lines;
}

function pieces(word: string, columns: number): string[] {
  const parts: string[] = [];
  let part = "";
  for (const character of word) {
    if (displayWidth(part) + columnsOf(character) > columns) {
      parts.push(part);
      part = "";
    }
    part += character;
  }
  return [...parts, part];
}

/** Texts side by side, one column each, with a bar between them. */
export function sideBySide(columns: readonly (readonly string[])[], widths: readonly number[]): string[] {
  const rows = Math.max(0, ...columns.map((column) => column.length));
  return Array.from({ length: rows }, (_, row) =>
    columns
      .map((column, i) => fitColumns(column[row] ?? "", widths[i] ?? 0))
      .join(" │ ")
      .trimEnd(),
  );
}

/** `812 B`, `3.1 KB`, `1.2 MB`: powers of 1,000. */
export function showBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
