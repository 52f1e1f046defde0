import { LogFile } from "./log-file.ts";
import { type Checkout, failedCallbackTimes } from "./orders.ts";
import { createRandom, type Random } from "./random.ts";
import { SECRETS } from "./secrets.ts";
import { LOGGED, PROVIDER_MAINTENANCE, within } from "./story.ts";

type Level = "debug" | "info" | "warn" | "error";

/** One JSON object a line. */
export function paymentsLog(checkouts: readonly Checkout[]): string {
  const random = createRandom(0x9a77);
  const log = new JsonLog("payments");
  for (const checkout of checkouts) paymentLines(checkout, log, random);
  for (let at = LOGGED.from + 7_000; at < LOGGED.to; at += 20_000) {
    log.event(at, "debug", "provider heartbeat", { provider: "paylane", latency_ms: latency(at, random) });
  }
  maintenanceLines(log);
  leakLines(log);
  return log.toText();
}

/** NDJSON with the same first members in every line. */
export class JsonLog extends LogFile {
  readonly #service: string;

  constructor(service: string) {
    super();
    this.#service = service;
  }

  event(at: number, level: Level, message: string, fields: Readonly<Record<string, unknown>>): void {
    const line = { timestamp: new Date(at).toISOString(), level, service: this.#service, message, ...fields };
    this.add(at, JSON.stringify(line));
  }
}

function latency(at: number, random: Random): number {
  return within(at, PROVIDER_MAINTENANCE) ? random.between(1_800, 5_200) : random.between(60, 190);
}

function paymentLines(checkout: Checkout, log: JsonLog, random: Random): void {
  const { answeredAt: at, outcome, orderId: order_id, paymentId: payment_id, amountCents: amount_cents } = checkout;
  if (outcome === "REFUSED") return;
  log.event(at + 300, "info", "payment authorized", { order_id, payment_id, provider: "paylane", amount_cents });
  if (outcome === "ABANDONED") {
    log.event(at + 240_000, "info", "authorization left by customer", { order_id, payment_id });
    return;
  }
  const captured = { order_id, payment_id, latency_ms: latency(at, random) };
  log.event(at + 1_200, "info", "payment captured", captured);
  if (outcome === "STUCK") failedCallbacks(checkout, log);
  else log.event(at + 1_500, "info", "callback delivered", { order_id, payment_id, attempt: 1, status: 200 });
}

function failedCallbacks(checkout: Checkout, log: JsonLog): void {
  const { orderId: order_id, paymentId: payment_id } = checkout;
  const target = "http://checkout.harbor.internal:8080/internal/payments/callback";
  const times = failedCallbackTimes(checkout);
  for (const [i, time] of times.entries()) {
    log.event(time, "warn", "callback failed", { order_id, payment_id, attempt: i + 1, status: 503, target });
  }
  const parked = { order_id, payment_id, attempts: times.length, reason: "checkout answered 503" };
  log.event((times.at(-1) ?? checkout.answeredAt) + 900, "error", "callback parked", parked);
}

function maintenanceLines(log: JsonLog): void {
  const { from, to } = PROVIDER_MAINTENANCE;
  log.event(from, "warn", "provider maintenance announced", { provider: "paylane", until: new Date(to).toISOString() });
  for (let at = from + 20_000; at < to; at += 35_000) {
    log.event(at, "warn", "provider slow, answer accepted", { provider: "paylane", latency_ms: 4_000 + (at % 977) });
  }
  log.event(to, "info", "provider maintenance over", { provider: "paylane" });
}

function leakLines(log: JsonLog): void {
  const at = (time: string): number => Date.parse(`2025-03-13T${time}Z`);
  log.event(at("02:13:20.417"), "error", "callback request dumped after repeated failure", {
    headers: { authorization: `Bearer ${SECRETS.bearerToken}`, "content-type": "application/json" },
    customer: { email: SECRETS.customerEmail },
    status: 503,
  });
  log.event(at("02:20:00.081"), "error", "archive upload failed", {
    aws_access_key_id: SECRETS.cloudKeyId,
    aws_secret_access_key: SECRETS.cloudSecretKey,
    bucket: "harbor-payments-archive",
  });
  const hook = ["https://hooks.slack.com", "services", "T0HARB0RS", "B0PAYMENT", SECRETS.webhookPath].join("/");
  log.event(at("02:24:31.660"), "error", "alert could not be posted", { webhook_url: hook, status: 429 });
}
