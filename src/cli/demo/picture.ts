import type { ClaimVerdict } from "../../model/verdict.ts";
import type { Observation } from "../../views/observation.ts";
import { showBytes, sideBySide, wrapColumns } from "../display.ts";
import type { DemoReport, PlayedCall, PlayedDraft } from "./play.ts";

const WIDTH = 100;
const COLUMNS = [31, 32, 31] as const;
/** Lines of a text that are shown; the rest is only counted. */
const SHOWN_LINES = 6;
const RULE = "─".repeat(WIDTH);

/** The demo as text: 100 columns, no colours, so that it reads the same in a terminal and in a pipe. */
export function renderDemo(report: DemoReport): string {
  const lines = [
    "dualview demo: one incident, three tools, embedded stores; nothing leaves this machine.",
    "",
    ...wrapColumns(`Question: ${report.question}`, WIDTH),
    `${report.logLines.toLocaleString("en-US")} log lines, a shop database, eight runbooks, and ${plural(report.totals.plantedSecrets, "planted secret")} and identifiers.`,
    "",
    ...report.calls.flatMap(renderCall),
    RULE,
    "DRAFTS: what the agent wants to say, checked against the stored evidence",
    "",
    ...report.drafts.flatMap(renderDraft),
    RULE,
    ...renderTotals(report),
  ];
  return `${lines.join("\n")}\n`;
}

function renderCall(call: PlayedCall): string[] {
  return [
    RULE,
    `${call.toolCallId}  ${call.toolName}`,
    ...wrapColumns(call.intent, WIDTH - 2).map((line) => `  ${line}`),
    ...clip(askedFor(call), WIDTH - 2).map((line) => `  ${line}`),
    "",
    ...sideBySide([["BACKEND RETURNED"], ["MODEL SAW"], ["AUDIT KEPT"]], COLUMNS),
    ...sideBySide([returnedColumn(call), seenColumn(call), keptColumn(call)], COLUMNS),
    "",
  ];
}

/** `source: checkout, level: WARN, …`, or the statement alone. */
function askedFor({ request }: PlayedCall): string {
  const { sql, ...fields } = request as Readonly<Record<string, unknown>>;
  if (typeof sql === "string") return sql;
  const told = Object.entries(fields).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(" ") : String(value)}`,
  );
  return told.join(", ");
}

function returnedColumn({ returned, pair }: PlayedCall): string[] {
  if (returned === null) return ["nothing: it was not asked"];
  const { bytes, secrets } = returned;
  const head = [`${showBytes(bytes)}, ${plural(secrets, "planted value")}`];
  return [...head, ...(pair === null ? [] : ["", ...clip(pair.returned, COLUMNS[0])])];
}

function seenColumn({ seen, pair }: PlayedCall): string[] {
  const held = Object.entries(seen.heldBack).map(([kind, count]) => `${count} ${kind}`);
  return [
    ...wrapColumns(`${showBytes(seen.bytes)}, ${describe(seen.observation)}`, COLUMNS[1]),
    ...(held.length === 0 ? [] : wrapColumns(`held back: ${held.join(", ")}`, COLUMNS[1])),
    ...(pair === null ? [] : ["", ...clip(pair.seen, COLUMNS[1])]),
  ];
}

function describe(observation: Observation): string {
  if (observation.outcome !== "OK") return `${observation.outcome} ${observation.code}${same(observation.same_as)}`;
  const { items, truncated, evidence_status } = observation;
  return `${evidence_status}, ${plural(items.length, "item")}${truncated ? ", truncated" : ""}`;
}

function same(callId: string | undefined): string {
  return callId === undefined ? "" : `, same as ${callId}`;
}

function keptColumn({ kept }: PlayedCall): string[] {
  if (kept === null) return ["no row"];
  const { retrieval_details: details, output_length, is_truncated, duration_ms } = kept;
  const facts = {
    tool_call_id: details?.tool_call_id,
    status: details?.status,
    evidence_status: details?.evidence_status,
    error_code: details?.error_code,
    output_length,
    is_truncated,
    duration_ms,
  };
  const told = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined);
  return [`row ${kept.id} of tool_invocation`, ...told.map(([name, value]) => `${name} ${value}`)];
}

function clip(text: string, columns: number): string[] {
  const lines = wrapColumns(text, columns);
  return lines.length <= SHOWN_LINES ? lines : [...lines.slice(0, SHOWN_LINES), "…"];
}

function renderDraft(draft: PlayedDraft): string[] {
  return [
    `${draft.verdict.verdict.padEnd(6)} ${draft.name}: ${draft.intent}`,
    ...draft.verdict.claims.flatMap((claim, i) => renderClaim(claim, textOf(draft, i))),
    "",
  ];
}

function renderClaim(claim: ClaimVerdict, text: string): string[] {
  const codes = claim.findings.map((finding) => finding.code).join(", ");
  const [first = "", ...rest] = wrapColumns(`"${text}"`, WIDTH - 11);
  const head = `  ${claim.verdict.padEnd(6)}  ${first}`;
  const lines = [head, ...rest.map((line) => `          ${line}`)];
  return codes === "" ? lines : [...lines, `          ${codes}`];
}

function textOf({ draft }: PlayedDraft, index: number): string {
  const { claims } = draft as { readonly claims: readonly { readonly text: string }[] };
  return claims[index]?.text ?? "";
}

function renderTotals({ totals, drafts, published }: DemoReport): string[] {
  const rejected = drafts.filter((draft) => draft.verdict.verdict === "REJECT").length;
  const passed = drafts.length - rejected;
  const kept = `The audit kept ${showBytes(totals.keptBytes)} of metadata.`;
  return [
    `Backends returned ${showBytes(totals.returnedBytes)}; the model saw ${showBytes(totals.seenBytes)}. ${kept}`,
    `${plural(totals.heldBack, "value")} held back; ${totals.leakedSecrets} of ${plural(totals.plantedSecrets, "planted value")} reached the model.`,
    `${plural(passed, "draft")} passed${published ? " and was published" : ""}; ${rejected} were rejected.`,
  ];
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
