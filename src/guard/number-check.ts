import type { GuardCode } from "../model/verdict.ts";
import type { CheckFinding, ClaimContext } from "./claim-context.ts";
import { equals, parseDecimal } from "./decimal.ts";
import { type Derivations, derive, isDeclared } from "./derived.ts";
import { directionReader } from "./direction.ts";
import type { ItemView } from "./evidence.ts";
import { positions } from "./lexicon/lexicon.ts";
import { readMoments } from "./moment.ts";
import { NumberIndex, type NumberMatch } from "./number-match.ts";
import { type NumberToken, readNumbers } from "./number-token.ts";
import { blankPlaceholders } from "./placeholder-text.ts";
import { mentions } from "./text.ts";
import { isVersionNumber, showsVersion } from "./version-token.ts";

const CODES: Readonly<Record<Exclude<NumberMatch, "equal">, GuardCode>> = {
  sign: "EG_SIGN_MISMATCH",
  unit: "EG_UNIT_MISMATCH",
  "unit assumed": "EG_UNIT_ASSUMED",
};

/** `step 2`, `第 3 步`: they count the claim's own text. */
const OWN_COUNTING = /\bsteps? \d{1,2}\b|第\s?\d{1,2}\s?[步点条]|步骤\s?\d{1,2}/gi;
const LIST_MARK = /(?<=^|[\n.;:。;,]\s{0,3})[([]?(\d{1,2})[.)\]、](?=\s|\p{Script=Han})/gu;

/** Every number of the claim must stand in a cited item, with its unit, currency and sign, or be declared as derived or as a count. */
export function checkNumbers(context: ClaimContext): readonly CheckFinding[] {
  const { claim, items } = context;
  const evidence = items.flatMap((item) => item.numbers);
  const derivations = derive(claim.derived ?? [], evidence);
  const codes = new Set<GuardCode>(derivations.right ? [] : ["EG_DERIVED_WRONG"]);
  if (claim.kind === "negative") return checkNegativeNumbers(context);
  if (context.citations.length === 0) return findings(codes);
  const text = readableText(context);
  const { numbers, names } = readNumbers(text);
  const index = new NumberIndex([...evidence, ...derivations.numbers]);
  const directionAt = index.directed ? directionReader(text) : () => null;
  for (const token of numbers) {
    if (isExempt(token, context, derivations)) continue;
    const code = codeFor(token, index.best(token, directionAt(token.start)), context);
    if (code !== null) codes.add(code);
  }
  if (names.some((name) => !isNamed(name, context))) codes.add(missing(context));
  return findings(codes);
}

function findings(codes: ReadonlySet<GuardCode>): readonly CheckFinding[] {
  return [...codes].map((code) => ({ code }));
}

function readableText(context: ClaimContext): string {
  const text = readMoments(blankPlaceholders(context.text)).rest;
  return withoutListMarks(text.replace(OWN_COUNTING, (found) => " ".repeat(found.length)));
}

/** The marks of a list that counts from one without a gap; any other number before a stop is a number. */
function withoutListMarks(text: string): string {
  const marks = [...text.matchAll(LIST_MARK)];
  const counts = marks.length > 1 && marks.every((mark, i) => Number(mark[1]) === i + 1);
  return counts ? text.replace(LIST_MARK, (found) => " ".repeat(found.length)) : text;
}

function codeFor(token: NumberToken, match: NumberMatch | null, context: ClaimContext): GuardCode | null {
  if (match === null) return isVersion(token, context) ? null : missing(context);
  if (match === "equal") return null;
  return isLooseUnit(token, context, match) ? null : CODES[match];
}

function missing({ onlyKnowledge, records }: ClaimContext): GuardCode {
  const prose = onlyKnowledge || records.every(({ reading }) => reading.numbers === "prose");
  return prose ? "EG_NUMBER_NOT_IN_PROSE" : "EG_NUMBER_NOT_IN_EVIDENCE";
}

/** `Version 4.18` where the evidence has `v4.18`. */
function isVersion(token: NumberToken, { text, items }: ClaimContext): boolean {
  const isBare = token.unit === null && token.currency === null && token.sign === null;
  return isBare && items.some(({ all }) => isVersionNumber(text, token.start, all));
}

/** 分 may be a minute or a mark: as a unit it stands only where the evidence has one of time. */
function isLooseUnit(token: NumberToken, { text }: ClaimContext, match: NumberMatch): boolean {
  return (
    match === "unit assumed" && token.unit?.dimension === "time" && text.slice(token.start, token.end).endsWith("分")
  );
}

/** The declared count, a derived value that was reported already, and the sum over a cut result, which is refused as such. */
function isExempt(token: NumberToken, context: ClaimContext, derivations: Derivations): boolean {
  const { count } = context.claim;
  if (
    count !== undefined &&
    token.unit === null &&
    equals(token.value, parseDecimal(String(count.value)) ?? token.value)
  )
    return true;
  if (!derivations.right && isDeclared(token.value, derivations)) return true;
  return token.unit === null && isSumOverCut(token, context);
}

function isSumOverCut(token: NumberToken, { text, records }: ClaimContext): boolean {
  if (!records.some(({ truncated }) => truncated)) return false;
  return positions(text, "totals").some(
    ({ start, end }) => start <= token.end && token.start - end <= 12 && token.start >= start,
  );
}

/** A name with digits must stand in the evidence, in the scope or among the cited ids, as a whole. */
function isNamed(name: string, { items, reach, records, citations, claim }: ClaimContext): boolean {
  const shown = items.length > 0 ? items : reach;
  const shows = ({ all }: ItemView): boolean => mentions(all, name) || showsVersion(all, name);
  if (shown.some((item) => shows(item) || isStatusClass(name, item))) return true;
  const scopes = records.flatMap(({ record }) => [
    record.toolName,
    ...Object.values(record.scope).flatMap((value) => (Array.isArray(value) ? value : [String(value)])),
  ]);
  const ids = citations.flatMap(({ citation }) => [citation.tool_call_id, citation.item_id ?? ""]);
  return [...scopes, ...ids, claim.claim_id ?? ""].some((text) => mentions(text.normalize("NFKC"), name));
}

/** `5xx` stands for every status that an item may show of that class. */
function isStatusClass(name: string, item: ItemView): boolean {
  const digit = /^([1-5])xx$/i.exec(name)?.[1];
  return (
    digit !== undefined &&
    item.numbers.some(({ value }) => value.scale === 0 && new RegExp(`^${digit}\\d\\d$`).test(String(value.digits)))
  );
}

/** An empty answer has no numbers; what was searched for may hold some, and then the claim must speak of those. */
function checkNegativeNumbers(context: ClaimContext): readonly CheckFinding[] {
  const asked = context.records.flatMap(({ record }) =>
    ["keyword", "keywords", "pattern", "query"].flatMap((name) => record.scope[name] ?? []),
  );
  if (asked.length === 0) return [];
  const { numbers, names } = readNumbers(readableText(context));
  const text = asked.join(" ").normalize("NFKC");
  const known = readNumbers(text).numbers;
  const strange = numbers.some(
    (token) => token.unit === null && !known.some(({ value }) => equals(value, token.value)),
  );
  const unknown = names.some((name) => !isNamed(name, context));
  return strange || unknown ? [{ code: "EG_NUMBER_NOT_IN_EVIDENCE" }] : [];
}
