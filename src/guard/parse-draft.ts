import {
  type Citation,
  CLAIM_KINDS,
  type Claim,
  type ClaimedCount,
  DERIVATION_OPS,
  type DerivedValue,
} from "../model/draft.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { parseDecimal } from "./decimal.ts";

/** Bounds of a draft. Whatever exceeds them is refused, never cut. */
export const DRAFT_LIMITS = {
  claims: 100,
  /** All texts and quotes of a draft together. */
  totalLength: 100_000,
  textLength: 4_000,
  citations: 50,
  quoteLength: 4_000,
  idLength: 8_192,
  derived: 20,
  inputs: 100,
  entities: 20,
  nameLength: 256,
} as const;

/** A claim that has the required form, or the name under which its refusal is reported. */
export type ParsedClaim =
  | { readonly ok: true; readonly claimId: string; readonly claim: Claim }
  | { readonly ok: false; readonly claimId: string };

/** Reads what a model sent. Null when it is no draft at all. A claim of the wrong form does not take the others with it. */
export function parseDraft(draft: unknown): readonly ParsedClaim[] | null {
  const claims = isJsonObject(draft) ? draft["claims"] : undefined;
  if (!Array.isArray(claims) || claims.length === 0 || claims.length > DRAFT_LIMITS.claims) return null;
  const parsed = claims.map((value: unknown, i): ParsedClaim => {
    const given = isJsonObject(value) ? value["claim_id"] : undefined;
    const claimId = typeof given === "string" && /^[\w.:-]{1,64}$/.test(given) ? given : `c${i + 1}`;
    const claim = isJsonObject(value) ? parseClaim(value) : null;
    return claim === null ? { ok: false, claimId } : { ok: true, claimId, claim };
  });
  return parsed.reduce((sum, one) => sum + lengthOf(one), 0) > DRAFT_LIMITS.totalLength ? null : parsed;
}

function lengthOf(parsed: ParsedClaim): number {
  if (!parsed.ok) return 0;
  return parsed.claim.citations.reduce((sum, { quote }) => sum + (quote?.length ?? 0), parsed.claim.text.length);
}

const isText = (value: unknown, limit: number): value is string => typeof value === "string" && value.length <= limit;
const isOptional = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);
const isList = (value: unknown, limit: number, is: (value: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length <= limit && value.every(is);
const isOneOf = (value: unknown, words: readonly string[]): boolean =>
  typeof value === "string" && words.includes(value);

/** Each member is looked at, so the object has a claim's form. */
function parseClaim(value: JsonObject): Claim | null {
  const valid =
    isOneOf(value["kind"], CLAIM_KINDS) &&
    isText(value["text"], DRAFT_LIMITS.textLength) &&
    value["text"].trim() !== "" &&
    isOptional(value["claim_id"], (id) => isText(id, DRAFT_LIMITS.nameLength)) &&
    isList(value["citations"], DRAFT_LIMITS.citations, isCitation) &&
    isOptional(value["derived"], (list) => isList(list, DRAFT_LIMITS.derived, isDerived)) &&
    isOptional(value["count"], isCount) &&
    isOptional(value["entities"], isEntities);
  return valid ? (value as unknown as Claim) : null;
}

function isCitation(value: unknown): value is Citation {
  if (!isJsonObject(value)) return false;
  return (
    isText(value["tool_call_id"], Number.POSITIVE_INFINITY) &&
    isOptional(value["item_id"], (id) => isText(id, DRAFT_LIMITS.idLength)) &&
    isOptional(value["tool_name"], (name) => isText(name, DRAFT_LIMITS.nameLength)) &&
    isOptional(value["quote"], (quote) => isText(quote, DRAFT_LIMITS.quoteLength))
  );
}

const isNumeral = (value: unknown): boolean =>
  (typeof value === "number" && Number.isFinite(value)) || (typeof value === "string" && parseDecimal(value) !== null);

function isDerived(value: unknown): value is DerivedValue {
  if (!isJsonObject(value)) return false;
  const digits = value["digits"];
  return (
    isOneOf(value["op"], DERIVATION_OPS) &&
    isNumeral(value["value"]) &&
    isList(value["inputs"], DRAFT_LIMITS.inputs, isNumeral) &&
    isOptional(value["unit"], (unit) => isText(unit, 32)) &&
    isOptional(value["input_units"], (list) => isList(list, DRAFT_LIMITS.inputs, (unit) => isText(unit, 32))) &&
    (digits === undefined || (Number.isInteger(digits) && (digits as number) >= 0 && (digits as number) <= 20))
  );
}

function isCount(value: unknown): value is ClaimedCount {
  return (
    isJsonObject(value) &&
    Number.isSafeInteger(value["value"]) &&
    (value["value"] as number) >= 0 &&
    isOneOf(value["op"], ["=", ">=", "<=", "<", ">"])
  );
}

function isEntities(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const entries = Object.entries(value);
  return entries.length <= DRAFT_LIMITS.entities && entries.every(([, name]) => isText(name, DRAFT_LIMITS.nameLength));
}
