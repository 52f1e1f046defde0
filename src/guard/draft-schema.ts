import { CLAIM_KINDS, DERIVATION_OPS } from "../model/draft.ts";
import type { JsonObject } from "../model/json.ts";
import { DRAFT_LIMITS } from "./parse-draft.ts";

const numeral: JsonObject = {
  anyOf: [{ type: "number" }, { type: "string", pattern: "^[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d{1,3})?$" }],
};
const text = (description: string, maxLength: number): JsonObject => ({ type: "string", maxLength, description });

const citation: JsonObject = {
  type: "object",
  required: ["tool_call_id"],
  properties: {
    tool_call_id: text(
      "The id of a tool call of this run, exactly as the observation shows it.",
      DRAFT_LIMITS.idLength,
    ),
    tool_name: text("The tool that was called.", DRAFT_LIMITS.nameLength),
    item_id: text(
      "The one item that carries the statement, exactly as shown. Leave it out only for a negative claim or a declared count over the whole call.",
      DRAFT_LIMITS.idLength,
    ),
    quote: text(
      "Words of that item, copied exactly; ' … ' may stand for words left out, but never for a negation. Whole words and whole numbers.",
      DRAFT_LIMITS.quoteLength,
    ),
  },
};

const derived: JsonObject = {
  type: "object",
  required: ["value", "op", "inputs"],
  properties: {
    value: { ...numeral, description: "The result, as the text writes it. Decimals may be strings." },
    unit: text(
      "The unit of the result, such as ms, s, MiB, %. It must follow from the units that the cited items show.",
      32,
    ),
    op: {
      enum: [...DERIVATION_OPS],
      description:
        "difference is inputs[0] - inputs[1]; percent is 100 * inputs[0] / inputs[1]; convert goes from input_units to unit.",
    },
    inputs: {
      type: "array",
      maxItems: DRAFT_LIMITS.inputs,
      items: numeral,
      description: "Numbers that stand in cited items, or results of earlier derivations of this claim.",
    },
    input_units: { type: "array", maxItems: DRAFT_LIMITS.inputs, items: { type: "string", maxLength: 32 } },
    digits: { type: "integer", minimum: 0, maximum: 20, description: "For round: decimals that are kept." },
  },
};

const claim: JsonObject = {
  type: "object",
  required: ["kind", "text", "citations"],
  properties: {
    claim_id: { type: "string", pattern: "^[\\w.:-]{1,64}$" },
    kind: {
      enum: [...CLAIM_KINDS],
      description:
        "observation: what an item shows. negative: what a search that came back empty did not find; say which service and time window or search words, or which table. (A row that counts 0 is an observation.) root_cause: needs at least one observation of this incident. hypothesis: may be; needs no citation. recommendation: what to do.",
    },
    text: text(
      "One statement. Every number, unit, time and name in it must stand in a cited item, or be declared under derived or count. Never write a placeholder of a held-back value.",
      DRAFT_LIMITS.textLength,
    ),
    citations: {
      type: "array",
      maxItems: DRAFT_LIMITS.citations,
      items: citation,
      description: "What the statement rests on, each item once. Empty only for a hypothesis or recommendation.",
    },
    derived: {
      type: "array",
      maxItems: DRAFT_LIMITS.derived,
      items: derived,
      description: "Numbers of the text that follow from cited numbers.",
    },
    count: {
      type: "object",
      required: ["value", "op"],
      properties: { value: { type: "integer", minimum: 0 }, op: { enum: ["=", ">=", "<=", "<", ">"] } },
      description: "How many items there are. Of a truncated result only >= can be said.",
    },
    entities: {
      type: "object",
      maxProperties: DRAFT_LIMITS.entities,
      additionalProperties: { type: "string", maxLength: DRAFT_LIMITS.nameLength },
      description:
        'What the statement is about, by scope field or column name: {"service": "checkout"}. Declare it whenever rows are cited.',
    },
  },
};

/** The form of a draft, for the tool that submits it. Its descriptions teach a model to cite well; `parseDraft` decides. */
export const DRAFT_SCHEMA: JsonObject = {
  type: "object",
  required: ["claims"],
  properties: { claims: { type: "array", minItems: 1, maxItems: DRAFT_LIMITS.claims, items: claim } },
};
