import { JsonLog } from "./payments-log.ts";
import { createRandom } from "./random.ts";
import { CACHE_FAILOVER, LOGGED, within } from "./story.ts";

/** NDJSON of a service that had its own small trouble an hour earlier, and none during the outage. */
export function inventoryLog(): string {
  const random = createRandom(0x1472);
  const log = new JsonLog("inventory");
  for (let at = LOGGED.from; at < LOGGED.to; at += 4_000) {
    const failing = within(at, CACHE_FAILOVER);
    const lookup = { sku: `SKU-${random.between(1_000, 9_999)}`, took_ms: failing ? 240 : random.between(2, 19) };
    log.event(at + random.between(0, 900), "info", "stock looked up", lookup);
    if (failing && random.chance(0.6)) {
      log.event(at + 950, "error", "cache unreachable", { cache: "stock-cache-0", error: "ECONNREFUSED", retry: true });
    }
    if (!failing && random.chance(0.02)) log.event(at + 950, "warn", "stock count stale", { ...lookup, age_s: 31 });
  }
  log.event(CACHE_FAILOVER.to, "info", "cache failover complete", { cache: "stock-cache-1" });
  return log.toText();
}
