import type { RelevanceLevel } from "../../../../model/evidence.ts";
import { levelOfCoverage, lifted } from "../../relevance.ts";
import { type Tokens, tokenizeQuery, unspacedShare } from "../../text/tokens.ts";
import { coverageWeight, inverseFrequency, termScore } from "./bm25.ts";
import { cardsNamed, type NamedCards } from "./cards.ts";
import type { Matches, Passage, PassageIndex } from "./passage-index.ts";

/** Passages that are looked at closely; more hold no answer that these do not. */
const CANDIDATES = 100;
/** A card is short and full of the right words, but the passages below it say more. */
const CARD_DISCOUNT = 0.5;
const MAX_TERMS = 256;
/** Named documents none of whose passages holds a word of the question; an answer has no room for more. */
const MAX_SILENT = 10;
/** A passage that holds all of a question counts this much more than its terms alone. */
const COVERAGE_BONUS = 0.5;

export interface RankedPassage {
  readonly path: string;
  readonly passage: Passage;
  /** Null below the relevance floor. */
  readonly level: RelevanceLevel | null;
  /** Whether it is the best passage of a document that the question names. */
  readonly named: boolean;
  /** Whether it must not be left out for want of room: the question names its document by more than a service. */
  readonly guaranteed: boolean;
}

export interface RankingOptions {
  /** Only passages of these documents, by path. */
  readonly paths?: ReadonlySet<string>;
  /** Passages to look at closely; a hundred when left out. */
  readonly candidates?: number;
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

interface Question {
  /** The question's words first, then whole identifiers, which rank but are not counted as covered again. */
  readonly terms: readonly string[];
  /** Per term: whether coverage counts it. */
  readonly counted: readonly boolean[];
  readonly unspacedShare: number;
}

/** Ranks passages for a question: BM25 and coverage find them, a document card that is named lifts its best passage by one level. */
export function rankPassages(index: PassageIndex, text: string, options: RankingOptions = {}): Ranking {
  const { paths, candidates: limit = CANDIDATES } = options;
  const tokens = tokenizeQuery(text);
  const cards = cardsNamed(index, tokens.words);
  const question = questionOf(tokens, cards.context);
  const matches = index.match(question.terms, paths === undefined ? { limit } : { limit, paths });
  const scored = scoreAll(matches, question);
  const named = namedDocuments(cards, scored, paths);
  return {
    passages: liftNamed(index, scored, named).sort(byScore),
    cardCount: named.size,
    passageCount: scored.filter((hit) => hit.level !== null).length,
  };
}

/**
 * Documents with a phrase in the question, and those whose card holds what was asked though not in the same words; for each,
 * whether that is certain enough to keep a place for it.
 */
function namedDocuments(
  { certain }: NamedCards,
  scored: readonly Scored[],
  paths: ReadonlySet<string> | undefined,
): ReadonlyMap<string, boolean> {
  const named = new Map([...certain].filter(([path]) => paths?.has(path) ?? true));
  for (const { path, passage, level } of scored) {
    const described = passage.fromCard && (level === "HIGH" || level === "MEDIUM");
    if (described) named.set(path, named.get(path) === true || level === "HIGH");
  }
  return named;
}

function questionOf({ words, all }: Tokens, context: ReadonlySet<string>): Question {
  const terms = [...new Set([...words, ...all])].slice(0, MAX_TERMS);
  const known = new Set(words);
  const topical = terms.some((term) => known.has(term) && !context.has(term));
  const counted = terms.map((term) => known.has(term) && !(topical && context.has(term)));
  return { terms, counted, unspacedShare: unspacedShare(words) };
}

function scoreAll({ passageCount, averageLength, containing, candidates }: Matches, question: Question): Scored[] {
  const inverse = containing.map((count) => inverseFrequency(passageCount, count));
  const counts = (i: number): boolean =>
    question.counted[i] === true && !isForeignNumber(question.terms[i], containing[i]);
  const weights = containing.map((count, i) => (counts(i) ? coverageWeight(passageCount, count) : 0));
  const total = sum(weights);
  return candidates.map(({ path, passage, frequencies, length }) => {
    const held = sum(weights.map((weight, i) => ((frequencies[i] ?? 0) > 0 ? weight : 0)));
    const coverage = total === 0 ? 0 : held / total;
    const terms = frequencies.map((frequency, i) => termScore(inverse[i] ?? 0, frequency, length / averageLength));
    return {
      path,
      passage,
      level: levelOfCoverage(coverage, question.unspacedShare),
      named: false,
      guaranteed: false,
      score: sum(terms) * (1 + COVERAGE_BONUS * coverage) * (passage.fromCard ? CARD_DISCOUNT : 1),
    };
  });
}

/** A time, a count or an id of the incident: no passage is less close to the topic for not holding it. */
function isForeignNumber(term: string | undefined, containing: number | undefined): boolean {
  return containing === 0 && term !== undefined && /^\p{N}/u.test(term);
}

function liftNamed(index: PassageIndex, scored: readonly Scored[], named: ReadonlyMap<string, boolean>): Scored[] {
  const best = new Map<string, Scored>();
  for (const hit of scored) {
    const better = (best.get(hit.path)?.score ?? -1) < hit.score;
    if (named.has(hit.path) && !hit.passage.fromCard && better) best.set(hit.path, hit);
  }
  const silent = [...named.keys()].filter((path) => !best.has(path)).slice(0, MAX_SILENT);
  const added = silent.flatMap((path): Scored[] => {
    const passage = index.firstPassage(path);
    return passage === null
      ? []
      : [{ path, passage, level: lifted(null), named: true, guaranteed: named.get(path) === true, score: 0 }];
  });
  const raised = scored.map((hit) =>
    best.get(hit.path) === hit
      ? { ...hit, level: lifted(hit.level), named: true, guaranteed: named.get(hit.path) === true }
      : hit,
  );
  return [...raised, ...added];
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.passage.ordinal - b.passage.ordinal);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
