// The JSON Schemas of everything that crosses a boundary. `npm run schemas` writes them; a test holds them equal to the source.
import { mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { configSchema } from "../dist/config/config-schema.js";
import { DRAFT_SCHEMA } from "../dist/guard/draft-schema.js";
import { lookupKnowledgeRequest } from "../dist/tools/lookup-knowledge/request.js";
import { lookupKnowledgeResult } from "../dist/tools/lookup-knowledge/result.js";
import { queryLogsRequest } from "../dist/tools/query-logs/request.js";
import { queryLogsResult } from "../dist/tools/query-logs/result.js";
import { sqlPolicyFile } from "../dist/tools/query-mysql/policy.js";
import { queryMysqlRequest } from "../dist/tools/query-mysql/request.js";
import { queryMysqlResult } from "../dist/tools/query-mysql/result.js";
import { observationJsonSchema } from "../dist/views/observation-schema.js";

export const FOLDER = new URL("../schemas/", import.meta.url);

const DRAFT = "https://json-schema.org/draft/2020-12/schema";
const input = (schema) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
const output = (schema) => z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });

/** File name → schema. */
export function schemaFiles() {
  return {
    "dualview.schema.json": input(configSchema),
    "draft.schema.json": { $schema: DRAFT, ...DRAFT_SCHEMA },
    "observation.schema.json": { $schema: DRAFT, ...observationJsonSchema(null) },
    "lookup_knowledge.request.schema.json": input(lookupKnowledgeRequest),
    "lookup_knowledge.result.schema.json": output(lookupKnowledgeResult),
    "query_logs.request.schema.json": input(queryLogsRequest),
    "query_logs.result.schema.json": output(queryLogsResult),
    "query_mysql.request.schema.json": input(queryMysqlRequest),
    "query_mysql.result.schema.json": output(queryMysqlResult),
    "sql-policy.schema.json": input(sqlPolicyFile),
  };
}

export const textOf = (schema) => `${JSON.stringify(schema, null, 2)}\n`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, schema] of Object.entries(schemaFiles())) writeFileSync(new URL(name, FOLDER), textOf(schema));
}
