import { positions, type Span, without } from "./lexicon/lexicon.ts";
import type { Direction } from "./number-match.ts";

const CLAUSE_END = /[.,;:!?。,;、\n]|\b(?:and|but|while|whereas)\b|而|但|且/g;

/** Reads for a place in the claim whether the words of its clause say up or down. The nearest word counts, one before it first. */
export function directionReader(claim: string): (at: number) => Direction {
  const text = without(claim, "notDirections");
  const words = [
    ...positions(text, "up").map((span) => ({ ...span, direction: "up" as const })),
    ...positions(text, "down").map((span) => ({ ...span, direction: "down" as const })),
  ];
  if (words.length === 0) return () => null;
  return (at) => {
    const clause = clauseAround(text, at);
    const near = words.filter(({ start, end }) => start >= clause.start && end <= clause.end);
    const before = near.filter(({ end }) => end <= at).sort((a, b) => b.end - a.end)[0];
    const after = near.filter(({ start }) => start > at).sort((a, b) => a.start - b.start)[0];
    return (before ?? after)?.direction ?? null;
  };
}

/** A full stop or comma between digits ends nothing. */
function clauseAround(text: string, at: number): Span {
  let start = 0;
  let end = text.length;
  for (const found of text.matchAll(CLAUSE_END)) {
    const within = /\d/.test(text[found.index - 1] ?? "") && /\d/.test(text[found.index + 1] ?? "");
    if (within) continue;
    if (found.index < at) start = found.index + found[0].length;
    else {
      end = found.index;
      break;
    }
  }
  return { start, end };
}
