/** Characters that show nothing: zero width, direction marks, soft hyphen, variation selectors, tags. */
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/gu;
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f]/g;

/** Compatibility forms folded, invisible characters gone. A wide comma keeps its gap, so that it never groups thousands. */
export function cleanText(text: string): string {
  return text
    .replace(IGNORABLE, "")
    .replace(CONTROL, " ")
    .replaceAll("，", ", ")
    .normalize("NFKC")
    .replaceAll("\u2212", "-")
    .replace(FOREIGN_DIGIT, asciiDigit);
}

/** Decimal digits of other scripts say the same as ours. They stand in runs of ten, from zero to nine. */
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

const DOUBLE_QUOTES = /[“”„‟«»〝〞＂「」『』]/g;
const SINGLE_QUOTES = /[‘’‚‛‹›´＇]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const HAN = "[\\p{Script=Han}\\u3000-\\u303f]";
const HAN_SPACE = new RegExp(`(?<=${HAN}) | (?=${HAN})`, "gu");

/** A unit may be written with a gap or without. */
const ATTACHED_UNIT = /(?<![A-Za-z0-9_.-])(\d+(?:\.\d+)?)(ms|us|μs|ns|s|min|h|d|[KMGT]i?B|[KMG]i|B|%)(?![A-Za-z0-9_])/g;

/** Text in the form in which quotes are compared: NFKC, quotes, dashes and white space of one kind; letters keep their case. */
export function comparable(text: string): string {
  const folded = text
    .replace(IGNORABLE, "")
    .replace(DOUBLE_QUOTES, '"')
    .replace(SINGLE_QUOTES, "'")
    .replace(DASHES, "-")
    .normalize("NFKC");
  return folded
    .replace(/[\s\u0000-\u001f]+/g, " ")
    .replace(/ ?([,;:!?()]) ?/g, "$1")
    .replace(ATTACHED_UNIT, "$1 $2")
    .replace(HAN_SPACE, "")
    .trim();
}

const WORD = /[\p{L}\p{N}]/u;

export function isWordCharacter(char: string | undefined): boolean {
  return char !== undefined && WORD.test(char);
}

/** Whether the name stands in the text as a whole, letters of any case. Both are expected to be clean. */
export function mentions(text: string, name: string): boolean {
  const [hay, needle] = [text.toLowerCase(), name.toLowerCase()];
  if (needle === "") return false;
  for (let at = hay.indexOf(needle); at !== -1; at = hay.indexOf(needle, at + 1)) {
    if (isNameEdge(hay, at - 1, -1) && isNameEdge(hay, at + needle.length, 1)) return true;
  }
  return false;
}

/** A Latin name ends where no letter or digit follows, not even behind a dot, dash or underscore. */
function isNameEdge(text: string, at: number, step: 1 | -1): boolean {
  const char = text[at];
  if (char === undefined || !/[a-z0-9._-]/.test(char)) return true;
  if (/[a-z0-9]/.test(char)) return false;
  return char !== "_" && !/[a-z0-9]/.test(text[at + step] ?? "");
}
