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

/** `echo … | docker login --password-stdin`: what a command that asks for a password is given. */
const INPUT = form(
  / (?:-n |'%s(?:\\n)?' )?["']?([^"'|\n]{2,127}[^"'|\s])["']? ?\| ?[^|\n]{0,120}?(?:--password-stdin|sudo -S|--passphrase-fd 0|\bkinit\b|\bchpasswd\b)/y,
);
const ANSWER = form(/\r?\n(?:C: ?|[<>] ?)?([A-Za-z0-9+/]{4,400}={0,2})(?=\r?\n|$)/y, "header");

/** By the word that leads each form in, in lower case. */
const FORMS: Readonly<Record<string, Form>> = {
  net: form(/ (?:user \S{1,64}|use (?:\S{1,200} ){1,2}\/u(?:ser)?:\S{1,64}|use \S{1,200}) ([^\s/*]\S{2,63})(?= |$)/y),
  add_user: form(/(?<=\brabbitmqctl (?:-\S{1,40} (?:[^\s-]\S{0,60} )?)?add_user) \S{1,64} (\S{3,128})/y),
  change_password: form(/(?<=\brabbitmqctl (?:-\S{1,40} (?:[^\s-]\S{0,60} )?)?change_password) \S{1,64} (\S{3,128})/y),
  htpasswd: form(/ -[a-zA-Z]{0,6}b[a-zA-Z]{0,6} (?:[^\s-]\S{0,200} )?[^\s-]\S{0,64} (\S{3,128})(?= |\n|$)/y),
  lftp: form(/ (?:-[^\su]\S{0,40} ){0,3}-u [^\s,]{1,64},(\S{3,128})(?= |\n|$)/y),
  echo: INPUT,
  printf: INPUT,
  pdo: form(/(?:->__construct)?\('[^'\n]{0,200}', '[^'\n]{0,80}', '([^'\n]{1,128})'/y),
  getconnection: form(/\("[^"\n]{1,300}", ?"[^"\n]{0,80}", ?"([^"\n]{1,128})"/y),
  mysqli_connect: form(/\(["'][^"'\n]{1,200}["'], ?["'][^"'\n]{0,80}["'], ?["']([^"'\n]{1,128})["']/y),
  // The prompts of SMTP's AUTH LOGIN: "Username:" and "Password:".
  vxnlcm5hbwu6: ANSWER,
  ugfzc3dvcmq6: ANSWER,
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
