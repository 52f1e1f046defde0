import { BoundaryError } from "../../model/errors.ts";
import type { ToolDefinition } from "../tool.ts";
import type { LogSource } from "./backends/backend.ts";
import type { LogQuery } from "./match/filter.ts";
import { queryLogsResultProjector } from "./projector.ts";
import { QUERY_LOGS_READING } from "./reading.ts";
import { type QueryLogsRequest, queryLogsRequest } from "./request.ts";
import { resolveLogs } from "./resolve.ts";
import { queryLogsResult } from "./result.ts";

export interface QueryLogsOptions {
  /** Where logs come from; a request names one when there are several. Who opened them closes them. */
  readonly sources: readonly [LogSource, ...LogSource[]];
}

/** The tool that searches logs: what happened, when, and how often. */
export function queryLogsTool(options: QueryLogsOptions): ToolDefinition<QueryLogsRequest, LogQuery> {
  const sources = new Map(options.sources.map((source) => [source.name, source]));
  if (sources.size < options.sources.length)
    throw new BoundaryError("TOOL_INVALID", "sources", "Two sources have one name.");
  return {
    name: "query_logs",
    description: describe([...sources.keys()]),
    readOnly: true,
    request: queryLogsRequest,
    result: queryLogsResult,
    resolve: (request, { now }) => resolveLogs(request, options.sources, now),
    execute: async (query, context) => await sourceOf(sources, query.source).search(query, context),
    projector: queryLogsResultProjector,
    reading: QUERY_LOGS_READING,
    aliasFields: ["service"],
  };
}

function describe(names: readonly string[]): string {
  const which = names.length === 1 ? `The source is ${names[0]}.` : `Sources: ${names.join(", ")}; name one.`;
  return (
    "Searches log events of a time window and answers with patterns (a message with <*> for its values, and how many events " +
    "have it) and with single events, sampled over the whole window so that rare ones are there too. Ask for a window around " +
    "the time in question and one service first, without keywords, to see what there is; then narrow by level, keywords or " +
    "pattern. Cite a pattern for a count and an event for what happened. No items means that no event matches in this source, " +
    `window and filter; it says nothing about other sources, services or times. ${which}`
  );
}

function sourceOf(sources: ReadonlyMap<string, LogSource>, name: string): LogSource {
  const source = sources.get(name);
  if (source === undefined) throw new BoundaryError("SOURCE_NOT_FOUND", "source");
  return source;
}
