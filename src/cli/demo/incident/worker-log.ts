import { LogFile } from "./log-file.ts";
import type { Checkout } from "./orders.ts";
import { createRandom } from "./random.ts";
import { SECRETS } from "./secrets.ts";
import { LOGGED, OUTAGE } from "./story.ts";

const MINUTE = 60_000;

/** logfmt of the worker that takes paid orders to the warehouse. */
export function workerLog(checkouts: readonly Checkout[]): string {
  const random = createRandom(0x30b);
  const log = new LogFile();
  const add = (at: number, level: string, message: string, fields: string): void => {
    const time = new Date(at).toISOString();
    log.add(at, `ts=${time} level=${level} service=order-worker msg="${message}" ${fields}`);
  };
  for (const { outcome, answeredAt: at, orderId } of checkouts) {
    if (outcome === "CONFIRMED") {
      add(at + 31_000, "info", "order confirmed", `order_id=${orderId} took_ms=${random.between(4, 60)}`);
      add(at + 31_400, "info", "pick list sent", `order_id=${orderId} warehouse=wh-${random.between(1, 4)}`);
    }
    if (outcome === "STUCK" || outcome === "ABANDONED") {
      add(at + 10 * MINUTE, "warn", "order still PAYMENT_PENDING", `order_id=${orderId} age_s=600`);
    }
  }
  for (let at = LOGGED.from; at < LOGGED.to; at += MINUTE) {
    add(at + 900, "debug", "queue depth", `queue=orders.paid depth=${at > OUTAGE.from ? random.between(0, 2) : 1}`);
  }
  leaks(add);
  return log.toText();
}

function leaks(add: (at: number, level: string, message: string, fields: string) => void): void {
  const at = (time: string): number => Date.parse(`2025-03-13T${time}Z`);
  const source = `https://x-access-token:${SECRETS.gitToken}@git.harbor.internal/orders/rules.git`;
  add(at("01:30:04"), "info", "rules pulled", `source=${source} revision=8c41f0e`);
  add(
    at("02:26:12"),
    "error",
    "customs check refused",
    `contact_phone=${SECRETS.customerPhone} id_card=${SECRETS.identityCard} reason=name_mismatch`,
  );
}
