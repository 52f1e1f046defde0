import type { SecretClass } from "../keys.ts";
import { isNoValue, isProse, isRandom } from "../plausible.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue } from "../values.ts";

/** A word with letters and digits, as stated passwords are. */
export const PLAIN_SECRET: RegExp = /^(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])\S{6,}$/;
/** Dates, versions with or without an epoch, and paths. */
export const NO_SECRET: RegExp = /^\d{4}-\d\d|^\d:\d|^[\w.-]+\/[\w./-]+$|^v?\d+(?:\.\d+)+/;

const FAR =
  / (?:for|of|on|to|in|at|from|that|which|I|we|you|he|she|they) (?:[A-Za-z][\w.@-]{0,30} ){0,6}?(?:is|was)(?: now| still| set to)?:? (?=\S)/y;
const CHANGED = /(?: was| is| has been)?(?: changed)? from (["'`]?)([^\s"'`]{4,64})\1 to (?=\S)/y;
const USED_AS =
  /\b(?:use|using|try|enter|take) ["'`]?([^\s"'`]{4,64})["'`]? (?:as|for) (?:(?:the|your|my|our|a|an|its|his|her) )?(?:[A-Za-z-]{1,20} ){0,3}$/i;
const IS_THE = /(?:^|[\s"'`])([^\s"'`]{4,64})["'`]? is (?:the|your|my|our) (?:[\w-]{1,20} ){0,3}$/i;

/** The noun of a secret stands between `start` and `end`: the secret is stated elsewhere in the sentence. */
export function scanSentence(scan: ScanText, start: number, end: number, found: SecretClass): void {
  scanFar(scan, end, found);
  scanChanged(scan, end, found);
  if (CLAUSE_END.test(scan.text.slice(end, end + 8))) scanBefore(scan, start, found);
}

/** The noun is the last word of what is said: `MySQL8 is the password store` speaks about something else. */
const CLAUSE_END = /^["'`]?(?:[.,;:!?)]|\s*$|\r?\n| (?:for|of|to|on|until|and|in|at|now)\b)/;

/** `the password for the staging database is …`, `the token I used was …`. */
function scanFar(scan: ScanText, end: number, found: SecretClass): void {
  FAR.lastIndex = end;
  if (!FAR.test(scan.text)) return;
  const value = readValue(scan.text, FAR.lastIndex, PLAIN);
  if (value === null) return;
  const content = scan.text.slice(value.start, value.end);
  if (isStated(found, content) || (value.quote !== "" && isQuotedPhrase(found, content)))
    scan.add(value.start, value.end, found.kind);
}

/** `the password was changed from … to …`. */
function scanChanged(scan: ScanText, end: number, found: SecretClass): void {
  CHANGED.lastIndex = end;
  const changed = CHANGED.exec(scan.text);
  const value = changed === null ? null : readValue(scan.text, CHANGED.lastIndex, PLAIN);
  if (changed === null || value === null) return;
  const old = changed[2] as string;
  if (!isStated(found, old) || !isStated(found, scan.text.slice(value.start, value.end))) return;
  const at = end + changed[0].lastIndexOf(old);
  scan.add(at, at + old.length, found.kind);
  scan.add(value.start, value.end, found.kind);
}

/** `use … as the root password`, `… is your one-time code`. */
function scanBefore(scan: ScanText, start: number, found: SecretClass): void {
  const from = Math.max(0, start - 140);
  const before = scan.text.slice(from, start);
  const isUsed = before.includes(" as ") || before.includes(" for ");
  if (!isUsed && !before.includes(" is ")) return;
  const stated = (isUsed ? USED_AS.exec(before) : null) ?? IS_THE.exec(before);
  if (stated === null) return;
  const content = stated[1] as string;
  const at = from + stated.index + stated[0].indexOf(content);
  if (isStated(found, content)) scan.add(at, at + content.length, found.kind);
}

/** Whether a word of a sentence is the secret that the sentence is about. */
function isStated(found: SecretClass, content: string): boolean {
  if (isNoValue(content) || isProse(content) || NO_SECRET.test(content) || /[=<>(){}[\]]/.test(content)) return false;
  if (found.kind === "otp") return /^(?:G-)?\d{4,8}$/.test(content);
  return isRandom(content) || (found.strength === "any" && PLAIN_SECRET.test(content));
}

/** A quoted passphrase of several words, none of which speaks about it. */
export const isQuotedPhrase = (found: SecretClass, content: string): boolean =>
  found.strength === "any" && /^\S{2,40}(?: \S{1,40}){1,7}$/.test(content) && !content.split(" ").some(isProse);
