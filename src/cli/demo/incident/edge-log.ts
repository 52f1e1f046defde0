import { LogFile } from "./log-file.ts";
import type { Checkout } from "./orders.ts";
import { createRandom, type Random } from "./random.ts";
import { SECRETS } from "./secrets.ts";
import { LOGGED } from "./story.ts";

const BROWSERS = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/133.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/133.0.0.0 Mobile Safari/537.36",
] as const;
const PAGES = ["/", "/c/lamps", "/c/chairs", "/p/4471", "/p/1830", "/p/9025", "/search?q=desk", "/cart"] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

interface Request {
  readonly at: number;
  readonly ip: string;
  readonly target: string;
  readonly status: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly referrer?: string;
}

/** Combined format of nginx with the upstream's time at the end. */
export function edgeLog(checkouts: readonly Checkout[]): string {
  const random = createRandom(0xed6e);
  const log = new LogFile();
  const add = (request: Request): void => log.add(request.at, line(request, random.pick(BROWSERS)));
  for (const checkout of checkouts) for (const request of requestsOf(checkout, random)) add(request);
  for (let at = LOGGED.from; at < LOGGED.to; at += 5_000) {
    add({ at: at + 120, ip: "10.20.0.9", target: "GET /healthz", status: 200, bytes: 2, seconds: 0.001 });
  }
  for (const request of oddRequests()) add(request);
  return log.toText();
}

function requestsOf(checkout: Checkout, random: Random): Request[] {
  const { at, clientIp: ip } = checkout;
  const browsing = Array.from({ length: 2 }, (_, i) => ({
    at: at - 9_000 * (2 - i) - random.between(0, 4_000),
    ip,
    target: `GET ${random.pick(PAGES)}`,
    status: 200,
    bytes: random.between(2_000, 48_000),
    seconds: random.between(8, 90) / 1_000,
  })).filter((request) => request.at >= LOGGED.from);
  const refused = checkout.outcome === "REFUSED";
  const answered = {
    at: checkout.answeredAt,
    ip,
    target: "POST /api/checkout",
    status: refused ? 503 : 201,
    bytes: refused ? 97 : random.between(310, 420),
    seconds: (checkout.answeredAt - at) / 1_000,
    referrer: "https://shop.example/cart",
  };
  return [...browsing, answered];
}

/** A scanner and a crawler as noise, and two lines with credentials where none should be. */
function oddRequests(): Request[] {
  const scanner = ["/wp-login.php", "/.env", "/admin/config", "/actuator/env"].map((path, i) => ({
    at: Date.parse("2025-03-13T01:37:02Z") + i * 700,
    ip: "198.51.100.253",
    target: `GET ${path}`,
    status: 404,
    bytes: 153,
    seconds: 0.001,
  }));
  const quiet = { ip: "10.20.4.31", status: 200, bytes: 5_120, seconds: 0.044 };
  return [
    ...scanner,
    {
      ...quiet,
      at: Date.parse("2025-03-13T02:14:51Z"),
      target: "GET /api/orders/export",
      referrer: `https://ops:${SECRETS.basicAuthPassword}@grafana.harbor.internal/d/checkout`,
    },
    {
      ...quiet,
      at: Date.parse("2025-03-13T02:31:09Z"),
      target: `GET /api/orders/export?format=csv&access_token=${SECRETS.queryToken}`,
    },
  ];
}

function line({ at, ip, target, status, bytes, seconds, referrer }: Request, browser: string): string {
  const agent = ip.startsWith("10.") ? "harbor-probe/2.1" : browser;
  const request = `"${target} HTTP/1.1" ${status} ${bytes} "${referrer ?? "-"}" "${agent}" rt=${seconds.toFixed(3)}`;
  return `${ip} - - [${nginxTime(at)}] ${request}`;
}

function nginxTime(at: number): string {
  const iso = new Date(at).toISOString();
  const month = MONTHS[Number(iso.slice(5, 7)) - 1];
  return `${iso.slice(8, 10)}/${month}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}
