import { BoundaryError } from "../../../../model/errors.ts";
import { utf8Bytes } from "../../../../model/json.ts";
import type { KnowledgeAnswer, KnowledgeHit } from "../backend.ts";
import type { PassageIndex } from "./passage-index.ts";
import { type RankedPassage, rankPassages } from "./search.ts";

interface AnswerOptions {
  readonly topK: number;
  readonly maxRawBytes: number;
  readonly paths: ReadonlySet<string> | undefined;
}

/** What a folder answers to a question: passages over the floor only. Holds no score, so that none can leak from it. */
export function answerQuestion(index: PassageIndex, question: string, options: AnswerOptions): KnowledgeAnswer {
  const ranking = rankPassages(index, question, options.paths === undefined ? {} : { paths: options.paths });
  const relevant = ranking.passages.filter((hit) => hit.level !== null);
  const chosen = withinBytes(choose(relevant, options.topK).map(hitOf), options.maxRawBytes);
  return {
    hits: chosen,
    l0_match_count: ranking.cardCount,
    l1_match_count: ranking.passageCount,
    more: relevant.length > chosen.length,
  };
}

/** The best by rank, but for those that have a place: they take the last places of others, half of all at most. */
function choose(ranked: readonly RankedPassage[], topK: number): readonly RankedPassage[] {
  const best = ranked.slice(0, topK);
  const late = ranked.slice(topK).filter((hit) => hit.guaranteed);
  const replaceable = best.filter((hit) => !hit.guaranteed).length;
  const places = Math.min(late.length, replaceable, Math.max(1, Math.floor(topK / 2)));
  const others = new Set(best.filter((hit) => !hit.guaranteed).slice(0, replaceable - places));
  return [...best.filter((hit) => hit.guaranteed || others.has(hit)), ...late.slice(0, places)];
}

function hitOf({ passage, level }: RankedPassage): KnowledgeHit {
  return {
    document_id: passage.documentId,
    title: passage.title,
    section: passage.section,
    section_id: passage.sectionId,
    rev: passage.rev,
    text: passage.text,
    relevance_level: level ?? "REFERENCE",
  };
}

/** Leaves out the last hits rather than answer with more than may be read. */
function withinBytes(hits: readonly KnowledgeHit[], maxBytes: number): readonly KnowledgeHit[] {
  const envelope = 256;
  let left = maxBytes - envelope;
  const fitting: KnowledgeHit[] = [];
  for (const hit of hits) {
    left -= utf8Bytes(JSON.stringify(hit)) + 1;
    if (left < 0) break;
    fitting.push(hit);
  }
  // an empty answer would say that there is nothing
  if (hits.length > 0 && fitting.length === 0) throw new BoundaryError("RAW_TOO_LARGE");
  return fitting;
}
