import { BoundaryError } from "../../model/errors.ts";
import { type JsonObject, stableJson } from "../../model/json.ts";
import type { Resolved, ToolDefinition } from "../tool.ts";
import type { KnowledgeBackend } from "./backends/backend.ts";
import { type ResolvedLookup, ragResultProjector } from "./projector.ts";
import { LOOKUP_KNOWLEDGE_READING } from "./reading.ts";
import { DEFAULT_TOP_K, type LookupKnowledgeRequest, lookupKnowledgeRequest } from "./request.ts";
import { lookupKnowledgeResult } from "./result.ts";
import { questionTopics } from "./text/tokens.ts";

export interface LookupKnowledgeOptions {
  /** One per collection; the first is searched when a request names none. Who opened them closes them. */
  readonly backends: readonly KnowledgeBackend[];
}

/** The tool that searches documents: runbooks, incident reports, manuals. What it finds is background, never proof of what happened. */
export function lookupKnowledgeTool(
  options: LookupKnowledgeOptions,
): ToolDefinition<LookupKnowledgeRequest, ResolvedLookup> {
  const backends = new Map(options.backends.map((backend) => [backend.collection, backend]));
  if (backends.size < options.backends.length)
    throw new BoundaryError("TOOL_INVALID", "collection", "Two backends have one name.");
  if (backends.size === 0) throw new BoundaryError("TOOL_INVALID", "backends", "There is nothing to search.");
  const names = [...backends.keys()];
  return {
    name: "lookup_knowledge",
    description: describe(names),
    readOnly: true,
    request: lookupKnowledgeRequest,
    result: lookupKnowledgeResult,
    resolve: (request) => resolveLookup(request, names),
    execute: async ({ collection, query, topK, filters }, { signal, maxRawBytes }) =>
      await backendOf(backends, collection).search(query, { topK, filters, signal, maxRawBytes }),
    projector: ragResultProjector,
    reading: LOOKUP_KNOWLEDGE_READING,
  };
}

function describe(names: readonly string[]): string {
  return (
    "Searches runbooks, incident reports and manuals for passages on a topic. Use it to learn what a symptom or error code " +
    "can mean and what to check next; it knows nothing of the current incident, so a passage can support a hypothesis but " +
    `never prove what happened. Collections: ${names.join(", ")}; the first is the default. ` +
    "No items means that nothing in the collection is close to this query, not that nothing exists."
  );
}

/** Word order, repetition and words of asking do not make another question. */
function resolveLookup(request: LookupKnowledgeRequest, names: readonly string[]): Resolved<ResolvedLookup> {
  const collection = request.collection ?? names[0] ?? "";
  if (!names.includes(collection)) throw new BoundaryError("SOURCE_NOT_FOUND", "collection");
  const query = request.query.replace(/\s+/g, " ").trim();
  const words = questionTopics(query);
  if (words.length === 0) throw new BoundaryError("REQUEST_INVALID", "query", "It has no word to search for.");
  const filters: Record<string, string> = { ...request.filters };
  const identity: JsonObject = { collection, words, filters };
  return {
    resolved: { collection, query, topK: request.top_k ?? DEFAULT_TOP_K, filters },
    scope: { collection, query, ...filters },
    identity: stableJson(identity),
  };
}

function backendOf(backends: ReadonlyMap<string, KnowledgeBackend>, collection: string): KnowledgeBackend {
  const backend = backends.get(collection);
  if (backend === undefined) throw new BoundaryError("SOURCE_NOT_FOUND", "collection");
  return backend;
}
