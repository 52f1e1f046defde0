import { z } from "zod";
import type { LimitOptions } from "../boundary/limits.ts";
import type { Encoding } from "../tools/query-logs/events/decode.ts";
import { type AuditConfig, auditConfig } from "./audit-config.ts";
import { type DatasourceConfig, datasourceConfig } from "./datasource-config.ts";
import { type StoreConfig, storeConfig } from "./store-config.ts";

export interface CollectionConfig {
  readonly folder: string;
  readonly indexFile?: string;
}

export interface LogSourceConfig {
  readonly files: readonly string[];
  readonly root?: string;
  readonly linePattern?: string;
  readonly timeZone?: string;
  readonly service?: string;
  readonly encoding?: Encoding;
}

/** `dualview.yaml`, checked. Paths are as written: relative to the file. */
export interface Config {
  readonly store?: StoreConfig;
  readonly audit?: AuditConfig;
  readonly limits?: LimitOptions;
  readonly tools: {
    readonly lookup_knowledge?: { readonly collections: Readonly<Record<string, CollectionConfig>> };
    readonly query_logs?: { readonly sources: Readonly<Record<string, LogSourceConfig>> };
    readonly query_mysql?: { readonly datasources: Readonly<Record<string, DatasourceConfig>> };
  };
}

const positive = z.int().positive();
const name = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, "1 to 64 of A-Z a-z 0-9 . _ -");
const path = z.string().min(1).describe("Relative to the configuration file.");

const limits = z
  .strictObject({
    call: z
      .strictObject({
        requestBytes: positive.exactOptional(),
        rawBytes: positive.exactOptional(),
        projectionBytes: positive.exactOptional(),
        deadlineMs: positive.exactOptional(),
      })
      .exactOptional(),
    run: z
      .strictObject({
        calls: positive.exactOptional(),
        requestBytes: positive.exactOptional(),
        rawBytes: positive.exactOptional(),
        projectionBytes: positive.exactOptional(),
      })
      .exactOptional(),
    runLifetimeMs: positive.exactOptional(),
    recordTtlMs: positive.exactOptional(),
    noGain: positive.exactOptional(),
  })
  .describe("Budgets of a run and caps of a call.");

const knowledge = z.strictObject({
  collections: z
    .record(name, z.strictObject({ folder: path, indexFile: path.exactOptional() }))
    .refine((collections) => Object.keys(collections).length > 0, "at least one collection"),
});

const logSource = z.strictObject({
  files: z.array(z.string().min(1)).min(1).describe("Globs, relative to the configuration file."),
  root: path.exactOptional().describe("Folder that links may lead to but not out of; default: each glob's fixed part."),
  linePattern: z
    .string()
    .exactOptional()
    .describe(
      "For lines of no known format: a regular expression with the named groups time, level, service, logger, message.",
    ),
  timeZone: z.string().exactOptional().describe("IANA zone of times that are written without one."),
  service: z.string().exactOptional().describe("Service of events that name none."),
  encoding: z.enum(["utf-8", "utf-16le", "utf-16be", "gb18030", "latin1"]).exactOptional(),
});

const logs = z.strictObject({
  sources: z.record(name, logSource).refine((sources) => Object.keys(sources).length > 0, "at least one source"),
});

const mysql = z.strictObject({
  datasources: z
    .record(name, datasourceConfig)
    .refine((datasources) => Object.keys(datasources).length === 1, "exactly one datasource"),
});

/** The whole of `dualview.yaml`. */
export const configSchema: z.ZodType<Config> = z.strictObject({
  store: storeConfig.exactOptional(),
  audit: auditConfig.exactOptional(),
  limits: limits.exactOptional(),
  tools: z
    .strictObject({
      lookup_knowledge: knowledge.exactOptional(),
      query_logs: logs.exactOptional(),
      query_mysql: mysql.exactOptional(),
    })
    .describe("Which tools a model gets, and what they read."),
});
