import type { CharacterSet } from "./pattern-syntax.ts";

export function contains(set: CharacterSet, code: number): boolean {
  return set.ranges.some(([low, high]) => code >= low && code <= high) !== set.negated;
}

/** What ends a value; a secret with such a character in it may be told from others, which says nothing of the rest. */
const ENDS_VALUES = new Set([..." \t\n\r\v\f\u00a0\"'`,;&)]}"].map((sign) => sign.charCodeAt(0)));
/** Whether a set takes all characters that a value is likely to hold. */
export const takesAny = ({ ranges, negated }: CharacterSet): boolean =>
  negated && ranges.every(([low, high]) => isSpaceRange(low, high) || (low === high && ENDS_VALUES.has(low)));
const isSpaceRange = (low: number, high: number): boolean =>
  (low >= 9 && high <= 13) || (low >= 0x2000 && high <= 0x200a) || (low === 0x3000 && high === low);
