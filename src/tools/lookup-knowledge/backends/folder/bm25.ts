const K1 = 1.2;
const B = 0.75;
const MIN_COLLECTION = 500;

/** A term in a heading counts as often as this many in the body. */
export const HEADING_WEIGHT = 3;

/** Rarer terms tell more. Never negative, so that a common term cannot count against a passage. */
export function inverseFrequency(passageCount: number, containing: number): number {
  return Math.log(1 + (passageCount - containing + 0.5) / (containing + 0.5));
}

/**
 * What a term counts for in coverage. A small collection cannot tell a rare word from a common one, so it is taken for a part
 * of a larger one; otherwise one word that it does not know would outweigh all that it does.
 */
export function coverageWeight(passageCount: number, containing: number): number {
  return inverseFrequency(Math.max(passageCount, MIN_COLLECTION), containing);
}

/** BM25 of one term in one passage; FTS5 uses the same formula and constants. */
export function termScore(inverse: number, frequency: number, relativeLength: number): number {
  return (inverse * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * relativeLength));
}
