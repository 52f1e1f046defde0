import { RECALL_TOOL_NAME } from "../boundary/recall.ts";
import { DRAFT_SCHEMA } from "../guard/draft-schema.ts";
import type { JsonObject } from "../model/json.ts";
import type { Tool } from "../tools/tool.ts";
import { observationJsonSchema } from "../views/observation-schema.ts";
import { requestJsonSchema, resultJsonSchema } from "./tool-schemas.ts";

export const SUBMIT_TOOL = "submit_diagnosis";

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { readonly type: "object" };
  readonly outputSchema: JsonObject & { readonly type: "object" };
  readonly annotations: { readonly readOnlyHint: boolean };
}

/** The run's tools, and the Harness's own two. */
export function listTools(tools: readonly Tool[]): readonly ListedTool[] {
  return [...tools.map(listed), RECALL, SUBMIT];
}

function listed(tool: Tool): ListedTool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: asObject(requestJsonSchema(tool)),
    outputSchema: asObject(observationJsonSchema(resultJsonSchema(tool))),
    annotations: { readOnlyHint: tool.readOnly },
  };
}

/** MCP wants objects on both sides; a tool whose request is none takes no arguments. */
function asObject(schema: JsonObject): JsonObject & { readonly type: "object" } {
  return schema["type"] === "object" ? { ...schema, type: "object" } : { type: "object" };
}

const RECALL: ListedTool = {
  name: RECALL_TOOL_NAME,
  description:
    "Shows an earlier observation of this run again, exactly as it was, without asking the backend. Use it when a call was answered DUPLICATE or COVERED, or when you no longer have the text.",
  inputSchema: {
    type: "object",
    properties: { tool_call_id: { type: "string", description: "The tool_call_id of the earlier observation." } },
    required: ["tool_call_id"],
    additionalProperties: false,
  },
  outputSchema: asObject(observationJsonSchema(null)),
  annotations: { readOnlyHint: true },
};

const SUBMIT: ListedTool = {
  name: SUBMIT_TOOL,
  description:
    "Submits your diagnosis. Every claim is checked against the stored evidence; only what can be traced is published, and a rejected draft comes back with what to change. 'Not determined within the checked scopes' is a valid diagnosis. A published diagnosis ends the run.",
  inputSchema: asObject(DRAFT_SCHEMA),
  outputSchema: {
    type: "object",
    properties: {
      outcome: { type: "string", enum: ["PUBLISHED", "REJECTED", "REFUSED"] },
      verdict: { type: "string", enum: ["PASS", "WARN", "REJECT"] },
      claims: { type: "array", items: { type: "object" } },
      code: { type: "string" },
      message: { type: "string" },
    },
    required: ["outcome"],
  },
  annotations: { readOnlyHint: false },
};
