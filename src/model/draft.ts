export const CLAIM_KINDS = ["observation", "negative", "root_cause", "hypothesis", "recommendation"] as const;
export type ClaimKind = (typeof CLAIM_KINDS)[number];

/** A pointer to evidence of this run. */
export interface Citation {
  readonly tool_call_id: string;
  readonly tool_name?: string;
  readonly item_id?: string;
  /** Verbatim text of the item. */
  readonly quote?: string;
}

export const DERIVATION_OPS = ["sum", "difference", "product", "ratio", "percent", "convert", "round"] as const;

/** A number that stands in no item but follows from numbers that do. Decimals may be written as strings. */
export interface DerivedValue {
  readonly value: number | string;
  readonly unit?: string;
  readonly op: (typeof DERIVATION_OPS)[number];
  readonly inputs: readonly (number | string)[];
  readonly input_units?: readonly string[];
  readonly digits?: number;
}

export interface ClaimedCount {
  readonly value: number;
  readonly op: "=" | ">=" | "<=" | "<" | ">";
}

/** One typed statement of a draft. */
export interface Claim {
  readonly claim_id?: string;
  readonly kind: ClaimKind;
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly derived?: readonly DerivedValue[];
  readonly count?: ClaimedCount;
  /** What the claim speaks of, by scope field or column: `{ service: "order-api" }`. */
  readonly entities?: Readonly<Record<string, string>>;
}

/** The agent's conclusion. Comes from a model: it is data until the guard has read it. */
export interface Draft {
  readonly claims: readonly Claim[];
}
