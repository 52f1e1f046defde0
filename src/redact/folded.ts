import { copy, type DecodedView } from "./encoded.ts";

/**
 * What may hide a name or stand for a plain character: colour codes, control characters, characters that show nothing, and
 * compatibility forms. Marks of Chinese sentences (，。：；！？（）［］｛｝＝…) are left out: they end values, which their ASCII forms do not.
 */
const MARKED =
  /\u001b\[[\d;?]{0,16}[A-Za-z]|[\u0000-\u0008\u000e-\u001f\u007f-\u2025\u2027-\u2fff\u3000\uf900-\uff00\uff02-\uff07\uff0a\uff0b\uff0d-\uff19\uff1c\uff1e\uff20-\uff3a\uff3c\uff3e-\uff5a\uff5c\uff5e-\uffff\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f1ff}\u{e0000}-\u{e0fff}]/gu;
const INVISIBLE = /^(?:\u001b.*|[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}])$/u;
const PLAIN = /^[\x20-\x7e]+$/;
/** Quick to look for: most texts hold none, and then nothing is marked. */
const BEYOND_PLAIN = /[^\t\n\r\x20-\x7e]/;

/** Whether a character is one of those marks, so that a text without others need not be looked at. */
export function isSentenceMark(code: number): boolean {
  return (
    (code > 0x3000 && code < 0x3020) ||
    (code > 0xff00 && code < 0xff20 && SENTENCE_MARKS.includes(String.fromCharCode(code)))
  );
}

const SENTENCE_MARKS = "！（），：；＝？";

/** A text as it reads: without what shows nothing, and with compatibility forms as plain characters. Null when it has neither. */
export function foldMarks(text: string): DecodedView | null {
  if (!BEYOND_PLAIN.test(text)) return null;
  const pieces: string[] = [];
  const places: number[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKED)) {
    const plain = plainOf(match[0]);
    if (plain === null) continue;
    copy(text, from, match.index, pieces, places);
    pieces.push(plain);
    for (let unit = 0; unit < plain.length; unit++) places.push(match.index);
    from = match.index + match[0].length;
  }
  if (from === 0) return null;
  copy(text, from, text.length, pieces, places);
  places.push(text.length);
  return { text: pieces.join(""), places: Uint32Array.from(places) };
}

/** What a mark stands for; empty when it shows nothing, null when it stands for itself. */
function plainOf(mark: string): string | null {
  if (INVISIBLE.test(mark)) return "";
  const plain = mark.normalize("NFKC");
  return PLAIN.test(plain) ? plain : null;
}

/** The folded text alone. */
export function folded(text: string): string {
  return foldMarks(text)?.text ?? text;
}
