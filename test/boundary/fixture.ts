import { z } from "zod";
import type { AuditSink, ToolInvocationRow } from "../../src/audit/audit.ts";
import { createHarness, type HarnessOptions, type OpenRunOptions } from "../../src/boundary/harness.ts";
import type { Run } from "../../src/boundary/run.ts";
import type { AgentResult } from "../../src/model/evidence.ts";
import type { JsonValue } from "../../src/model/json.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import type { ExecuteContext, ProjectionContext, Tool, ToolDefinition } from "../../src/tools/tool.ts";

export interface LinesRequest {
  readonly service: string;
  readonly keyword?: string | undefined;
}

export type LinesDefinition = ToolDefinition<LinesRequest>;

/** A small log tool: `{service, keyword?}` in, lines as items out. Every part can be replaced. */
export function linesTool(overrides: Partial<LinesDefinition> = {}): Tool {
  return defineTool<LinesRequest>({
    name: "query_lines",
    description: "Finds lines.",
    readOnly: true,
    request: z.strictObject({ service: z.string().min(1), keyword: z.string().optional() }),
    execute: async () => ({ lines: ["pool timed out", "retry 3"] }),
    projector: { id: "lines", version: "1", project: projectLines },
    ...overrides,
  });
}

/** A tool whose backend answers with this. */
export function answering(execute: (request: LinesRequest, context: ExecuteContext) => Promise<unknown>): Tool {
  return linesTool({ execute });
}

/** A tool whose projector gives this. */
export function projecting(
  project: (raw: JsonValue, request: LinesRequest, context: ProjectionContext) => unknown,
): Tool {
  return linesTool({
    projector: { id: "lines", version: "1", project: project as LinesDefinition["projector"]["project"] },
  });
}

export function projectLines(raw: JsonValue, _request: LinesRequest, { redact }: ProjectionContext): AgentResult {
  const { lines } = raw as { readonly lines: readonly string[] };
  return { items: lines.map((line, i) => ({ item_id: `e${i + 1}`, text: redact.text(line) })), truncated: false };
}

/** Keeps what it was given, in order. */
export class ListSink implements AuditSink {
  readonly rows: ToolInvocationRow[] = [];
  readonly runs: unknown[] = [];
  async record(rows: readonly ToolInvocationRow[]): Promise<void> {
    this.rows.push(...rows);
  }
  async list(): Promise<never[]> {
    return [];
  }
  async recordRun(row: unknown): Promise<void> {
    this.runs.push(row);
  }
  async recordStep(): Promise<void> {}
  async close(): Promise<void> {}
}

export interface Fixture {
  readonly run: Run;
  readonly harness: ReturnType<typeof createHarness>;
  readonly store: MemoryStore;
  readonly audit: ListSink;
  /** Moves the clock of harness and store. */
  readonly pass: (ms: number) => void;
  /** Calls the only tool with fresh ids. */
  readonly call: (request?: unknown, toolName?: string) => ReturnType<Run["call"]>;
  /** Audit rows, after everything was drained. */
  readonly rows: () => Promise<readonly ToolInvocationRow[]>;
}

export async function fixture(
  tools: readonly Tool[] = [linesTool()],
  options: Partial<HarnessOptions> = {},
  runOptions: Partial<OpenRunOptions> = {},
): Promise<Fixture> {
  let now = Date.UTC(2026, 2, 1, 8, 0, 0);
  const clock = () => now;
  const store = (options.store as MemoryStore | undefined) ?? new MemoryStore({ clock });
  const audit = new ListSink();
  const harness = createHarness({ store, audit, tools, clock, report: () => undefined, ...options });
  const run = await harness.openRun({ sessionId: "session-1", ...runOptions });
  let calls = 0;
  const first = tools[0]?.name ?? "query_lines";
  return {
    run,
    harness,
    store,
    audit,
    pass: (ms) => {
      now += ms;
    },
    call: (request = { service: `checkout-${calls}` }, toolName = first) => {
      calls += 1;
      return run.call({ toolCallId: `c${calls}`, toolName, request });
    },
    rows: async () => {
      await harness.close();
      return audit.rows;
    },
  };
}
