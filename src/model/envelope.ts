import type { JsonValue } from "./json.ts";

/** What the model says of its previous batch of calls; it belongs to the envelope, not to the tool's request. */
export interface PreviousEvaluation {
  readonly verdict: "GAIN" | "NO_GAIN";
  /** Item ids that brought the gain. */
  readonly items?: readonly string[];
  /** The hypothesis that an empty answer excluded. */
  readonly hypothesis?: string;
}

/** One tool call as the model sent it. Field names are the wire's. */
export interface ToolCallRequestEnvelope {
  readonly run_id: string;
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly request: JsonValue;
  readonly previous_evaluation?: PreviousEvaluation;
}
