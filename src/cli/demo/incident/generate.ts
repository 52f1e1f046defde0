import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkoutLog } from "./checkout-log.ts";
import { edgeLog } from "./edge-log.ts";
import { inventoryLog } from "./inventory-log.ts";
import { checkouts } from "./orders.ts";
import { paymentsLog } from "./payments-log.ts";
import { SECRETS } from "./secrets.ts";
import { writeShopDatabase } from "./shop-database.ts";
import { LOGGED, QUESTION } from "./story.ts";
import { workerLog } from "./worker-log.ts";

/** The text assets, beside `dist` in the package and beside `src` in the repository. */
const ASSETS = fileURLToPath(new URL("../../../../examples/incident/", import.meta.url));

export type LogSource = "edge" | "checkout" | "payments" | "order-worker" | "inventory";

/** Absolute paths of a generated incident, and what to ask about it. Times are ISO 8601 UTC. */
export interface Incident {
  readonly folder: string;
  readonly logs: Readonly<Record<LogSource, string>>;
  readonly runbooks: string;
  readonly database: string;
  readonly policy: string;
  readonly config: string;
  readonly logLines: number;
  readonly question: string;
  readonly timeRange: { readonly from: string; readonly to: string };
}

/** Writes logs, runbooks, database and configuration into a new or empty folder. The same bytes every time, in about a second. */
export async function generateIncident(folder: string): Promise<Incident> {
  const attempts = checkouts();
  const texts: Readonly<Record<string, string>> = {
    "edge-access.log": edgeLog(attempts),
    "checkout.log": checkoutLog(attempts),
    "payments.ndjson": paymentsLog(attempts),
    "order-worker.log": workerLog(attempts),
    "inventory.ndjson": inventoryLog(),
  };
  const logs = join(folder, "logs");
  await mkdir(logs, { recursive: true });
  for (const [name, text] of Object.entries(texts)) await writeFile(join(logs, name), text);
  const database = join(folder, "shop.db");
  await writeShopDatabase(database, attempts);
  const runbooks = join(folder, "runbooks");
  await writeRunbooks(runbooks);
  for (const name of ["policy.yaml", "dualview.yaml"]) await cp(join(ASSETS, name), join(folder, name));
  return {
    folder,
    logs: {
      edge: join(logs, "edge-access.log"),
      checkout: join(logs, "checkout.log"),
      payments: join(logs, "payments.ndjson"),
      "order-worker": join(logs, "order-worker.log"),
      inventory: join(logs, "inventory.ndjson"),
    },
    runbooks,
    database,
    policy: join(folder, "policy.yaml"),
    config: join(folder, "dualview.yaml"),
    logLines: Object.values(texts).reduce((sum, text) => sum + lineCount(text), 0),
    question: QUESTION,
    timeRange: { from: new Date(LOGGED.from).toISOString(), to: new Date(LOGGED.to).toISOString() },
  };
}

/** Runbooks as they are in the package, with the on-call contacts filled in, which stand in no file of it. */
async function writeRunbooks(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(join(ASSETS, "runbooks"))) {
    const text = await readFile(join(ASSETS, "runbooks", name), "utf8");
    const filled = text
      .replaceAll("{{on_call_phone}}", SECRETS.onCallPhone)
      .replaceAll("{{on_call_email}}", SECRETS.onCallEmail);
    await writeFile(join(folder, name), filled);
  }
}

function lineCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
