import { resolve } from "node:path";
import type { AuditSink } from "../audit/audit.ts";
import { createHarness, type Harness } from "../boundary/harness.ts";
import type { Config } from "../config/config-schema.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { openTools } from "./open-tools.ts";
import { readConfig } from "./read-config.ts";

/** A harness with all that was opened for it. `close` ends it in the right order. */
export interface OpenedHarness {
  readonly harness: Harness;
  readonly store: MemoryStore;
  readonly audit: AuditSink | null;
  close(): Promise<void>;
}

/** Opens what a configuration file names. Throws CONFIG_* with a message that names the place and the fix. */
export async function openFromFile(file: unknown): Promise<OpenedHarness> {
  const { config, folder } = await readConfig(file);
  return await openHarness(config, folder);
}

/** Paths of the configuration are relative to `folder`. */
async function openHarness(config: Config, folder: string): Promise<OpenedHarness> {
  const tools = await openTools(config.tools, folder);
  const audit = await openAudit(config, folder);
  const { driver: _, ...bounds } = config.store ?? { driver: "memory" };
  const store = new MemoryStore(bounds);
  const limits = config.limits === undefined ? {} : { limits: config.limits };
  const harness = createHarness({ store, tools: tools.tools, ...limits, ...(audit === null ? {} : { audit }) });
  const close = async (): Promise<void> => {
    await harness.close();
    await tools.close();
    await audit?.close();
    await store.close();
  };
  return { harness, store, audit, close };
}

/** The audit that a configuration names; null where it names none. */
export async function openAudit(config: Config, folder: string): Promise<AuditSink | null> {
  if (config.audit === undefined) return null;
  const { sqliteAudit } = await import("../audit/sqlite/sqlite-audit.ts");
  return await sqliteAudit({ file: resolve(folder, config.audit.file) });
}
