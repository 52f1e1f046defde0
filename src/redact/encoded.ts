/** A text with its escapes resolved, and where each of its characters stood. */
export interface DecodedView {
  readonly text: string;
  /** `places[i]` is the source offset of character i; one more entry for the end. */
  readonly places: Uint32Array;
}

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  amp: "&",
  lt: "<",
  gt: ">",
  apos: "'",
  nbsp: " ",
  equals: "=",
  colon: ":",
};
const ESCAPE =
  /\\{1,32}u([0-9a-fA-F]{4})|\\{1,32}x([0-9a-fA-F]{2})|&(?:#(\d{2,6})|#[xX]([0-9a-fA-F]{2,5})|(quot|amp|lt|gt|apos|nbsp|equals|colon));|((?:%[0-9a-fA-F]{2}){1,256})/g;

/** Resolves Unicode, hexadecimal, HTML and percent escapes of one line; null when there are none. */
export function decodeEscapes(text: string): DecodedView | null {
  const pieces: string[] = [];
  const places: number[] = [];
  let from = 0;
  for (const match of text.matchAll(ESCAPE)) {
    copy(text, from, match.index, pieces, places);
    from = match.index + match[0].length;
    if (match[6] === undefined) put(single(match), match.index, match[0].length, pieces, places);
    else percent(match[6], match.index, pieces, places);
  }
  if (from === 0) return null;
  copy(text, from, text.length, pieces, places);
  places.push(text.length);
  return { text: pieces.join(""), places: Uint32Array.from(places) };
}

export function copy(text: string, from: number, to: number, pieces: string[], places: number[]): void {
  pieces.push(text.slice(from, to));
  for (let at = from; at < to; at++) places.push(at);
}

function put(decoded: string, at: number, _length: number, pieces: string[], places: number[]): void {
  pieces.push(decoded);
  for (let index = 0; index < decoded.length; index++) places.push(at);
}

function single(match: RegExpExecArray): string {
  const [, unicode, hex, decimal, hexEntity, named] = match;
  if (named !== undefined) return ENTITIES[named] as string;
  const code = decimal === undefined ? Number.parseInt((unicode ?? hex ?? hexEntity) as string, 16) : Number(decimal);
  return code > 0xffff ? "\ufffd" : String.fromCharCode(code);
}

/** A run of `%XX`: UTF-8 bytes, each character at the place of its first byte. Bytes that are no UTF-8 stay as written. */
function percent(run: string, at: number, pieces: string[], places: number[]): void {
  const bytes = Buffer.from(run.replaceAll("%", ""), "hex");
  let index = 0;
  while (index < bytes.length) {
    const width = utf8Width(bytes[index] as number);
    const decoded = bytes.subarray(index, index + width).toString("utf8");
    const good = !decoded.includes("\ufffd") && index + width <= bytes.length;
    const taken = good ? width : 1;
    const piece = good ? decoded : run.slice(index * 3, index * 3 + 3);
    pieces.push(piece);
    for (let unit = 0; unit < piece.length; unit++) places.push(at + index * 3 + (good ? 0 : unit));
    index += taken;
  }
}

const utf8Width = (lead: number): number => (lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);

/** The view of a view: places point into the first text. */
export function compose(outer: DecodedView, inner: DecodedView): DecodedView {
  return { text: inner.text, places: inner.places.map((place) => outer.places[place] as number) };
}

const MIN_RUN = 16;
const MAX_RUN = 65_536;
const PRINTABLE = /^[\t\n\r\x20-\x7e\u00a0-\uffff]*$/;

/** What a base64 (or URL-safe base64) run says, when it is text; null for bytes and for words that only look like it. */
export function decodeBase64Text(run: string): string | null {
  if (run.length < MIN_RUN || run.length > MAX_RUN || run.length % 4 === 1) return null;
  const head = Buffer.from(run.slice(0, 24), "base64");
  for (const byte of head)
    if ((byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09 && byte !== 0) || byte === 0x7f || byte > 0xf4)
      return null;
  const decoded = Buffer.from(run, "base64").toString("utf8").replaceAll("\0", " ");
  return PRINTABLE.test(decoded) && !decoded.includes("\ufffd") ? decoded : null;
}

/** What a run of hexadecimal digits says, when it is text. */
export function decodeHexText(run: string): string | null {
  if (run.length < MIN_RUN || run.length > MAX_RUN || run.length % 2 === 1) return null;
  const bytes = Buffer.from(run, "hex");
  for (const byte of bytes.subarray(0, 16)) if (byte < 0x20 || byte > 0x7e) return null;
  const decoded = bytes.toString("utf8");
  return PRINTABLE.test(decoded) && !decoded.includes("\ufffd") ? decoded : null;
}
