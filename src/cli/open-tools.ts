import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { parse } from "yaml";
import type { CollectionConfig, Config, DatasourceConfig, LogSourceConfig } from "../config/config-schema.ts";
import { BOUNDARY_ERRORS, BoundaryError } from "../model/errors.ts";
import { loadSqlite } from "../sqlite/sqlite.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { KnowledgeBackend } from "../tools/lookup-knowledge/backends/backend.ts";
import type { Tool } from "../tools/tool.ts";
import { unreadable } from "./read-config.ts";

/** The configured tools, and how to let go of what was opened for them. */
export interface OpenedTools {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

interface Opened {
  readonly tool: Tool;
  readonly close: () => Promise<void>;
}

/** Opens the backends of the configured tools. A folder or file that is missing is said now, not at the first call. */
export async function openTools(config: Config["tools"], folder: string): Promise<OpenedTools> {
  const opened: Opened[] = [];
  const close = async (): Promise<void> => {
    for (const { close: closeOne } of opened) await closeOne();
  };
  try {
    const { lookup_knowledge: knowledge, query_logs: logs, query_mysql: mysql } = config;
    if (knowledge !== undefined) opened.push(await openKnowledge(knowledge.collections, folder));
    if (logs !== undefined) opened.push(await openLogs(logs.sources, folder));
    if (mysql !== undefined) opened.push(await openMysql(mysql.datasources, folder));
  } catch (error) {
    await close();
    throw error;
  }
  if (opened.length === 0)
    throw new BoundaryError("CONFIG_INVALID", "tools", "No tool is configured: name at least one.");
  return { tools: opened.map(({ tool }) => tool), close };
}

async function openKnowledge(collections: Readonly<Record<string, CollectionConfig>>, base: string): Promise<Opened> {
  const { folderKnowledge } = await import("../tools/lookup-knowledge/backends/folder/folder-knowledge.ts");
  const { lookupKnowledgeTool } = await import("../tools/lookup-knowledge/lookup-knowledge.ts");
  const backends: KnowledgeBackend[] = [];
  for (const [collection, { folder, indexFile }] of Object.entries(collections)) {
    const place = resolve(base, folder);
    await mustBe("folder", place, `tools.lookup_knowledge.collections.${collection}.folder`);
    backends.push(
      folderKnowledge({
        collection,
        folder: place,
        ...(indexFile === undefined ? {} : { indexFile: resolve(base, indexFile) }),
      }),
    );
  }
  const tool = defineTool(lookupKnowledgeTool({ backends: nonEmpty(backends) }));
  return { tool, close: async () => void (await Promise.all(backends.map((backend) => backend.close()))) };
}

async function openLogs(sources: Readonly<Record<string, LogSourceConfig>>, base: string): Promise<Opened> {
  const { filesSource } = await import("../tools/query-logs/backends/files/files-source.ts");
  const { queryLogsTool } = await import("../tools/query-logs/query-logs.ts");
  const opened = Object.entries(sources).map(([name, { files, root, ...rest }]) => {
    const folder = root === undefined ? {} : { root: resolve(base, root) };
    return filesSource({ name, files: files.map((glob) => resolve(base, glob)), ...folder, ...rest });
  });
  return { tool: defineTool(queryLogsTool({ sources: nonEmpty(opened) })), close: async () => undefined };
}

async function openMysql(datasources: Readonly<Record<string, DatasourceConfig>>, base: string): Promise<Opened> {
  const [entry] = Object.entries(datasources);
  if (entry === undefined) throw new BoundaryError("CONFIG_INVALID", "tools.query_mysql.datasources");
  const [name, { file, policy: policyFile }] = entry;
  const place = `tools.query_mysql.datasources.${name}`;
  await mustBe("file", resolve(base, file), `${place}.file`);
  const { parseSqlPolicy } = await import("../tools/query-mysql/policy.ts");
  const { queryMysqlTool } = await import("../tools/query-mysql/query-mysql.ts");
  const { SqliteReadOnlyExecutor } = await import("../tools/query-mysql/sqlite/sqlite-executor.ts");
  const { SQLITE_DIALECT } = await import("../tools/query-mysql/sqlite/sqlite-dialect.ts");
  const policyPath = resolve(base, policyFile);
  const policy = inFile(policyPath, `${place}.policy`, parseSqlPolicy, await readYaml(policyPath, `${place}.policy`));
  if (policy.datasource !== name) {
    throw new BoundaryError(
      "CONFIG_INVALID",
      place,
      `${policyPath} is the policy of datasource '${policy.datasource}', but stands under '${name}'.`,
    );
  }
  await mustBeDatabase(resolve(base, file), `${place}.file`);
  const executor = new SqliteReadOnlyExecutor(resolve(base, file));
  const tool = defineTool(queryMysqlTool({ policy, executor, dialect: SQLITE_DIALECT }));
  return { tool, close: () => executor.close() };
}

async function readYaml(path: string, field: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new BoundaryError("CONFIG_UNREADABLE", field, `${field}: ${unreadable(path, error)}`);
  }
  try {
    return parse(text);
  } catch (error) {
    const [line] = error instanceof Error ? error.message.split("\n") : [];
    throw new BoundaryError("CONFIG_INVALID", field, `${path}: ${line ?? "not YAML"}`);
  }
}

/** A parser knows the field that is wrong, but not the file that it stands in. */
function inFile<T>(path: string, field: string, parseContent: (content: unknown) => T, content: unknown): T {
  try {
    return parseContent(content);
  } catch (error) {
    if (!BoundaryError.is(error)) throw error;
    const detail = error.message.replace(BOUNDARY_ERRORS[error.code].sentence, "").trim();
    throw new BoundaryError(error.code, field, `${path}: ${detail}`);
  }
}

async function mustBe(kind: "file" | "folder", path: string, field: string): Promise<void> {
  try {
    const found = await stat(path);
    if (kind === "folder" ? found.isDirectory() : found.isFile()) return;
  } catch (error) {
    throw new BoundaryError("CONFIG_UNREADABLE", field, `${field}: ${unreadable(path, error)}`);
  }
  throw new BoundaryError("CONFIG_UNREADABLE", field, `${field}: ${path} is not a ${kind}.`);
}

async function mustBeDatabase(path: string, field: string): Promise<void> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.prepare("SELECT name FROM sqlite_master LIMIT 1").all();
  } catch {
    throw new BoundaryError("CONFIG_UNREADABLE", field, `${field}: ${path} is not a SQLite database.`);
  } finally {
    database.close();
  }
}

function nonEmpty<T>(list: readonly T[]): readonly [T, ...T[]] {
  const [first, ...rest] = list;
  if (first === undefined) throw new BoundaryError("CONFIG_INVALID", "tools", "A tool needs at least one source.");
  return [first, ...rest];
}
