/** A suggestion is a courtesy: it must not cost more than what it is about. */
const MOST_CANDIDATES = 100;

/** `; did you mean x?` for the candidate that differs by the fewest edits, or nothing when none is close. */
export function nearest(word: string, candidates: readonly string[]): string {
  const most = Math.max(1, Math.ceil(word.length / 3));
  const ranked = candidates
    .slice(0, MOST_CANDIDATES)
    .filter((candidate) => Math.abs(candidate.length - word.length) <= most)
    .map((candidate) => ({ candidate, edits: edits(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits: count }) => count <= most)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0] === undefined ? "" : `; did you mean ${ranked[0].candidate}?`;
}

/** Levenshtein distance of two short words. */
function edits(a: string, b: string): number {
  if (a.length > 80 || b.length > 80) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
