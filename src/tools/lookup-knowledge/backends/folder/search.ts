import type { RelevanceLevel } from "../../../../model/evidence.ts";
import { levelOfCoverage, lifted } from "../../relevance.ts";
import { tokenizeQuery, unspacedShare } from "../../text/tokens.ts";
import { inverseFrequency, termScore } from "./bm25.ts";
import { cardsNamed } from "./cards.ts";
import type { Candidate, Matches, Passage, PassageIndex } from "./passage-index.ts";

/** Passages that are looked at closely; more hold no answer that these do not. */
const CANDIDATES = 100;
const MAX_TERMS = 128;
/** A passage that holds all of a question counts this much more than its terms alone. */
const COVERAGE_BONUS = 0.5;

export interface RankedPassage {
  readonly path: string;
  readonly passage: Passage;
  /** Null below the relevance floor. */
  readonly level: RelevanceLevel | null;
  /** Whether the question names its document and it is the document's best passage. */
  readonly named: boolean;
}

export interface Ranking {
  /** Best first, by rank alone: those below the floor stand where they rank. */
  readonly passages: readonly RankedPassage[];
  /** Document cards that the question names. */
  readonly cardCount: number;
  /** Passages over the floor by their own words. */
  readonly passageCount: number;
}

interface Scored extends RankedPassage {
  readonly score: number;
}

/** Ranks passages for a question: BM25 and coverage find them, a document card that is named lifts its best passage by one level. */
export function rankPassages(index: PassageIndex, question: string, paths?: ReadonlySet<string>): Ranking {
  const tokens = tokenizeQuery(question);
  const terms = [...new Set([...tokens.words, ...tokens.all])].slice(0, MAX_TERMS);
  const wordCount = Math.min(new Set(tokens.words).size, MAX_TERMS);
  const options = paths === undefined ? { limit: CANDIDATES } : { limit: CANDIDATES, paths };
  const matches = index.match(terms, options);
  const scored = scoreAll(matches, wordCount, unspacedShare(tokens.words));
  const named = [...cardsNamed(index, tokens.words)].filter((path) => paths?.has(path) ?? true);
  const passages = liftNamed(index, scored, named);
  return {
    passages: passages.sort(byScore),
    cardCount: named.length,
    passageCount: scored.filter((hit) => hit.level !== null).length,
  };
}

/** The first `wordCount` terms are the question's words; the rest, whole identifiers, rank but do not count as covered. */
function scoreAll(matches: Matches, wordCount: number, share: number): Scored[] {
  const inverse = matches.containing.map((containing) => inverseFrequency(matches.passageCount, containing));
  const total = sum(inverse.slice(0, wordCount));
  const score = ({ frequencies, length }: Candidate): number =>
    sum(frequencies.map((frequency, i) => termScore(inverse[i] ?? 0, frequency, length / matches.averageLength)));
  return matches.candidates.map((candidate) => {
    const held = candidate.frequencies
      .slice(0, wordCount)
      .map((frequency, i) => (frequency > 0 ? (inverse[i] ?? 0) : 0));
    const coverage = total === 0 ? 0 : sum(held) / total;
    return {
      path: candidate.path,
      passage: candidate.passage,
      level: levelOfCoverage(coverage, share),
      named: false,
      score: score(candidate) * (1 + COVERAGE_BONUS * coverage),
    };
  });
}

function liftNamed(index: PassageIndex, scored: readonly Scored[], named: readonly string[]): Scored[] {
  const lift = new Map<Scored, Scored>();
  const added: Scored[] = [];
  for (const path of named) {
    const best = bestOf(scored.filter((hit) => hit.path === path));
    const first = best === undefined ? index.firstPassage(path) : null;
    if (best !== undefined) lift.set(best, { ...best, level: lifted(best.level), named: true });
    else if (first !== null) added.push({ path, passage: first, level: lifted(null), named: true, score: 0 });
  }
  return [...scored.map((hit) => lift.get(hit) ?? hit), ...added];
}

/** A card's own passage only where the document has nothing else: it names the topic, the others speak of it. */
function bestOf(hits: readonly Scored[]): Scored | undefined {
  const better = (a: Scored, b: Scored): number =>
    Number(a.passage.fromCard) - Number(b.passage.fromCard) || b.score - a.score;
  return [...hits].sort(better)[0];
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.passage.ordinal - b.passage.ordinal);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
