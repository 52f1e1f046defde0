export type Words = readonly string[];

/** Lines of entries, each a regular expression, with a comma and a space between them. */
export function words(...lines: readonly string[]): Words {
  return lines.flatMap((line) => line.split(", "));
}

/** The words of one language that decide checks. Lists, not understanding: other wordings slip through, hence the typed fields of a claim. */
export interface Lexicon {
  readonly negators: Words;
  /** A claim about everything, or about a sum. */
  readonly totals: Words;
  /** Phrases that hold such a word and mean something else. */
  readonly notTotals: Words;
  readonly timeUniversals: Words;
  /** Stretches of time without an end or without a beginning on the clock. */
  readonly openSpans: Words;
  readonly subjectUniversals: Words;
  /** Conclusions that no absence of a line can carry. */
  readonly eliminations: Words;
  /** That something is not there, as against that it was not found. */
  readonly existence: Words;
  readonly retrieval: Words;
  /** Names of everything a log may report. */
  readonly generic: Words;
  /** Words that bind such a name to what was asked. */
  readonly scoped: Words;
  readonly up: Words;
  readonly down: Words;
  readonly notDirections: Words;
  readonly levels: Readonly<Record<string, Words>>;
}
