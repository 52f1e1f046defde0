import type { AuditQuery } from "../../audit/audit.ts";
import { type CommandIo, EXIT, type ExitCode, UsageError, write } from "../io.ts";
import { type AuditOptions, auditOf } from "./open-audit.ts";
import { headLine, rowLine } from "./show-row.ts";

export interface ListOptions extends AuditOptions {
  readonly run?: string;
  readonly session?: string;
  readonly tool?: string;
  readonly limit?: string;
}

/** Lists audit rows, newest first. */
export async function run(options: ListOptions, io: CommandIo): Promise<ExitCode> {
  const query = { ...queryOf(options), limit: wholeNumber("--limit", options.limit ?? "50") };
  const { audit, close } = await auditOf(options);
  try {
    const rows = await audit.list(query);
    const lines = options.json === true ? rows.map((row) => JSON.stringify(row)) : [headLine(), ...rows.map(rowLine)];
    await write(io.stdout, lines.map((line) => `${line}\n`).join(""));
    return EXIT.ok;
  } finally {
    await close();
  }
}

export function queryOf({ run: runId, session: sessionId, tool: toolName }: ListOptions): AuditQuery {
  return {
    ...(runId === undefined ? {} : { runId }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(toolName === undefined ? {} : { toolName }),
  };
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new UsageError(`${name} must be a whole number above 0, not '${text.slice(0, 40)}'`);
}
