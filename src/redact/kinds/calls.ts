import { isWord, skipBlanks } from "../chars.ts";
import type { SecretClass } from "../keys.ts";
import { isNoValue, isProse, isRandom, isSecretValue } from "../plausible.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue, type Value } from "../values.ts";
import { keyStart } from "./key-reader.ts";

const CLOSING = /^["'`]?\s?[)\]}）】]/;
/** A call that sets what it is given, or a name alone: `setPassword("x")`, `.password("x")`, `Password("x")`. */
const SETTER =
  /^(?:(?:set|with|using)_?)?(?:pass|passwd|pwd|password|passphrase|passcode|pin|secret|token|credentials?)$/i;

/** A bracket opens right behind a name: `password(x)`, `.withToken("x")`, `Password[x]`, `password（x）`. */
export function scanCall(scan: ScanText, at: number): void {
  const { text } = scan;
  const end = text[at - 1] === " " ? at - 1 : at;
  if (!isWord(text.charCodeAt(end - 1))) return;
  const start = keyStart(text, end);
  const found = scan.keys.classOf(text.slice(start, end));
  if (found?.role !== "secret" || found.strength === "random") return;
  const value = readValue(text, skipBlanks(text, at + 1, 4), PLAIN);
  if (value === null || value.start > at + 8) return;
  const close = closing(text, value);
  const content = text.slice(value.start, close);
  if (!CLOSING.test(text.slice(close, close + 3)) || !isArgument(scan, found, content)) return;
  const isSet = end === at && value.quote !== "" && SETTER.test(text.slice(start, end).replace(/^.*\./, ""));
  if (isMadeUp(content) || (isSet && isPlainSecret(found, content))) scan.add(value.start, close, found.kind);
}

/** A bare value ends with the bracket, whatever follows that. */
function closing(text: string, { start, end, quote }: Value): number {
  if (quote !== "") return end;
  const bracket = text.slice(start, end).search(/[()[\]{}（）【】]/);
  return bracket < 0 ? end : start + bracket;
}

/** A file and a line, as frames of a trace name them. */
const FRAME = /^[\w$-]{1,80}\.[a-z]{1,6}(?::\d{1,7})*$/;

/** Neither the name of a key, nor a word of code, nor prose. */
function isArgument(scan: ScanText, found: SecretClass, content: string): boolean {
  if (FRAME.test(content) || isNoValue(content) || isProse(content) || scan.keys.classOf(content) !== null)
    return false;
  return isSecretValue(found, content, { separator: "=", quoted: true, after: "" });
}

/** Letters with digits or signs in a mix that no name of code has. */
const isMadeUp = (content: string): boolean =>
  isRandom(content) || (/^(?=.*[A-Za-z])(?=.*\d)[\w!@#$%^&*+?~-]{6,}$/.test(content) && /[!@#$%^&*+?~]/.test(content));

/** What a builder is given as a literal: one word in small letters or one with digits; a label begins with a capital. */
const isPlainSecret = (found: SecretClass, content: string): boolean =>
  found.strength === "any" && /^\S{4,}$/.test(content) && (/\d/.test(content) || /^[a-z]+$/.test(content));
