import type { AuditSink } from "../audit/audit.ts";
import { createHarness, type Harness } from "../boundary/harness.ts";
import type { Config } from "../config/config-schema.ts";
import type { CanonicalStore } from "../store/store.ts";
import { openAudit } from "./open-audit.ts";
import { openStore } from "./open-store.ts";
import { openTools } from "./open-tools.ts";
import { readConfig } from "./read-config.ts";

/** A harness with all that was opened for it. `close` ends it in the right order. */
export interface OpenedHarness {
  readonly harness: Harness;
  readonly store: CanonicalStore;
  readonly audit: AuditSink | null;
  close(): Promise<void>;
}

/** Opens what a configuration file names. Throws CONFIG_* with a message that names the place and the fix. */
export async function openFromFile(file: unknown): Promise<OpenedHarness> {
  const { config, folder } = await readConfig(file);
  return await openHarness(config, folder);
}

/** Paths of the configuration are relative to `folder`. What was opened before a part that fails is closed again. */
async function openHarness(config: Config, folder: string): Promise<OpenedHarness> {
  const closing: (() => Promise<void>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const store = await openStore(config.store);
    closing.push(store.close);
    const audit = config.audit === undefined ? null : await openAudit(config.audit, folder);
    if (audit !== null) closing.push(audit.close);
    const tools = await openTools(config.tools, folder);
    closing.push(tools.close);
    const harness = createHarness({
      store: store.store,
      tools: tools.tools,
      ...(config.limits === undefined ? {} : { limits: config.limits }),
      ...(audit === null ? {} : { audit: audit.audit }),
    });
    closing.push(() => harness.close());
    return { harness, store: store.store, audit: audit?.audit ?? null, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
