import type { Config } from "../../config/config-schema.ts";
import { wrapColumns } from "../display.ts";
import { type CommandIo, EXIT, type ExitCode, write } from "../io.ts";
import { readConfig } from "../read-config.ts";
import { checkAudit } from "./check-audit.ts";
import { checkStore } from "./check-store.ts";
import { checkTools } from "./check-tools.ts";
import { type Finding, warning } from "./finding.ts";

interface DoctorOptions {
  readonly config?: string;
  readonly json?: boolean;
}

const COLUMNS = 110;
const INDENT = 10;

/** Checks everything that a configuration names, and changes nothing. */
export async function run(options: DoctorOptions, io: CommandIo): Promise<ExitCode> {
  const { config, folder } = await readConfig(options.config);
  const findings = [
    ...checkSecrets(config),
    ...(await checkStore(config.store)),
    ...(await checkAudit(config.audit, folder)),
    ...(await checkTools(config.tools, folder)),
  ];
  const healthy = findings.every(({ severity }) => severity !== "error");
  const text = options.json === true ? JSON.stringify({ healthy, findings }) : render(findings);
  await write(io.stdout, `${text}\n`);
  return healthy ? EXIT.ok : EXIT.negative;
}

/** Passwords that stand in the file itself. */
function checkSecrets({ store, audit, tools }: Config): readonly Finding[] {
  const datasources = Object.entries(tools.query_mysql?.datasources ?? {}).map(
    ([name, one]) => [`tools.query_mysql.datasources.${name}.url`, one.driver === "mysql" ? one.url : ""] as const,
  );
  const urls = {
    ...Object.fromEntries(datasources),
    "store.url": store?.driver === "redis" ? store.url : "",
    "audit.url": audit?.driver === "mysql" ? audit.url : "",
  };
  return Object.entries(urls)
    .filter(([, url]) => typeof url === "string" && /^[a-z]+:\/\/[^/@]*:[^/]+@/i.test(url))
    .map(([place]) =>
      warning(`config.${place}`, {
        what: `'${place}' holds a password in plain text.`,
        why: "Whoever may read or copy the configuration has it.",
        fix: "Take it out of the URL and name an environment variable: 'password: { env: NAME }'.",
      }),
    );
}

function render(findings: readonly Finding[]): string {
  const count = (severity: Finding["severity"]): number => findings.filter((one) => one.severity === severity).length;
  const lines = findings.flatMap(({ severity, check, what, why, fix }) => [
    `${severity.padEnd(INDENT)}${check}`,
    ...what.split("\n").flatMap((line) => indented(line)),
    ...(why === undefined ? [] : indented(`Why it matters: ${why}`)),
    ...(fix === undefined ? [] : indented(`What to do: ${fix}`)),
  ]);
  const total = `${findings.length} checks. Errors: ${count("error")}, warnings: ${count("warning")}, notes: ${count("note")}.`;
  return [...lines, "", total].join("\n");
}

function indented(text: string): string[] {
  return wrapColumns(text, COLUMNS - INDENT).map((line) => " ".repeat(INDENT) + line);
}
