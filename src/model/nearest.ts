/** Names further away than this share of their length are not suggested. */
const CLOSE_ENOUGH = 0.5;
const MAX_NAME_LENGTH = 64;

/** The known name that a mistyped one most likely means; null when none is close. For messages to people. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const written = name.slice(0, MAX_NAME_LENGTH).toLowerCase();
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(written, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (best === undefined || best.distance > Math.max(1, best.candidate.length * CLOSE_ENOUGH)) return null;
  return best.candidate;
}

/** Insertions, deletions and substitutions between two short names (Wagner and Fischer, 1974). */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substituted, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
