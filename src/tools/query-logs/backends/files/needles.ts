import { compileFilter, fold, type LogQuery } from "../../match/filter.ts";
import type { Block } from "./blocks.ts";

/** Says whether an event among some lines can match; never no when one does. */
export type LinesTest = (raw: string, decode: Block["decode"]) => boolean;

/** Spelled the same in JSON and in plain text. */
const PLAIN_NEEDLE = /^[a-z0-9_.-]+$/;
const NOT_PLAIN = /[^\t\n\r\u0020-\u007e]/;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** A test by the words of a query, cheap enough for every byte of a file; null when the query has none. */
export function linesTest(query: LogQuery): LinesTest | null {
  const { needles } = compileFilter(query);
  if (needles.length === 0) return null;
  const plain = needles.every((needle) => PLAIN_NEEDLE.test(needle));
  return (raw, decode) => {
    // Terminal codes and NULs may split a word, and escapes may spell it otherwise: such lines are read.
    if (!plain && raw.includes("\\")) return true;
    const special = NOT_PLAIN.test(raw);
    if (special && CONTROL.test(raw)) return true;
    const text = special ? fold(decode(raw)) : raw.toLowerCase();
    return needles.every((needle) => text.includes(needle));
  };
}
