import { z } from "zod";
import type { KnowledgeFilters } from "./backends/backend.ts";

const MAX_TOP_K = 10;
export const DEFAULT_TOP_K = 5;

/** What a model asks for. */
export interface LookupKnowledgeRequest {
  readonly query: string;
  readonly collection?: string;
  readonly top_k?: number;
  readonly filters?: KnowledgeFilters;
}

const filter = (description: string): z.ZodExactOptional<z.ZodString> =>
  z.string().min(1).max(200).describe(description).exactOptional();

export const lookupKnowledgeRequest: z.ZodType<LookupKnowledgeRequest> = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(1000)
    .describe(
      "What to look for, in the words a runbook would use: symptom, error message, error code, component. " +
        "One topic a query. Chinese, Japanese and English are searched by their words, without translation.",
    ),
  collection: z
    .string()
    .min(1)
    .max(64)
    .describe("Name of the collection; leave out for the default one.")
    .exactOptional(),
  top_k: z
    .int()
    .min(1)
    .max(MAX_TOP_K)
    .describe(`Passages wanted at most, 1 to ${MAX_TOP_K}; ${DEFAULT_TOP_K} when left out.`)
    .exactOptional(),
  filters: z
    .strictObject({
      service: filter("Only documents that declare this service."),
      error_code: filter("Only documents that declare this error code."),
      language: filter("Only documents that declare this language, such as zh or en."),
      document_id: filter("Only this document, by the document_id of an earlier answer."),
    })
    .describe("Narrows the search to documents that declare all of these. Leave out unless you are sure that they do.")
    .exactOptional(),
});
