import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { CollectionConfig, Config, LogSourceConfig } from "../config/config-schema.ts";
import type { DatasourceConfig } from "../config/datasource-config.ts";
import { BoundaryError } from "../model/errors.ts";
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
    await mustBeFolder(place, `tools.lookup_knowledge.collections.${collection}.folder`);
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
  const { queryMysqlTool } = await import("../tools/query-mysql/query-mysql.ts");
  const { openDatasource } = await import("./open-datasource.ts");
  const { close, ...datasource } = await openDatasource(datasources, base);
  return { tool: defineTool(queryMysqlTool(datasource)), close };
}

async function mustBeFolder(path: string, field: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) return;
  } catch (error) {
    throw new BoundaryError("CONFIG_UNREADABLE", field, `${field}: ${unreadable(path, error)}`);
  }
  throw new BoundaryError("CONFIG_UNREADABLE", field, `${field}: ${path} is not a folder.`);
}

function nonEmpty<T>(list: readonly T[]): readonly [T, ...T[]] {
  const [first, ...rest] = list;
  if (first === undefined) throw new BoundaryError("CONFIG_INVALID", "tools", "A tool needs at least one source.");
  return [first, ...rest];
}
