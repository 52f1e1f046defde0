import { createHash } from "node:crypto";
import { z } from "zod";
import { BoundaryError } from "../../model/errors.ts";
import { nearest } from "./nearest.ts";
import { foldCase } from "./sql/characters.ts";
import { LIMITS } from "./sql/limits.ts";

const names = z.array(z.string().min(1).max(64));
const tableColumns = z.record(z.string(), names);
const bytes = z.number().int().min(64).max(16_777_216);

/** The file form of a policy: JSON or YAML. Tables are `schema.table`; what is not listed is not readable. */
export const sqlPolicyFile: z.ZodType<SqlPolicyFile> = z.strictObject({
  datasource: z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/),
  dialect: z.string().exactOptional(),
  defaultSchema: z.string().min(1).max(64),
  tables: tableColumns,
  sensitiveColumns: tableColumns.exactOptional(),
  hiddenColumns: tableColumns.exactOptional(),
  hiddenTables: z.array(z.string()).exactOptional(),
  maxRows: z.number().int().min(1).max(10_000).exactOptional(),
  maxSqlBytes: z.number().int().min(64).max(LIMITS.bytes).exactOptional(),
  maxDepth: z.number().int().min(4).max(LIMITS.depth).exactOptional(),
  maxCellBytes: bytes.exactOptional(),
  maxRawBytes: bytes.exactOptional(),
  notes: z.string().exactOptional(),
});

export interface SqlPolicyFile {
  readonly datasource: string;
  readonly dialect?: string;
  readonly defaultSchema: string;
  readonly tables: Readonly<Record<string, readonly string[]>>;
  readonly sensitiveColumns?: Readonly<Record<string, readonly string[]>>;
  readonly hiddenColumns?: Readonly<Record<string, readonly string[]>>;
  readonly hiddenTables?: readonly string[];
  readonly maxRows?: number;
  readonly maxSqlBytes?: number;
  readonly maxDepth?: number;
  readonly maxCellBytes?: number;
  readonly maxRawBytes?: number;
  readonly notes?: string;
}

/** What may be read of one table. */
export interface TablePolicy {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** Among `columns`: shown masked, never filtered, ordered or calculated with. */
  readonly sensitive: ReadonlySet<string>;
  /** Columns known to exist that are never read; a catalog of a real server adds the others. */
  readonly hidden: readonly string[];
}

/** Which tables and columns of one datasource a model may read, and how much of them. Sizes in UTF-8 bytes. */
export interface SqlPolicy {
  readonly datasource: string;
  readonly defaultSchema: string;
  readonly tables: ReadonlyMap<string, TablePolicy>;
  readonly maxRows: number;
  readonly maxSqlBytes: number;
  readonly maxDepth: number;
  readonly maxCellBytes: number;
  readonly maxRawBytes: number;
}

/** Reads the parsed content of a policy file. Throws CONFIG_INVALID that names the field and, for an unknown one, the nearest known. */
export function parseSqlPolicy(content: unknown): SqlPolicy {
  const parsed = sqlPolicyFile.safeParse(content);
  if (!parsed.success) throw invalid(describe(parsed.error.issues));
  const file = parsed.data;
  const tables = new Map<string, TablePolicy>();
  for (const key of Object.keys(file.tables)) tables.set(key, tablePolicy(file, key));
  refuseUnknownTables("sensitiveColumns", file.sensitiveColumns, tables);
  refuseUnknownTables("hiddenColumns", file.hiddenColumns, tables);
  return {
    datasource: file.datasource,
    defaultSchema: file.defaultSchema,
    tables,
    maxRows: file.maxRows ?? 200,
    maxSqlBytes: file.maxSqlBytes ?? LIMITS.bytes,
    maxDepth: file.maxDepth ?? LIMITS.depth,
    maxCellBytes: file.maxCellBytes ?? 2_048,
    maxRawBytes: file.maxRawBytes ?? 8_388_608,
  };
}

function refuseUnknownTables(
  field: string,
  listed: Readonly<Record<string, unknown>> = {},
  tables: ReadonlyMap<string, unknown>,
): void {
  const unknown = Object.keys(listed).find((key) => !tables.has(key));
  if (unknown === undefined) return;
  throw invalid(`${field}.${unknown}: not a table of 'tables'${nearest(unknown, [...tables.keys()])}`);
}

/** Digest of everything in a policy that changes which rows and cells are shown. */
export function sqlPolicyDigest(policy: SqlPolicy): string {
  const tables = [...policy.tables].map(([key, { columns, sensitive, hidden }]) => ({
    key,
    columns,
    sensitive: [...sensitive].sort(),
    hidden,
  }));
  return createHash("sha256")
    .update(JSON.stringify({ ...policy, tables }), "utf8")
    .digest("hex");
}

function tablePolicy(file: SqlPolicyFile, key: string): TablePolicy {
  const [schema, name, ...more] = key.split(".");
  if (!schema || !name || more.length > 0) throw invalid(`tables.${key}: write schema.table`);
  const columns = file.tables[key] ?? [];
  const sensitive = file.sensitiveColumns?.[key] ?? [];
  const hidden = file.hiddenColumns?.[key] ?? [];
  if (columns.length === 0) throw invalid(`tables.${key}: at least one column is needed`);
  for (const column of sensitive) {
    if (!columns.includes(column))
      throw invalid(`sensitiveColumns.${key}: ${column} is no column of it${nearest(column, columns)}`);
  }
  // columns are the same whatever the case of their letters
  const twice = [...columns, ...hidden].find((column, i, all) => all.map(foldCase).indexOf(foldCase(column)) !== i);
  if (twice !== undefined) throw invalid(`tables.${key}: ${twice} is listed twice or hidden as well`);
  return { schema, name, columns, sensitive: new Set(sensitive), hidden };
}

function invalid(detail: string): BoundaryError {
  return new BoundaryError("CONFIG_INVALID", undefined, detail);
}

function describe(issues: readonly z.core.$ZodIssue[]): string {
  const [issue] = issues;
  if (issue === undefined) return "the policy cannot be read";
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    return `${[...path, key].join(".")}: unknown field${nearest(key, FIELDS)}`;
  }
  return `${path.join(".") || "policy"}: ${issue.message}`;
}

const FIELDS: readonly string[] = [
  ...[
    "datasource",
    "dialect",
    "defaultSchema",
    "tables",
    "sensitiveColumns",
    "hiddenColumns",
    "hiddenTables",
    "maxRows",
  ],
  ...["maxSqlBytes", "maxDepth", "maxCellBytes", "maxRawBytes", "notes"],
];
