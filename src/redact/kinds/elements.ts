import { indexWithin, lastIndexWithin } from "../chars.ts";
import type { KeyClass } from "../keys.ts";
import { isNoValue, isSecretValue } from "../plausible.ts";
import type { ScanText } from "../scan-text.ts";
import { LONE_COOKIE } from "./headers.ts";
import { scanIdentifierValue } from "./identifier-values.ts";

const ELEMENT = /<([A-Za-z_\u4e00-\u9fff][\w.:\u4e00-\u9fff-]{0,80})(?:\s[^<>]{0,512})?>\s{0,64}(<!\[CDATA\[)?/y;

/** A `<` was met: `<password>…</password>` with any prefix and attributes. */
export function scanElement(scan: ScanText, at: number): void {
  ELEMENT.lastIndex = at;
  const open = ELEMENT.exec(scan.text);
  if (open === null || open[0].includes("/>")) return;
  const name = (open[1] as string).replace(/^.*:/, "");
  const from = at + open[0].length;
  const found = scan.keys.classOf(name);
  if (found?.role === "name" || name.toLowerCase() === "key") rememberElement(scan, from);
  else if (found === null || found.role === "value")
    scanNamedElement(scan, from, open[2] !== undefined, found !== null);
  else if (found.role === "identifier")
    scanIdentifierValue(scan, found.kind, from, { key: name, quote: "", separator: "=" });
  else scanContent(scan, from, contentEnd(scan.text, from, open[2] !== undefined), found);
}

function scanContent(scan: ScanText, from: number, end: number, found: KeyClass): void {
  if (end <= from || scan.text.startsWith("[[", from) || !isElementEnd(scan.text, end)) return;
  const content = scan.text.slice(from, end);
  const secret = found.role === "cookie" ? LONE_COOKIE : found;
  if (secret.role === "authorization" && !isNoValue(content)) scan.add(from, end, "header");
  if (secret.role !== "secret" || !isSecretValue(secret, content, { separator: "=", quoted: true, after: "" })) return;
  scan.add(from, end, secret.kind);
}

/** A closing tag, or the end of a text that was cut. */
const isElementEnd = (text: string, end: number): boolean =>
  end === text.length || /^\s*(?:<\/|\]\]>)/.test(text.slice(end, end + 80));

/** Content without a closing tag counts right behind another tag when the text ends with it. */
function cutEnd(text: string, from: number): number {
  const isXml = text[lastIndexWithin(text, "<", from, 700) - 1] === ">";
  return isXml && /^\S{1,4096}$/.test(text.slice(from, from + 4097)) ? text.length : -1;
}

function contentEnd(text: string, from: number, cdata: boolean): number {
  let end = indexWithin(text, cdata ? "]]>" : "<", from, 8192);
  if (end < 0) return cutEnd(text, from);
  while (end > from && /\s/.test(text[end - 1] as string)) end--;
  return end;
}

function rememberElement(scan: ScanText, from: number): void {
  const end = contentEnd(scan.text, from, false);
  if (end - from < 1 || end - from > 80) return;
  const found = scan.keys.classOf(scan.text.slice(from, end));
  scan.named = found?.role === "secret" ? { found, end } : null;
}

/** `<param-name>password</param-name><param-value>…</param-value>`, plist's `<key>password</key><string>…</string>`. */
function scanNamedElement(scan: ScanText, from: number, cdata: boolean, isValue: boolean): void {
  const named = scan.named;
  if (named === null || named.found.role !== "secret" || from - named.end > 96 || from < named.end) return;
  if (!isValue && !/<string>\s*$/.test(scan.text.slice(Math.max(0, from - 12), from))) return;
  scan.named = null;
  const end = contentEnd(scan.text, from, cdata);
  if (end <= from) return;
  const content = scan.text.slice(from, end);
  if (isSecretValue(named.found, content, { separator: "=", quoted: true, after: "" }))
    scan.add(from, end, named.found.kind);
}
