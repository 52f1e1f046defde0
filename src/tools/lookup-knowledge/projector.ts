import { BoundaryError } from "../../model/errors.ts";
import type { AgentResult, RelevanceLevel } from "../../model/evidence.ts";
import { isJsonObject, type JsonObject, type JsonValue, utf8Bytes } from "../../model/json.ts";
import type { Redact } from "../../redact/redact.ts";
import type { Measures, ProjectionContext, Projector } from "../tool.ts";
import { foldText, itemIdOf, revOf, sectionIdOf } from "./identity.ts";
import { lowerLevel, parseLevel, rankOfLevel } from "./relevance.ts";
import type { KnowledgeItem, LookupKnowledgeResult } from "./result.ts";
import { cutEnd, excerptAround, jsonBytes } from "./text/cut.ts";
import { tokenizeQuery } from "./text/tokens.ts";

/** A lookup made absolute. */
export interface ResolvedLookup {
  readonly collection: string;
  readonly query: string;
  readonly topK: number;
  readonly filters: Readonly<Record<string, string>>;
}

const SECTION_ID = /^[0-9a-f]{12}$/;
/** A backend that gives more than this was not told how many are wanted. */
const MAX_HITS = 100;
/** JSON bytes of a title, section or document id. */
const MAX_LABEL = 300;
/** An excerpt that is shorter says too little: fewer passages are shown instead. */
const MIN_EXCERPT = 240;

/** Passages as a model may see them: named by place and text, redacted, without scores or traces, within the byte limit. */
export const ragResultProjector: Projector<ResolvedLookup> = {
  id: "lookup_knowledge.passages",
  version: "1",
  project: projectPassages,
  measure: measureAnswer,
};

function projectPassages(raw: JsonValue, resolved: ResolvedLookup, { limits, redact }: ProjectionContext): AgentResult {
  const hits = hitsOf(raw);
  const distinct = withoutRepeats(readHits(hits.slice(0, MAX_HITS)));
  const wanted = distinct.slice(0, resolved.topK);
  const shown = wanted.map((hit) => redacted(hit, redact));
  const words = new Set(tokenizeQuery(resolved.query).words);
  const fitted = fitItems(
    shown.map((item) => item.item),
    words,
    limits.maxBytes,
  );
  const more = isJsonObject(raw) && raw["more"] === true;
  const cut = fitted.cut || shown.some((item) => item.cut) || wanted.length < distinct.length || hits.length > MAX_HITS;
  return { ...assemble(fitted.items, more || cut) };
}

function measureAnswer(raw: JsonValue): Measures {
  const hits = hitsOf(raw);
  const count = (name: string): number | undefined => {
    const value = isJsonObject(raw) ? raw[name] : undefined;
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  };
  return {
    l0MatchCount: count("l0_match_count") ?? 0,
    l1MatchCount: count("l1_match_count") ?? hits.length,
    returnedCount: hits.length,
  };
}

/** Only an array that is there can be empty: anything else is a backend that was not understood, never an absence of evidence. */
function hitsOf(raw: JsonValue): readonly JsonValue[] {
  const hits = isJsonObject(raw) ? raw["hits"] : undefined;
  if (!Array.isArray(hits)) throw new BoundaryError("BACKEND_SCHEMA_ERROR");
  return hits;
}

/** A passage without text says nothing; when none has any, the backend was not understood. */
function readHits(hits: readonly JsonValue[]): readonly KnowledgeItem[] {
  const items = hits.map(readHit).filter((item) => item.text.trim() !== "");
  if (hits.length > 0 && items.length === 0) throw new BoundaryError("BACKEND_SCHEMA_ERROR");
  return items;
}

function readHit(hit: JsonValue): KnowledgeItem {
  if (!isJsonObject(hit) || typeof hit["text"] !== "string") throw new BoundaryError("BACKEND_SCHEMA_ERROR");
  const text = hit["text"];
  const label = (name: string): string => (typeof hit[name] === "string" ? hit[name] : "");
  const rev = revOf(text);
  const documentId = label("document_id") || `doc:${rev}`;
  const section = label("section");
  const given = label("section_id");
  const sectionId = SECTION_ID.test(given) ? given : sectionIdOf(documentId, [section], 0);
  return {
    item_id: itemIdOf(sectionId, rev),
    document_id: documentId,
    title: label("title") || documentId,
    section,
    text,
    relevance_level: levelOf(hit),
  };
}

/** Both spellings are read; where they disagree the lower one holds. */
function levelOf(hit: JsonObject): RelevanceLevel {
  const [snake, camel] = [hit["relevance_level"], hit["relevanceLevel"]];
  if (snake === undefined || camel === undefined) return parseLevel(snake ?? camel);
  return lowerLevel(parseLevel(snake), parseLevel(camel));
}

/** One of several hits with the same text, and the larger of two of one document when it holds the other; order is kept. */
function withoutRepeats(items: readonly KnowledgeItem[]): readonly KnowledgeItem[] {
  const kept: { item: KnowledgeItem; folded: string }[] = [];
  for (const item of items) {
    const folded = foldText(item.text);
    const repeats = kept.some(({ item: other, folded: text }) =>
      other.document_id === item.document_id ? text.includes(folded) : text === folded,
    );
    if (repeats) continue;
    const smaller = kept.findIndex(
      ({ item: other, folded: text }) => other.document_id === item.document_id && folded.includes(text),
    );
    if (smaller < 0) kept.push({ item, folded });
    else kept[smaller] = { item: withBetterLevel(item, kept[smaller]?.item), folded };
  }
  return kept.map(({ item }) => item);
}

function withBetterLevel(item: KnowledgeItem, other: KnowledgeItem | undefined): KnowledgeItem {
  const better = rankOfLevel(other?.relevance_level ?? null) > rankOfLevel(item.relevance_level);
  return better && other !== undefined ? { ...item, relevance_level: other.relevance_level } : item;
}

/** Everything a backend wrote is redacted whole, and only then cut. */
function redacted(item: KnowledgeItem, redact: Redact): { readonly item: KnowledgeItem; readonly cut: boolean } {
  const whole = {
    document_id: redact.text(item.document_id),
    title: redact.text(item.title),
    section: redact.text(item.section),
  };
  const labels = {
    document_id: cutEnd(whole.document_id, MAX_LABEL),
    title: cutEnd(whole.title, MAX_LABEL),
    section: cutEnd(whole.section, MAX_LABEL),
  };
  const cut =
    labels.document_id !== whole.document_id || labels.title !== whole.title || labels.section !== whole.section;
  return {
    item: { item_id: item.item_id, ...labels, text: redact.text(item.text), relevance_level: item.relevance_level },
    cut,
  };
}

/** As many items as fit with a readable excerpt each; room that short ones leave goes to the long ones. */
function fitItems(
  items: readonly KnowledgeItem[],
  words: ReadonlySet<string>,
  maxBytes: number,
): { readonly items: readonly KnowledgeItem[]; readonly cut: boolean } {
  if (items.length === 0) return { items, cut: false };
  for (let count = items.length; count > 0; count--) {
    const kept = items.slice(0, count);
    const empty = utf8Bytes(
      JSON.stringify(
        assemble(
          kept.map((item) => ({ ...item, text: "" })),
          false,
        ),
      ),
    );
    // "false" is the longer of the two
    const share = shareOf(
      kept.map((item) => jsonBytes(item.text)),
      maxBytes - empty,
    );
    if (share < (count > 1 ? MIN_EXCERPT : 1)) continue;
    const fitted = kept.map((item) => ({ ...item, text: excerptAround(item.text, words, share) }));
    const filled = fitted.filter((item, i) => item.text !== "" || kept[i]?.text === "");
    if (filled.length === 0) break;
    const cut = count < items.length || fitted.some((item, i) => item.text !== kept[i]?.text);
    return { items: filled, cut };
  }
  throw new BoundaryError("NOTHING_FITS");
}

/** The largest size at which all of them, cut to it, have room. */
function shareOf(sizes: readonly number[], room: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = room;
  for (const [i, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i));
    if (size > share) return share;
    left -= size;
  }
  return left < 0 ? left : Number.MAX_SAFE_INTEGER;
}

function assemble(items: readonly KnowledgeItem[], truncated: boolean): LookupKnowledgeResult & AgentResult {
  const best = [...items].sort((a, b) => rankOfLevel(b.relevance_level) - rankOfLevel(a.relevance_level))[0];
  const result = { items: items.map((item) => ({ ...item })), truncated };
  return best === undefined ? result : { ...result, relevance_level: best.relevance_level };
}
