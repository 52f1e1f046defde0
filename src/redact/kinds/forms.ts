import { isNoValue, isProse } from "../plausible.ts";
import type { SecretKind } from "../policy.ts";
import type { ScanText } from "../scan-text.ts";

/** A fixed form of a command, protocol or address; the first group is the secret. */
interface Form {
  /** Matched where the word ends. */
  readonly pattern: RegExp;
  readonly kind: SecretKind;
}

const form = (pattern: RegExp, kind: SecretKind = "pw"): Form => ({ pattern, kind });
const LINK = form(
  /(?:[-_]?(?:password|pwd|token|email))?(?:\/(?:confirm|token|verify|complete|accept))?\/((?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Za-z])[\w.~-]{16,200})(?![\w-])/y,
  "tkn",
);

/** By the word that leads each form in, in lower case. */
const FORMS: Readonly<Record<string, Form>> = {
  net: form(/ (?:user \S{1,64}|use \S{1,200}) ([^\s/*]\S{2,63})(?= |$)/y),
  securestring: form(/ (?:-String )?["']([^"'\n]{1,200})["']/y),
  using: form(/(?<=USER \S{1,40} USING) ([^\s;]{3,64})/y),
  setuser: form(/ \S{1,40}(?: [^\s>]\S{0,60}){0,6} >(\S{3,200})/y),
  pass: form(/(?<=(?:^|\n|> ?|C: ?|USER \S{1,40}\r?\n)PASS) (\S{3,128})(?=\r?\n|$)/y),
  com2sec: form(/ \S{1,40} \S{1,60} (\S{3,64})/y),
  reset: LINK,
  invite: LINK,
  activate: LINK,
  activation: LINK,
  verify: LINK,
  confirm: LINK,
  magic: LINK,
  recover: LINK,
};

export const FORM_WORDS: ReadonlySet<string> = new Set(Object.keys(FORMS));

/** One of `FORM_WORDS` ends at `end`. */
export function scanForm(scan: ScanText, start: number, end: number, word: string): void {
  const { pattern, kind } = FORMS[word] as Form;
  if (kind === "tkn" && !/[/-]/.test(scan.text[start - 1] ?? "")) return;
  pattern.lastIndex = end;
  const found = pattern.exec(scan.text);
  const secret = found?.[1];
  if (found === null || secret === undefined || isNoValue(secret) || isProse(secret)) return;
  const at = end + found[0].lastIndexOf(secret);
  scan.add(at, at + secret.length, kind);
}
