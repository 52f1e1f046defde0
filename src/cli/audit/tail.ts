import type { AuditSink } from "../../audit/audit.ts";
import { type CommandIo, EXIT, type ExitCode, write } from "../io.ts";
import { type ListOptions, queryOf } from "./list.ts";
import { auditOf } from "./open-audit.ts";
import { headLine, rowLine } from "./show-row.ts";

const LOOK_EVERY_MS = 500;
const FIRST_ROWS = 10;

/** Shows the last rows and then each new one as it is written, until it is interrupted. */
export async function run(options: ListOptions, io: CommandIo): Promise<ExitCode> {
  const { audit, close } = await auditOf(options);
  const stopped = untilInterrupted();
  try {
    if (options.json !== true) await write(io.stdout, `${headLine()}\n`);
    const latest = await audit.list({ ...queryOf(options), limit: FIRST_ROWS });
    let after = await show([...latest].reverse(), 0, options, io);
    while (!(await stopped.within(LOOK_EVERY_MS))) after = await showNew(audit, after, options, io);
    return EXIT.ok;
  } finally {
    await close();
  }
}

async function showNew(audit: AuditSink, afterId: number, options: ListOptions, io: CommandIo): Promise<number> {
  return await show(await audit.list({ ...queryOf(options), afterId, limit: 1_000 }), afterId, options, io);
}

async function show(
  rows: Awaited<ReturnType<AuditSink["list"]>>,
  afterId: number,
  options: ListOptions,
  io: CommandIo,
): Promise<number> {
  for (const row of rows) await write(io.stdout, `${options.json === true ? JSON.stringify(row) : rowLine(row)}\n`);
  return rows.at(-1)?.id ?? afterId;
}

function untilInterrupted(): { within(ms: number): Promise<boolean> } {
  const interrupted = new Promise<boolean>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(true));
  });
  return {
    within: async (ms) => {
      let timer: NodeJS.Timeout | undefined;
      const pause = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), ms);
      });
      const ended = await Promise.race([interrupted, pause]);
      clearTimeout(timer);
      return ended;
    },
  };
}
