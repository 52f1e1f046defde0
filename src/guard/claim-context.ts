import type { Claim } from "../model/draft.ts";
import type { GuardCode } from "../model/verdict.ts";
import type { ResolvedCitation } from "./citation.ts";
import type { ItemView, RecordView } from "./evidence.ts";
import { type Moment, readMoments } from "./moment.ts";
import { withoutMasks } from "./placeholder-text.ts";
import { cleanText, comparable } from "./text.ts";

/** What a check found; the citation is named where one is at fault. */
export interface CheckFinding {
  readonly code: GuardCode;
  readonly citation?: ResolvedCitation;
}

/** A check of one claim against what it cites: pure, and silent when there is nothing to say. */
export type Check = (context: ClaimContext) => readonly CheckFinding[];

/** One claim with its evidence, as the checks see it. */
export class ClaimContext {
  readonly claim: Claim;
  readonly citations: readonly ResolvedCitation[];
  /** The claim's text, clean. */
  readonly text: string;
  readonly records: readonly RecordView[];
  readonly items: readonly ItemView[];
  /** Items cited, and all items of calls that are cited as a whole. */
  readonly reach: readonly ItemView[];
  #own: string | null = null;
  #times: { readonly moments: readonly Moment[]; readonly rest: string } | null = null;

  /** When the draft is checked, in milliseconds since the epoch: what `yesterday` counts from. */
  readonly now: number;

  constructor(claim: Claim, citations: readonly ResolvedCitation[], now: number) {
    this.claim = claim;
    this.now = now;
    this.citations = citations;
    this.text = cleanText(claim.text);
    this.records = [...new Set(citations.map(({ view }) => view))];
    this.items = [...new Set(citations.flatMap(({ item }) => item ?? []))];
    this.reach = [...new Set(citations.flatMap(({ item, view }) => item ?? view.items))];
  }

  /** The claim's own words: its text without the spans in quotation marks that stand word for word in a cited item. */
  get own(): string {
    this.#own ??= withoutVerbatimSpans(this.text, this.reach);
    return this.#own;
  }

  get times(): { readonly moments: readonly Moment[]; readonly rest: string } {
    this.#times ??= readMoments(this.text);
    return this.#times;
  }

  /** Whether every cited record is general knowledge. */
  get onlyKnowledge(): boolean {
    return this.records.length > 0 && this.records.every(({ reading }) => reading.role === "knowledge");
  }
}

const QUOTED =
  /"([^"\n]{2,2000})"|“([^”\n]{2,2000})”|「([^」\n]{2,2000})」|『([^』\n]{2,2000})』|`([^`\n]{2,2000})`|‘([^’\n]{2,2000})’|(?<![\w])'([^'\n]{2,2000})'(?!\w)/g;

function withoutVerbatimSpans(text: string, items: readonly ItemView[]): string {
  return text.replace(QUOTED, (found, ...groups: readonly unknown[]) => {
    const inside = groups.slice(0, 7).find((group): group is string => typeof group === "string") ?? "";
    const says = withoutMasks(inside).replace(/[^\p{L}\p{N}]/gu, "");
    const span = comparable(inside);
    const verbatim = items.some((item) => item.comparable.some((hay) => hay.includes(span)));
    return verbatim && says.length >= 4 ? " ".repeat(found.length) : found;
  });
}
