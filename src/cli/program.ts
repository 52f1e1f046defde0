import { Command } from "commander";
import type { CommandIo, ExitCode } from "./io.ts";
import { packageVersion } from "./version.ts";

type Options = Readonly<Record<string, unknown>>;
interface CommandModule {
  run(options: Options, io: CommandIo): Promise<ExitCode>;
}
type Act = (load: () => Promise<CommandModule>) => (options: Options, command: Command) => Promise<void>;

const ABOUT =
  "An evidence-grade boundary between an AI agent and its tools. The backend's answer stays with the Harness; the model " +
  "gets a bounded, redacted observation; a guard checks every claim against what was stored; an audit keeps metadata.";

const START_HERE = `
Start here:
  dualview demo                         one incident from the first call to the guard's verdict
  dualview try redact < app.log         what a model would see of a text
  dualview serve --config dualview.yaml the tools over MCP on stdin and stdout
  dualview audit tail                   what was called, as it happens
  dualview doctor                       whether everything a configuration names is in order

Exit codes: 0 done, 1 done with a negative finding, 2 wrong use or configuration.`;

const KNOWLEDGE_LINES = `
A line of each file:
  {"_id":"d1","title":"Pool exhausted","text":"Roll back the deployment that made the pool smaller."}
  {"_id":"q1","text":"connection pool exhausted"}

Answers {query_id, hits: [{doc_id, rank, relevance_level}]}; BELOW_FLOOR marks what a search would not have returned.`;

const GUARD_LINE = `
A line, here in several; records are what the store holds, times are ISO 8601:
  {"id":1,"run_id":"r1","now":"2026-01-02T12:00:00Z",
   "records":[{"run_id":"r1","tool_call_id":"c1","tool_name":"query_logs","status":"READY",
     "evidence_status":"EVIDENCE_FOUND","scope":{"service":"checkout"},
     "agent_result":{"truncated":false,"items":[{"item_id":"e1","text":"pool timed out"}]}}],
   "draft":{"claims":[{"kind":"observation","text":"The pool timed out.",
     "citations":[{"tool_call_id":"c1","item_id":"e1","quote":"pool timed out"}]}]}}

Also understood: store_down (true), audit_ids (ids whose records are gone), expires_at of a record.`;

const PROGRESS_LINE = `
A line, here in several; the calls of one step are parallel:
  {"id":1,"steps":[
    {"calls":[{"id":"c1","tool":"query_logs","req":{"service":"a","q":"timeout","from": "14:00","to": "14:30"},
      "res":{"status":"READY","truncated":false,"items":[{"id":"e1"}]}}]},
    {"calls":[{"id":"c2","tool":"query_logs","req":{"service":"a","q":"timeout","from": "14:00","to": "14:30"}}]}]}

Also understood: eval of a step ({verdict, items, hypothesis}), at of a call (a time), config.T (batches without gain before a stop).`;

/** Builds the command line; each command's module is loaded when it is run. */
export function buildProgram(io: CommandIo, done: (code: ExitCode) => void): Command {
  const act: Act = (load) => async (_options, command) => {
    const module = await load();
    done(await module.run(command.optsWithGlobals(), io));
  };
  const program = new Command("dualview")
    .description(ABOUT)
    .version(packageVersion())
    .addHelpText("after", START_HERE)
    .showHelpAfterError("(dualview --help shows what there is)")
    .configureOutput({ writeOut: (text) => void io.stdout.write(text), writeErr: (text) => void io.stderr.write(text) })
    .exitOverride();
  addDemo(program, act);
  addServe(program, act);
  addTries(program, act);
  addAudit(program, act);
  addDoctor(program, act);
  addSql(program, act);
  return program;
}

function addDemo(program: Command, act: Act): void {
  program
    .command("demo")
    .description(
      "Run the bundled incident: what backends returned, what the model saw, what the audit kept, and the verdicts",
    )
    .option("--json", "the same facts for machines")
    .option("--keep <folder>", "write the incident's logs, database and configuration there and leave them")
    .addHelpText(
      "after",
      "\nWith --keep, go on with your own questions:\n  dualview demo --keep incident\n  dualview serve --config incident/dualview.yaml",
    )
    .action(act(() => import("./demo/demo.ts")));
}

function addServe(program: Command, act: Act): void {
  program
    .command("serve")
    .description(
      "Serve the configured tools over MCP on stdin and stdout, with recall_observation and submit_diagnosis",
    )
    .option("--config <file>", "configuration", "dualview.yaml")
    .option("--session <id>", "session that the run belongs to", "stdio")
    .option("--run <id>", "id of the run; a new one when absent")
    .addHelpText(
      "after",
      '\nIn an MCP client:\n  { "command": "npx", "args": ["dualview", "serve", "--config", "/path/to/dualview.yaml"] }\n\n' +
        "One process serves one run: a published diagnosis ends it.",
    )
    .action(act(() => import("./serve.ts")));
}

function addTries(program: Command, act: Act): void {
  const tries = program.command("try").description("Try one part on your own input");
  tries
    .command("redact")
    .description("Redact text from stdin")
    .option("--ndjson", "{id,text} lines in, {id,text,findings} lines out; each line is a run of its own")
    .addHelpText("after", "\nExample:\n  echo 'login password=s3cr3t-value from 10.1.2.3' | dualview try redact")
    .action(act(() => import("./try/redact.ts")));
  tries
    .command("sql")
    .description("Check SQL from stdin against a policy; nothing is executed")
    .option("--policy <file>", "tables and columns that may be read (YAML or JSON)")
    .option("--config <file>", "instead: the datasource of a configuration, with the columns that are there")
    .option("--ndjson", "{id,sql} lines in, {id,decision,code,plan} lines out")
    .addHelpText(
      "after",
      "\nExample:\n  echo 'SELECT id FROM orders' | dualview try sql --policy examples/incident/policy.yaml",
    )
    .action(act(() => import("./try/sql.ts")));
  tries
    .command("logs")
    .description("Make one observation of log lines from stdin: patterns, counts, samples")
    .option("--assign", "instead, one {id, template} line for each input line")
    .option("--content", "the lines are messages without a header")
    .addHelpText("after", "\nExample:\n  dualview try logs < app.log")
    .action(act(() => import("./try/logs.ts")));
  addTriesOnLines(tries, act);
}

/** These take lines of a form of their own, so their help shows one. */
function addTriesOnLines(tries: Command, act: Act): void {
  tries
    .command("knowledge")
    .description("Search documents: which are found for each query, at which level")
    .requiredOption("--docs <file>", "documents, one {_id,title,text} a line")
    .requiredOption("--queries <file>", "queries, one {_id,text} a line")
    .option("--top <n>", "hits a query", "10")
    .addHelpText("after", KNOWLEDGE_LINES)
    .action(act(() => import("./try/knowledge.ts")));
  tries
    .command("guard")
    .description("Check drafts: {id, run_id, records, draft} lines in, {id, verdict, codes} lines out")
    .addHelpText("after", GUARD_LINE)
    .action(act(() => import("./try/guard.ts")));
  tries
    .command("progress")
    .description("Play call sequences: {id, steps} lines in, {id, steps} lines with each decision out")
    .addHelpText("after", PROGRESS_LINE)
    .action(act(() => import("./try/progress.ts")));
}

function addAudit(program: Command, act: Act): void {
  const audit = program.command("audit").description("Read, migrate and prune the audit");
  const source = (command: Command): Command =>
    command
      .option("--config <file>", "configuration that names the audit", "dualview.yaml")
      .option("--file <file>", "a SQLite audit file, instead of the configured one")
      .option("--json", "one JSON row a line");
  const chosen = (command: Command): Command =>
    source(command)
      .option("--run <id>", "only this run")
      .option("--session <id>", "only this session")
      .option("--tool <name>", "only this tool");
  chosen(audit.command("list").description("List calls, newest first"))
    .option("--limit <n>", "rows at most", "50")
    .action(act(() => import("./audit/list.ts")));
  chosen(audit.command("tail").description("Show calls as they are made, until interrupted")).action(
    act(() => import("./audit/tail.ts")),
  );
  source(audit.command("stats").description("Sum up the calls by tool, outcome and code")).action(
    act(() => import("./audit/stats.ts")),
  );
  source(audit.command("prune").description("Delete calls, steps and runs that are older than a span of time"))
    .requiredOption("--older-than <span>", "what is kept at least, such as 180d, 26w or 12h")
    .option("--batch <n>", "rows that one transaction looks at", "1000")
    .addHelpText("after", "\nExample:\n  dualview audit prune --older-than 180d")
    .action(act(() => import("./audit/prune.ts")));
  source(audit.command("migrate").description("Create or update the audit's tables, or adopt existing ones")).action(
    act(() => import("./audit/migrate.ts")),
  );
}

function addDoctor(program: Command, act: Act): void {
  program
    .command("doctor")
    .description("Check everything a configuration names: store, audit, tools. Changes nothing")
    .option("--config <file>", "configuration", "dualview.yaml")
    .option("--json", "one object {healthy, findings} for machines")
    .addHelpText("after", "\nExit 1 when a finding is an error; warnings and notes alone are exit 0.")
    .action(act(() => import("./doctor/doctor.ts")));
}

function addSql(program: Command, act: Act): void {
  program
    .command("sql")
    .description("Prepare a database server for query_mysql")
    .command("grants")
    .description("Print the GRANT statements that a policy needs, and no more; nothing is executed")
    .requiredOption("--policy <file>", "tables and columns that may be read (YAML or JSON)")
    .option("--account <account>", "whom to grant them to", "'dualview'@'%'")
    .option("--json", "one object {grants} for machines")
    .addHelpText("after", "\nExample:\n  dualview sql grants --policy policy.yaml --account \"'dualview'@'10.0.0.%'\"")
    .action(act(() => import("./sql/grants.ts")));
}
