import type { Scope, ScopeValue } from "../model/scope.ts";
import type { CheckFinding, ClaimContext } from "./claim-context.ts";
import type { RecordView } from "./evidence.ts";
import { windowGroups } from "./interval.ts";
import { holds, levelsIn } from "./lexicon/lexicon.ts";
import { endsOf, serviceNames, subjectNames, USUAL_ENDS } from "./service-names.ts";
import { longestSpan } from "./span.ts";
import { cleanText, mentions } from "./text.ts";

/** A negative claim rests on complete empty answers, goes no further than what was looked at, and says what that was. */
export function checkNegative(context: ClaimContext): readonly CheckFinding[] {
  if (context.claim.kind !== "negative") return [];
  const found = context.citations.find(({ view }) => !view.empty);
  if (found !== undefined) return [{ code: "EG_NEGATIVE_CONTRADICTED", citation: found }];
  const cut = context.citations.find(({ view }) => view.truncated);
  if (cut !== undefined) return [{ code: "EG_TRUNCATED_AS_COMPLETE", citation: cut }];
  if (isTooBroad(context)) return [{ code: "EG_NEGATIVE_OVERGENERALIZED" }];
  const hidden = context.records.some((record) => !isScopeShown(context, record));
  return hidden ? [{ code: "EG_NEGATIVE_SCOPE_MISSING" }] : [];
}

function isTooBroad(context: ClaimContext): boolean {
  const text = context.own;
  if (holds(text, "timeUniversals") || holds(text, "eliminations")) return true;
  if (holds(text, "openSpans") && context.times.moments.length === 0) return true;
  if (isLongerThanSearched(text, context.records)) return true;
  return context.records.some((record) => exceeds(context, record));
}

/** A second less is still the whole of it: windows may end just before the next. */
const SLACK_MS = 1_000;

function isLongerThanSearched(text: string, records: readonly RecordView[]): boolean {
  const span = longestSpan(text);
  if (span === 0) return false;
  return windowGroups(records).some((windows) => windows.every(({ from, to }) => to - from < span - SLACK_MS));
}

/** Compares the claim's subject with one scope: whom it speaks of, which level, and whether it denies more than was searched. */
function exceeds(context: ClaimContext, record: RecordView): boolean {
  const text = context.own;
  const { scope } = record.record;
  if (record.reading.role === "knowledge") return holds(text, "subjectUniversals") || deniesExistence(text);
  if (valuesOf(scope, ["service", "datasource", "table", "tables"]).length > 0 && holds(text, "subjectUniversals"))
    return true;
  if (namesOtherLevel(text, scope) || namesOtherSubject(text, context)) return true;
  return deniesEverything(text, scope) || deniesOther(context.text, context.records);
}

/** That a search found nothing says nothing of what exists. */
function deniesExistence(text: string): boolean {
  return holds(text, "existence") && !holds(text, "retrieval");
}

function valuesOf(scope: Scope, fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => listOf(scope[field])).filter((value) => value !== "" && value !== "*");
}

function listOf(value: ScopeValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [String(value)]) as readonly string[];
}

function keywordsOf(scope: Scope): readonly string[] {
  return valuesOf(scope, ["keyword", "keywords", "pattern"]);
}

function namesOtherLevel(text: string, scope: Scope): boolean {
  const levels = valuesOf(scope, ["level", "levels"]).map((level) => level.toUpperCase().replace("WARNING", "WARN"));
  if (levels.length === 0) return false;
  const plain = keywordsOf(scope).reduce((rest, word) => rest.replaceAll(word, " "), text);
  return levelsIn(plain).some((level) => !levels.includes(level));
}

/** Whether the text names a service, table or datasource that none of the calls looked at. */
function namesOtherSubject(text: string, { claim, records }: ClaimContext): boolean {
  const declared = Object.values(claim.entities ?? {}); // judged as entities
  const known = records.flatMap(({ record }) => Object.values(record.scope).flatMap((value) => listOf(value)));
  const services = serviceNames(text, [...USUAL_ENDS, ...endsOf(known)]);
  const isKnown = (name: string): boolean => declared.includes(name) || known.some((value) => isPartOf(value, name));
  return ![...services, ...subjectNames(text, known), ...qualifiers(text, known)].every(isKnown);
}

/** What stands before a known table and a dot: a datasource or schema. */
function qualifiers(text: string, known: readonly string[]): readonly string[] {
  const dotted = [...text.matchAll(/(?<![\w.])([A-Za-z_]\w*)\.([A-Za-z_]\w*)(?![\w.])/g)];
  return dotted.flatMap(([, owner = "", name = ""]) => (known.some((value) => isPartOf(value, name)) ? [owner] : []));
}

function isPartOf(value: string, name: string): boolean {
  const [whole, part] = [value.toLowerCase(), name.toLowerCase()];
  return whole === part || mentions(whole, part) || part.split(".").at(-1) === whole;
}

const NOTHING_AT_ALL =
  /\b(?:no|any|zero|without)\s+(?:log )?(?:errors?|exceptions?|failures?|logs?|log lines?|log entries|problems?|issues?|anomal(?:y|ies)|warnings?|messages?)\b|(?:没有|无|未(?:出现|发现|发生|见))(?:出现|发现|发生)?(?:任何|过)?(?:的)?(?:错误|异常|报错|故障|问题|日志|失败|告警)/i;

/** Only lines with a keyword were looked for, but the claim denies lines of any kind. */
function deniesEverything(text: string, scope: Scope): boolean {
  const keywords = keywordsOf(scope);
  if (keywords.length === 0 || keywords.some((word) => contains(text, word))) return false;
  return NOTHING_AT_ALL.test(text) && !holds(text, "scoped");
}

/** Names of exceptions, and words in quotation marks: what a log search is about. */
const SEARCHED =
  /\b[A-Z][a-z]+[A-Z][A-Za-z]*\b|\b[A-Za-z]+(?:Error|Exception)\b|["“「『`]([^"”」』`\n]{2,80})["”」』`]/g;

/** Whether the claim denies something by name that none of the calls searched for. Case and the words around it do not matter. */
function deniesOther(text: string, records: readonly RecordView[]): boolean {
  const asked = records.map(({ record }) => keywordsOf(record.scope));
  if (asked.some((keywords) => keywords.length === 0)) return false;
  const known = records.flatMap(({ record }) => Object.values(record.scope).flatMap((value) => listOf(value)));
  const named = [...text.matchAll(SEARCHED)].map((found) => found[1] ?? found[0]);
  return named.some((name) => !known.some((value) => contains(value, name) || contains(name, value)));
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(cleanText(part).toLowerCase());
}

/** Whether a reader sees what was looked at: one of the lists the tool's reading names, all that the scope has of it. */
function isScopeShown(context: ClaimContext, { record, reading }: RecordView): boolean {
  const lists = reading.negative.length > 0 ? reading.negative : Object.keys(record.scope).map((field) => [field]);
  if (lists.length === 0) return true;
  return lists.some((fields) => isListShown(fields, record.scope, context));
}

/** The last field of a list makes the difference, so the scope must have it; those before it only where the scope has them. */
function isListShown(fields: readonly string[], scope: Scope, context: ClaimContext): boolean {
  const last = fields.at(-1);
  if (last === undefined || !isPresent(scope, last)) return false;
  return fields.every((field) => !isPresent(scope, field) || isFieldShown(field, scope, context));
}

function isPresent(scope: Scope, field: string): boolean {
  return valuesOf(scope, [field]).length > 0;
}

function isFieldShown(field: string, scope: Scope, context: ClaimContext): boolean {
  const values = listOf(scope[field]);
  if (field === "time_from" || field === "time_to") return context.times.moments.length > 0;
  if (field === "keyword" || field === "keywords" || field === "pattern")
    return values.every((value) => contains(context.text, value));
  if (field === "query") return values.every((value) => isQueryShown(context.text, value));
  const text = context.text.replace(/(?<=\w)\.(?=[A-Za-z_])/g, " ");
  return values.some(
    (value) => mentions(context.text, value) || mentions(text, value) || isInflected(context.text, value),
  );
}

function isInflected(text: string, value: string): boolean {
  return /\p{Script=Han}/u.test(value) && text.includes(value);
}

/** The query as it was asked, or all of its words. */
function isQueryShown(text: string, query: string): boolean {
  if (contains(text, query)) return true;
  const words = cleanText(query)
    .split(/[\s,;]+/)
    .filter((word) => word.length > 1);
  return words.length > 0 && words.every((word) => contains(text, word));
}
