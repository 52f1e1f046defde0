import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { McpRunServer } from "../mcp/server.ts";
import { type CommandIo, EXIT, type ExitCode, write } from "./io.ts";
import { openFromFile } from "./open-harness.ts";
import { packageVersion } from "./version.ts";

interface ServeOptions {
  readonly config?: string;
  readonly session?: string;
  readonly run?: string;
}

/** Serves the configured tools over MCP on stdin and stdout, all in one run, until the client hangs up. */
export async function run(options: ServeOptions, io: CommandIo): Promise<ExitCode> {
  const opened = await openFromFile(options.config);
  const { harness } = opened;
  const ids = { sessionId: options.session ?? "stdio", ...(options.run === undefined ? {} : { runId: options.run }) };
  const diagnosis = await harness.openRun(ids);
  const server = new McpRunServer({ run: diagnosis, tools: harness.tools, version: packageVersion() });
  const transport = new ClosingTransport();
  const handle = serveStdio(() => server.connect(), { transport });
  const names = harness.tools.map((tool) => tool.name).join(", ");
  await write(io.stderr, `dualview: serving ${names} over stdio in run ${diagnosis.runId}\n`);
  await untilClosed(transport);
  await handle.close();
  // whoever closes the pipe in the middle leaves a run behind that nobody will conclude
  await diagnosis.stop("CLIENT_GONE");
  await opened.close();
  return EXIT.ok;
}

/** Says when it is closed, whoever closed it: it gives up by itself on a message that is larger than it takes. */
class ClosingTransport extends StdioServerTransport {
  readonly closed: Promise<void>;
  #close: () => void = () => undefined;

  constructor() {
    super();
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#close();
  }
}

/** The client closes our input when it is done; a signal asks for the same. */
async function untilClosed(transport: ClosingTransport): Promise<void> {
  await new Promise<void>((resolve) => {
    void transport.closed.then(resolve);
    process.stdin.once("end", resolve).once("close", resolve);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
