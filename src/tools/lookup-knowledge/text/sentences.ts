const WIDE_END = new Set("。！？；…");
const NARROW_END = new Set(".!?;");
const CLOSERS = new Set("\"'”’」』）)]》】");

/** Cuts a text after its sentences, in English and in scripts with wide punctuation; joined again, the parts are the text. */
export function splitSentences(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let i = 0;
  while (i < text.length) {
    const end = sentenceEnd(text, i);
    if (end === 0) {
      i++;
      continue;
    }
    parts.push(text.slice(start, end));
    start = end;
    i = end;
  }
  if (start < text.length) parts.push(text.slice(start));
  return parts;
}

/** Where the sentence that ends at position `i` is over, white space included; 0 when none ends there. */
function sentenceEnd(text: string, i: number): number {
  const character = text.charAt(i);
  if (character === "\n") return skipSpace(text, i + 1);
  if (WIDE_END.has(character))
    return skipSpace(
      text,
      skip(text, i + 1, (c) => CLOSERS.has(c) || WIDE_END.has(c)),
    );
  if (!NARROW_END.has(character)) return 0;
  const after = skip(text, i + 1, (c) => CLOSERS.has(c));
  return after >= text.length || /\s/.test(text.charAt(after)) ? skipSpace(text, after) : 0;
}

function skipSpace(text: string, from: number): number {
  return skip(text, from, (c) => /\s/.test(c));
}

function skip(text: string, from: number, matches: (character: string) => boolean): number {
  let end = from;
  while (end < text.length && matches(text.charAt(end))) end++;
  return end;
}
