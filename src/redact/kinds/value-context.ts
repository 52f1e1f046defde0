import { lineEnd, lineStart } from "../chars.ts";
import type { ValueContext } from "../values.ts";
import type { Key } from "./key-reader.ts";

/** What surrounds the value of the key whose separator stands at `at`. */
export function valueContext(text: string, key: Key, at: number): ValueContext {
  const before = text[key.start - 1] ?? "\n";
  const separator = text[at] ?? "";
  const query = (before === "?" || before === "&") && separator === "=";
  const connection = separator === "=" && !query && inConnection(text, key, at);
  return {
    query,
    connection,
    wholeLine: separator === "=" && !connection && isSettingLine(text, key, at),
    acrossLines: key.quote !== "",
  };
}

/** `Key=Value;Key=Value`: a `;` right before the key, or one before the next pair on the line. */
function inConnection(text: string, key: Key, at: number): boolean {
  if (/[A-Za-z ]=[^;\n]{0,200};$/.test(text.slice(Math.max(0, key.start - 240), key.start))) return true;
  const rest = text.slice(at + 1, Math.min(lineEnd(text, at), at + 300));
  const next = /^[^;="'\n]{0,200};\s?(?:[A-Za-z][\w ]{1,40}=|["')\]}]|$)/.exec(rest)?.[0];
  if (next === undefined) return false;
  return /;\s?[A-Za-z][\w ]{1,40}=$/.test(next) || /;\s?$/.test(text.slice(Math.max(0, key.start - 2), key.start));
}

/** An environment list item or a line of a settings file: `- NAME=value with blanks`. */
function isSettingLine(text: string, key: Key, at: number): boolean {
  const start = lineStart(text, key.start, 120);
  const lead = text.slice(start, key.start);
  if (/^\s*-\s+["']?$/.test(lead)) return !/["']$/.test(lead);
  if (!/^\s*(?:export\s+|set\s+)?$/.test(lead)) return false;
  const rest = text.slice(at + 1, lineEnd(text, at));
  if (/=|: |[,;)]\s*$/.test(rest) || rest.length > 200) return false;
  return isSettingNeighbour(text, start - 1, -1) || isSettingNeighbour(text, lineEnd(text, at), 1);
}

function isSettingNeighbour(text: string, edge: number, direction: 1 | -1): boolean {
  if (edge < 0 || edge >= text.length) return false;
  const line =
    direction < 0
      ? text.slice(lineStart(text, edge, 200), edge)
      : text.slice(edge, lineEnd(text, skipBreak(text, edge))).trimStart();
  return /^\s*(?:\[[\w .-]{1,40}\]|(?:export\s+|- )?[A-Za-z_][\w.-]{0,60}\s?=\s?\S{0,80})\s*$/.test(line);
}

/** Index behind the line break at `edge`. */
export function skipBreak(text: string, edge: number): number {
  let at = edge;
  while (at < text.length && at - edge < 3 && /[\r\n]/.test(text[at] as string)) at++;
  return at;
}
