import { toDatetime } from "../../audit/row.ts";
import { type CommandIo, EXIT, type ExitCode, UsageError, write } from "../io.ts";
import { type AuditOptions, auditOf } from "./open-audit.ts";

interface PruneOptions extends AuditOptions {
  readonly olderThan?: string;
  readonly batch?: string;
}

const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24 };
const MAX_BATCH = 10_000;

/** Deletes what is older than a span of time, in bounded batches. */
export async function run(options: PruneOptions, io: CommandIo): Promise<ExitCode> {
  const before = toDatetime(Date.now() - hoursOf(options.olderThan) * 3_600_000);
  const batch = batchOf(options.batch ?? "1000");
  const { audit, close } = await auditOf(options);
  try {
    const deleted = await audit.prune(before, batch);
    const told = options.json === true ? JSON.stringify({ before, deleted }) : describe(deleted, before);
    await write(io.stdout, `${told}\n`);
    return EXIT.ok;
  } finally {
    await close();
  }
}

function describe(deleted: number, before: string): string {
  return `Deleted ${deleted} ${deleted === 1 ? "call" : "calls"} from before ${before} UTC.`;
}

function hoursOf(text = ""): number {
  const [, amount = "", unit = ""] = /^([1-9]\d{0,5})([hdw])$/.exec(text) ?? [];
  const hours = Number(amount) * (HOURS[unit] ?? 0);
  if (hours > 0) return hours;
  throw new UsageError(`--older-than takes a span such as 180d, 26w or 12h, not '${text.slice(0, 40)}'`);
}

function batchOf(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0 && value <= MAX_BATCH) return value;
  throw new UsageError(`--batch must be a whole number from 1 to ${MAX_BATCH}, not '${text.slice(0, 40)}'`);
}
