import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { resolve } from "node:path";
import type { Config, LogSourceConfig } from "../../config/config-schema.ts";
import { findFiles } from "../../tools/query-logs/backends/files/glob.ts";
import { openTools } from "../open-tools.ts";
import { checkDatasource, isOnServer } from "./check-datasource.ts";
import { type Finding, failure, failureOfOpening, ok, warning } from "./finding.ts";

const WHY = "No process starts with this configuration.";

/** Checks what each tool reads, one source at a time, so that one that is missing hides no other. */
export async function checkTools(tools: Config["tools"], folder: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [place, part] of partsOf(tools)) {
    const [[name, datasource] = ["", undefined]] = Object.entries(part.query_mysql?.datasources ?? {});
    if (isOnServer(datasource)) {
      findings.push(...(await checkDatasource(place, name, datasource, folder)));
      continue;
    }
    const opening = await checkOpening(place, part, folder);
    const [source] = Object.values(part.query_logs?.sources ?? {});
    findings.push(
      source === undefined || opening.severity !== "ok" ? opening : await checkFiles(place, source, folder),
    );
  }
  if (findings.length > 0) return findings;
  return [failure("tools", { what: "No tool is configured.", why: WHY, fix: "Name at least one under 'tools'." })];
}

/** The configuration taken apart: each part has one tool with one source. */
function partsOf(tools: Config["tools"]): readonly (readonly [string, Config["tools"]])[] {
  const collections = Object.entries(tools.lookup_knowledge?.collections ?? {});
  const sources = Object.entries(tools.query_logs?.sources ?? {});
  const datasources = Object.entries(tools.query_mysql?.datasources ?? {});
  return [
    ...collections.map(
      ([name, one]) =>
        [`tools.lookup_knowledge.collections.${name}`, { lookup_knowledge: { collections: { [name]: one } } }] as const,
    ),
    ...sources.map(
      ([name, one]) => [`tools.query_logs.sources.${name}`, { query_logs: { sources: { [name]: one } } }] as const,
    ),
    ...datasources.map(
      ([name, one]) =>
        [`tools.query_mysql.datasources.${name}`, { query_mysql: { datasources: { [name]: one } } }] as const,
    ),
  ];
}

async function checkOpening(place: string, part: Config["tools"], folder: string): Promise<Finding> {
  try {
    await (await openTools(part, folder)).close();
    return ok(place, "Can be opened.");
  } catch (error) {
    return failureOfOpening(place, error, WHY);
  }
}

async function checkFiles(place: string, { files }: LogSourceConfig, folder: string): Promise<Finding> {
  const globs = files.map((glob) => resolve(folder, glob));
  const found = await findFiles(globs, undefined);
  if (found.length === 0) {
    return warning(place, {
      what: "No file is there that its globs name.",
      why: "Every call of it answers SOURCE_NOT_FOUND.",
      fix: "Correct 'files', or see that the log is written on this machine.",
    });
  }
  const unreadable = (await Promise.all(found.map(({ path }) => isReadable(path)))).filter((is) => !is).length;
  if (unreadable === 0) return ok(place, `${found.length} ${found.length === 1 ? "file" : "files"} can be read.`);
  return warning(place, {
    what: `${unreadable} of ${found.length} files may not be read by this user.`,
    why: "What stands in them is never found, and an answer without them is marked as partial.",
    fix: "Give this user the right to read them.",
  });
}

async function isReadable(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
