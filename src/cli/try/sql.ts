import { policyCatalog } from "../../tools/query-mysql/catalog.ts";
import { MysqlSqlValidator, type Validation } from "../../tools/query-mysql/validator.ts";
import { answerLines, type CommandIo, EXIT, type ExitCode, readAll, UsageError, write } from "../io.ts";
import { readConfig } from "../read-config.ts";
import { readPolicyFile } from "../sql/policy-file.ts";

/** `dualview try sql`: says of each statement whether it would be run, and as what. Nothing is executed. */
export async function run(options: Readonly<Record<string, unknown>>, io: CommandIo): Promise<ExitCode> {
  const { validator, close } = await openValidator(options);
  try {
    return await check(validator, options["ndjson"] === true, io);
  } finally {
    await close();
  }
}

async function check(validator: MysqlSqlValidator, lines: boolean, io: CommandIo): Promise<ExitCode> {
  if (lines) {
    await answerLines(io, (input) => answer(validator, input));
    return EXIT.ok;
  }
  const sql = (await readAll(io.stdin)).trim();
  const result = validator.validate(sql);
  await write(io.stdout, explain(sql, result));
  return result.kind === "allowed" ? EXIT.ok : EXIT.negative;
}

interface Opened {
  readonly validator: MysqlSqlValidator;
  close(): Promise<void>;
}

/** A policy alone knows the columns that it lists; a configured datasource those that are there, and how its server is spoken to. */
async function openValidator({ policy: file, config }: Readonly<Record<string, unknown>>): Promise<Opened> {
  if ((file === undefined) === (config === undefined)) throw new UsageError("give one of --policy and --config.");
  if (config === undefined) {
    const policy = await readPolicyFile(String(file));
    return { validator: new MysqlSqlValidator(policy, policyCatalog(policy)), close: async () => undefined };
  }
  const { openDatasource } = await import("../open-datasource.ts");
  const { config: loaded, folder } = await readConfig(config);
  const { query_mysql: tool } = loaded.tools;
  if (tool === undefined) throw new UsageError("--config: it configures no 'tools.query_mysql'.");
  const { policy, catalog, dialect, close } = await openDatasource(tool.datasources, folder);
  return { validator: new MysqlSqlValidator(policy, catalog, dialect), close };
}

function answer(validator: MysqlSqlValidator, input: unknown): unknown {
  const line = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  const id = line["id"] ?? null;
  if (typeof line["sql"] !== "string") return { id, decision: "REJECT", code: "REQUEST_INVALID" };
  const result = validator.validate(line["sql"]);
  if (result.kind === "rejected") return { id, decision: "REJECT", code: result.code, at: result.at };
  const { sql, params, tables, columns, maxRows, fingerprint } = result.plan;
  return { id, decision: "ALLOW", code: null, plan: { sql, params, tables, columns, max_rows: maxRows, fingerprint } };
}

function explain(sql: string, result: Validation): string {
  if (result.kind === "rejected") {
    return `REJECT ${result.code}: ${result.detail}\n\n${pointAt(sql, result.at)}`;
  }
  const { plan } = result;
  const columns = plan.columns.map(({ name, lineage, sensitive, rewritten }) => {
    const source = lineage.length === 0 ? "no column" : lineage.join(", ");
    const note = sensitive ? "  (sensitive: shown masked)" : rewritten ? "  (made text: odd pieces held back)" : "";
    return `  ${name}  from ${source}${note}`;
  });
  const params = plan.params.map((value, i) => `  ${i + 1}  ${JSON.stringify(value)}`);
  return [
    `ALLOW  at most ${plan.maxRows} rows of ${plan.tables.join(", ") || "no table"}`,
    "",
    plan.sql,
    ...(params.length === 0 ? [] : ["", "parameters", ...params]),
    "",
    "columns",
    ...columns,
    "",
  ].join("\n");
}

/** The line of the statement with a caret under the place. */
function pointAt(sql: string, at: number): string {
  const start = sql.lastIndexOf("\n", at - 1) + 1;
  const found = sql.indexOf("\n", at);
  const line = sql.slice(start, found < 0 ? undefined : found).replace(/[\t\r]/g, " ");
  const from = Math.max(0, at - start - 60);
  const shown = line.slice(from, from + 110);
  const width = [...line.slice(from, at - start)].reduce(
    (sum, char) => sum + (/[\u1100-\uffdc]/.test(char) ? 2 : 1),
    0,
  );
  return `  ${shown}\n  ${" ".repeat(width)}^\n`;
}
