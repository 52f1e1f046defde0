import type { AuditStats } from "../../audit/audit.ts";
import { fitColumns } from "../display.ts";
import { type CommandIo, EXIT, type ExitCode, write } from "../io.ts";
import { type AuditOptions, auditOf } from "./open-audit.ts";

/** Sums up the audit by tool, outcome and code. */
export async function run(options: AuditOptions, io: CommandIo): Promise<ExitCode> {
  const { audit, close } = await auditOf(options);
  try {
    const stats = await audit.stats();
    await write(io.stdout, `${options.json === true ? JSON.stringify(stats) : describe(stats)}\n`);
    return EXIT.ok;
  } finally {
    await close();
  }
}

function describe({ rows, first, last, tools, codes }: AuditStats): string {
  if (rows === 0) return "The audit holds no call.";
  const head = `${rows} calls from ${first} to ${last} UTC`;
  const titles = line(["tool", "evidence", "none", "error", "refused"]);
  const lines = tools.map((tool) =>
    line([tool.tool_name, tool.evidence_found, tool.no_evidence, tool.error, tool.refused]),
  );
  const reasons = codes.map(({ code, rows: times }) => line([code, times]));
  return [head, "", titles, ...lines, ...(reasons.length === 0 ? [] : ["", line(["code", "calls"]), ...reasons])].join(
    "\n",
  );
}

function line([name, ...numbers]: readonly (string | number)[]): string {
  return `${fitColumns(String(name), 28)}${numbers.map((value) => String(value).padStart(10)).join("")}`;
}
