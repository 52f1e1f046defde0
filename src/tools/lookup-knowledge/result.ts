import { z } from "zod";
import type { RelevanceLevel } from "../../model/evidence.ts";

/** One passage as a model sees it. */
export interface KnowledgeItem {
  readonly item_id: string;
  readonly document_id: string;
  readonly title: string;
  readonly section: string;
  readonly text: string;
  readonly relevance_level: RelevanceLevel;
}

export interface LookupKnowledgeResult {
  readonly items: readonly KnowledgeItem[];
  readonly truncated: boolean;
  readonly relevance_level?: RelevanceLevel;
}

const level = z
  .enum(["HIGH", "MEDIUM", "REFERENCE"])
  .describe(
    "How close the passage is to the topic of the query, never whether it is true. REFERENCE is background only.",
  );

export const lookupKnowledgeResult: z.ZodType<LookupKnowledgeResult> = z.strictObject({
  items: z
    .array(
      z.strictObject({
        item_id: z.string().describe("Names this passage with this text; cite it exactly."),
        document_id: z.string(),
        title: z.string(),
        section: z.string().describe("Headings above the passage, outermost first; empty where there are none."),
        text: z.string().describe("The passage, or the part of it around the words of the query."),
        relevance_level: level,
      }),
    )
    .readonly(),
  truncated: z.boolean().describe("Whether relevant passages, or parts of those shown, were left out."),
  relevance_level: level.describe("The best level among the items; absent when there are none.").exactOptional(),
});
