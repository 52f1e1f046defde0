import { createRandom, HEX, type Random } from "./random.ts";
import { ABANDONED_ORDERS, LOGGED, OUTAGE, POOL, REFUSED_CHECKOUTS, SALE_FROM, STUCK_ORDERS, within } from "./story.ts";
import { USER_COUNT } from "./users.ts";

export type Outcome =
  | "CONFIRMED"
  /** Answered with 503; there is no order. */
  | "REFUSED"
  /** Paid, but never confirmed. */
  | "STUCK"
  /** Never paid. */
  | "ABANDONED";

/** One attempt to check out, the common root of log lines and database rows. Times in milliseconds since the epoch. */
export interface Checkout {
  readonly orderId: number;
  readonly paymentId: string;
  readonly userId: number;
  readonly requestId: string;
  readonly clientIp: string;
  /** When the request arrived. */
  readonly at: number;
  /** When it was answered: with an order, or after the pool's timeout without one. */
  readonly answeredAt: number;
  readonly amountCents: number;
  readonly items: number;
  readonly outcome: Outcome;
}

const FIRST_ORDER_ID = 5_508_101;
const MINUTE = 60_000;
/** After the order is placed. */
const CALLBACK_DELAYS_MS = [1_500, 33_000, 65_000, 100_000, 140_000] as const;
const CHECKOUTS_A_MINUTE = { usual: 12, sale: 21 };

/** All checkouts of the logged time, oldest first. */
export function checkouts(): readonly Checkout[] {
  const random = createRandom(0x0bde5);
  const times: number[] = [];
  for (let minute = LOGGED.from; minute < LOGGED.to; minute += MINUTE) {
    const rate = minute >= SALE_FROM ? CHECKOUTS_A_MINUTE.sale : CHECKOUTS_A_MINUTE.usual;
    const count = rate + random.between(-2, 2);
    for (let i = 0; i < count; i += 1) times.push(minute + random.between(0, MINUTE - 1));
  }
  times.sort((a, b) => a - b);
  const outcomes = outcomesOf(times, random);
  return times.map((at, i) => checkout(at, FIRST_ORDER_ID + i, outcomes.get(i) ?? "CONFIRMED", random));
}

/**
 * When the payments service's callbacks for an order that stays stuck have failed: each waits for a connection until the
 * pool gives up. They all lie within the outage.
 */
export function failedCallbackTimes({ answeredAt }: Pick<Checkout, "answeredAt">): readonly number[] {
  return CALLBACK_DELAYS_MS.map((delay) => answeredAt + delay + POOL.timeoutMs);
}

/** Exact numbers of each outcome, spread over the outage. */
function outcomesOf(times: readonly number[], random: Random): ReadonlyMap<number, Outcome> {
  // Who comes in its last minutes is served by the old version again before the last attempt.
  const hopeless = { from: OUTAGE.from, to: OUTAGE.to - 4 * MINUTE };
  const hit = times.flatMap((time, i) => (within(time, hopeless) ? [i] : []));
  for (let i = hit.length - 1; i > 0; i -= 1) swap(hit, i, random.between(0, i));
  const outcomes = new Map<number, Outcome>();
  const assign = (outcome: Outcome, count: number): void => {
    for (const place of hit.splice(0, count)) outcomes.set(place, outcome);
  };
  assign("STUCK", STUCK_ORDERS);
  assign("REFUSED", REFUSED_CHECKOUTS);
  assign("ABANDONED", ABANDONED_ORDERS);
  return outcomes;
}

/** Who is served during the outage has waited for one of the few connections. */
function answerMs(at: number, outcome: Outcome, random: Random): number {
  if (outcome === "REFUSED") return POOL.timeoutMs + random.between(2, 90);
  return within(at, OUTAGE) ? random.between(4_000, 29_000) : random.between(90, 480);
}

function swap(list: number[], a: number, b: number): void {
  const [left, right] = [list[a], list[b]];
  if (left === undefined || right === undefined) return;
  list[a] = right;
  list[b] = left;
}

function checkout(at: number, orderId: number, outcome: Outcome, random: Random): Checkout {
  return {
    orderId,
    paymentId: `pay-${random.text(HEX, 12)}`,
    userId: random.between(1, USER_COUNT),
    requestId: random.text(HEX, 16),
    clientIp: `${random.pick(["203.0.113", "198.51.100"])}.${random.between(2, 250)}`,
    at,
    answeredAt: at + answerMs(at, outcome, random),
    amountCents: random.between(490, 64_900),
    items: random.between(1, 6),
    outcome,
  };
}
