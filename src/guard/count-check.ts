import type { ClaimedCount } from "../model/draft.ts";
import type { CheckFinding, ClaimContext } from "./claim-context.ts";
import type { ItemView, RecordView } from "./evidence.ts";
import { holds, without } from "./lexicon/lexicon.ts";

/** A declared count must agree with what is cited; a cut result carries a lower bound and nothing else. */
export function checkCount(context: ClaimContext): readonly CheckFinding[] {
  const { count } = context.claim;
  if (count === undefined || context.claim.kind === "negative" || isShownCount(count, context)) return [];
  const visible = context.reach.length;
  if (!context.records.some(({ truncated }) => truncated))
    return agrees(visible, count) ? [] : [{ code: "EG_COUNT_MISMATCH" }];
  if (count.op !== ">=" && count.op !== ">") return [{ code: "EG_TRUNCATED_AS_COMPLETE" }];
  return agrees(visible, count) ? [] : [{ code: "EG_COUNT_MISMATCH" }];
}

function agrees(visible: number, { op, value }: ClaimedCount): boolean {
  switch (op) {
    case "=":
      return visible === value;
    case ">=":
      return visible >= value;
    case "<=":
      return visible <= value;
    case ">":
      return visible > value;
    case "<":
      return visible < value;
  }
}

const COUNT_FIELD =
  /^(?:count|cnt|counts|total|num|number|n|数量|总数|次数|条数|count\(.{0,64}\)|.{1,64}_(?:count|cnt|total))$/i;

/** One item may itself say how many it stands for, a pattern or a row that was grouped; so may the answer as a whole. */
function isShownCount(count: ClaimedCount, { citations }: ClaimContext): boolean {
  const [citation, ...others] = citations;
  if (citation === undefined || others.length > 0) return false;
  const { item, view } = citation;
  if (!isExact(view) && count.op !== ">=" && count.op !== ">") return false;
  return (item === null ? totalsOf(view) : countsOf(item)).some((shown) => agrees(shown, count));
}

function totalsOf({ reading, record }: RecordView): readonly number[] {
  const total = reading.total === undefined ? undefined : record.agentResult[reading.total];
  return typeof total === "number" && Number.isSafeInteger(total) ? [total] : [];
}

function countsOf(item: ItemView): readonly number[] {
  return item.fields
    .filter(({ name }) => COUNT_FIELD.test(name))
    .map(({ value }) => Number(value))
    .filter(Number.isSafeInteger);
}

/** A cut projection leaves the counts of its patterns exact, as long as the backend was read to its end. */
function isExact({ truncated, record }: RecordView): boolean {
  const { backend_truncated: cut, partial } = record.agentResult;
  return !truncated || (cut === false && partial !== true);
}

/** Words about everything do not rest on a result that was cut. */
export function checkTruncation(context: ClaimContext): readonly CheckFinding[] {
  const { kind } = context.claim;
  const cut = context.citations.find(({ view }) => view.truncated && view.reading.role !== "knowledge");
  if (cut === undefined || (kind !== "observation" && kind !== "root_cause")) return [];
  return holds(without(context.own, "notTotals"), "totals")
    ? [{ code: "EG_TRUNCATED_AS_COMPLETE", citation: cut }]
    : [];
}
