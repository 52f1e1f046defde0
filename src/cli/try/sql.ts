import { readFile } from "node:fs/promises";
import { parse as parseYaml } from "yaml";
import { BoundaryError } from "../../model/errors.ts";
import { policyCatalog } from "../../tools/query-mysql/catalog.ts";
import { parseSqlPolicy, type SqlPolicy } from "../../tools/query-mysql/policy.ts";
import { MysqlSqlValidator, type Validation } from "../../tools/query-mysql/validator.ts";
import { answerLines, type CommandIo, EXIT, type ExitCode, readAll, UsageError, write } from "../io.ts";
import { unreadable } from "../read-config.ts";

/** `dualview try sql`: says of each statement whether it would be run, and as what. Nothing is executed. */
export async function run(options: Readonly<Record<string, unknown>>, io: CommandIo): Promise<ExitCode> {
  const policy = await readPolicy(String(options["policy"]));
  const validator = new MysqlSqlValidator(policy, policyCatalog(policy));
  if (options["ndjson"] === true) {
    await answerLines(io, (input) => answer(validator, input));
    return EXIT.ok;
  }
  const sql = (await readAll(io.stdin)).trim();
  const result = validator.validate(sql);
  await write(io.stdout, explain(sql, result));
  return result.kind === "allowed" ? EXIT.ok : EXIT.negative;
}

async function readPolicy(path: string): Promise<SqlPolicy> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new UsageError(`--policy: ${unreadable(path, error)}`);
  }
  try {
    return parseSqlPolicy(parseYaml(text));
  } catch (error) {
    if (BoundaryError.is(error)) throw new UsageError(`--policy ${path}: ${error.message}`);
    throw new UsageError(`--policy ${path}: neither JSON nor YAML`);
  }
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
