import { z } from "zod";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { Tool } from "../tools/tool.ts";

/** JSON Schema of what a model sends: the tool's own request, and what it may say of its previous calls. */
export function requestJsonSchema(tool: Tool): JsonObject {
  const schema = toJsonSchema(tool.requestSchema, "input");
  const properties = (schema["properties"] ?? {}) as JsonObject;
  return { ...schema, properties: { ...properties, previous_evaluation: PREVIOUS_EVALUATION } };
}

/** JSON Schema of the tool's agent result; null for a tool without a result schema. */
export function resultJsonSchema(tool: Tool): JsonObject | null {
  return tool.resultSchema === null ? null : toJsonSchema(tool.resultSchema, "output");
}

function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonObject;
  return plain;
}

const PREVIOUS_EVALUATION: JsonValue = {
  type: "object",
  description:
    "What your previous batch of calls brought, in your own judgement. Send it with the first call of the next batch.",
  properties: {
    verdict: {
      type: "string",
      enum: ["GAIN", "NO_GAIN"],
      description: "GAIN when the batch brought something new for the diagnosis or excluded a hypothesis.",
    },
    items: { type: "array", items: { type: "string" }, description: "item_ids that brought the gain." },
    hypothesis: { type: "string", description: "The hypothesis that an empty answer excluded." },
  },
  required: ["verdict"],
};
