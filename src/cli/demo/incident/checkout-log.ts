import { LogFile } from "./log-file.ts";
import { type Checkout, failedCallbackTimes } from "./orders.ts";
import { createRandom, type Random } from "./random.ts";
import { PRIVATE_KEY_LINES, SECRETS } from "./secrets.ts";
import { CHECKOUT_DEPLOYMENT, CHECKOUT_ROLLBACK, LOGGED, OUTAGE, POOL, SALE_FROM, within } from "./story.ts";

type Level = "DEBUG" | "INFO " | "WARN " | "ERROR";

const MINUTE = 60_000;
const API = "shop.harbor.checkout.api.CheckoutController";
const CALLBACK = "shop.harbor.checkout.payment.CallbackController";
const JDBC_URL = `jdbc:mysql://checkout-db.harbor.internal:3306/shop?user=checkout_rw&password=${SECRETS.jdbcPassword}`;

const REFUSED_TRACE = [
  "org.springframework.transaction.CannotCreateTransactionException: Could not open JPA EntityManager for transaction",
  "\tat org.springframework.orm.jpa.JpaTransactionManager.doBegin(JpaTransactionManager.java:466)",
  "\tat org.springframework.transaction.support.AbstractPlatformTransactionManager.getTransaction(AbstractPlatformTransactionManager.java:373)",
  "\tat shop.harbor.checkout.order.OrderService.place(OrderService.java:88)",
  "\tat shop.harbor.checkout.api.CheckoutController.checkout(CheckoutController.java:54)",
  "\tat org.springframework.web.servlet.DispatcherServlet.doDispatch(DispatcherServlet.java:1089)",
  "\tat org.apache.tomcat.util.threads.ThreadPoolExecutor$Worker.run(ThreadPoolExecutor.java:659)",
];
const POOL_FRAMES = [
  "\tat com.zaxxer.hikari.pool.HikariPool.createTimeoutException(HikariPool.java:686)",
  "\tat com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:179)",
  "\tat com.zaxxer.hikari.HikariDataSource.getConnection(HikariDataSource.java:99)",
  "\t... 41 common frames omitted",
];

/** Text in the manner of log4j and logback, with stack traces of several lines. */
export function checkoutLog(checkouts: readonly Checkout[]): string {
  const random = createRandom(0xc4ec);
  const log = new CheckoutLog(random);
  for (const checkout of checkouts) checkoutLines(checkout, log, random);
  poolLines(log, random);
  startLines(log, CHECKOUT_DEPLOYMENT.from, CHECKOUT_DEPLOYMENT.to, "4.18.0", POOL.after);
  startLines(log, CHECKOUT_ROLLBACK.from, CHECKOUT_ROLLBACK.to, "4.17.3", POOL.before);
  leakLines(log);
  return log.toText();
}

class CheckoutLog extends LogFile {
  readonly #random: Random;

  constructor(random: Random) {
    super();
    this.#random = random;
  }

  event(at: number, level: Level, logger: string, message: string): void {
    const thread = `http-nio-8080-exec-${this.#random.between(1, 60)}`;
    this.add(at, `${new Date(at).toISOString()} ${level} [${thread}] ${logger} - ${message}`);
  }
}

function checkoutLines(checkout: Checkout, log: CheckoutLog, random: Random): void {
  const { at, answeredAt, orderId, requestId, items, amountCents } = checkout;
  log.event(at + 2, "DEBUG", API, `cart validated, items=${items}, request=${requestId}`);
  if (checkout.outcome === "REFUSED") {
    refusedLines(checkout, log, random);
    return;
  }
  log.event(
    answeredAt - 20,
    "INFO ",
    API,
    `order ${orderId} placed, amount_cents=${amountCents}, request=${requestId}`,
  );
  if (checkout.outcome === "ABANDONED") return;
  if (checkout.outcome === "STUCK") {
    stuckLines(checkout, log, random);
    return;
  }
  const took = within(at, OUTAGE) ? random.between(3_000, 24_000) : random.between(18, 140);
  log.event(answeredAt + 1_500 + took, "INFO ", CALLBACK, `payment of order ${orderId} applied in ${took} ms`);
}

/** The client waits for the whole time, and the log has the full trace. */
function refusedLines({ at, answeredAt, requestId }: Checkout, log: CheckoutLog, random: Random): void {
  const waited = answeredAt - at - 1;
  const trace = [
    ...REFUSED_TRACE,
    `Caused by: java.sql.SQLTransientConnectionException: ${timeoutText(waited, random)}`,
  ];
  const message = [`checkout failed, status=503, request=${requestId}`, ...trace, ...POOL_FRAMES].join("\n");
  log.event(answeredAt, "ERROR", API, message);
}

/** Each callback of the payments service is ended by the same timeout. */
function stuckLines(checkout: Checkout, log: CheckoutLog, random: Random): void {
  for (const [i, failedAt] of failedCallbackTimes(checkout).entries()) {
    const cause = timeoutText(POOL.timeoutMs + random.between(0, 8), random);
    const message = `payment callback of order ${checkout.orderId} failed, attempt=${i + 1}: ${cause}`;
    log.event(failedAt - random.between(1, 20), "ERROR", CALLBACK, message);
  }
}

function timeoutText(waitedMs: number, random: Random): string {
  const counts = `total=${POOL.after}, active=${POOL.after}, idle=0, waiting=${random.between(11, 46)}`;
  return `HikariPool-1 - Connection is not available, request timed out after ${waitedMs}ms (${counts})`;
}

/** The pool's own statistics, once every half minute. */
function poolLines(log: CheckoutLog, random: Random): void {
  const logger = "com.zaxxer.hikari.pool.HikariPool";
  for (let at = LOGGED.from + 11_000; at < LOGGED.to; at += MINUTE / 2) {
    const small = within(at, { from: CHECKOUT_DEPLOYMENT.to, to: CHECKOUT_ROLLBACK.to });
    const total = small ? POOL.after : POOL.before;
    const busy = at >= SALE_FROM ? random.between(9, 17) : random.between(3, 8);
    const active = within(at, OUTAGE) ? total : Math.min(total, busy);
    const waiting = within(at, OUTAGE) ? random.between(12, 44) : Math.max(0, busy - total);
    const counts = `total=${total}, active=${active}, idle=${total - active}, waiting=${waiting}`;
    log.event(at, waiting > 0 ? "WARN " : "DEBUG", logger, `HikariPool-1 - Pool stats (${counts})`);
    log.event(
      at + 400,
      "INFO ",
      "shop.harbor.checkout.jobs.PriceCache",
      `${random.between(180, 260)} prices refreshed`,
    );
  }
}

function startLines(log: CheckoutLog, from: number, to: number, version: string, poolMax: number): void {
  const main = "shop.harbor.checkout.CheckoutApplication";
  const settings = `maximumPoolSize=${poolMax}, connectionTimeout=${POOL.timeoutMs}`;
  log.event(from + 4_000, "INFO ", main, "graceful shutdown of the former version complete, 0 requests left");
  log.event(to - 21_000, "INFO ", main, `Starting CheckoutApplication v${version} using Java 21.0.6 with profile prod`);
  log.event(
    to - 12_000,
    "INFO ",
    "shop.harbor.checkout.config.DataSourceConfig",
    `HikariPool-1 configured: ${settings}`,
  );
  log.event(to - 6_000, "INFO ", "com.zaxxer.hikari.HikariDataSource", "HikariPool-1 - Start completed.");
  log.event(to - 1_000, "INFO ", main, `Started CheckoutApplication v${version} in 20.118 seconds`);
}

/** What should never be logged, and is. Most of it in the hour that everybody looks at. */
function leakLines(log: CheckoutLog): void {
  const at = (time: string): number => Date.parse(`2025-03-13T${time}Z`);
  const config = "shop.harbor.checkout.config.DataSourceConfig";
  log.event(at("02:07:33.004"), "DEBUG", config, `connecting to ${JDBC_URL}`);
  log.event(at("02:12:40.310"), "ERROR", config, `health check failed for ${JDBC_URL}: no connection within 30000 ms`);
  log.event(
    at("02:19:02.551"),
    "ERROR",
    API,
    `rejected request, headers: {Authorization=Bearer ${SECRETS.jsonWebToken}, Cookie=HARBORSESSION=${SECRETS.sessionCookie}; theme=dark}`,
  );
  log.event(
    at("02:33:18.907"),
    "WARN ",
    "shop.harbor.checkout.ops.OpsConsole",
    `运维手工重连数据库: 用户 checkout_rw 密码：${SECRETS.handTypedPassword} 结果=超时`,
  );
  const key = ["RSA", "PRIVATE", "KEY"].join(" ");
  log.event(
    at("02:36:44.120"),
    "ERROR",
    "shop.harbor.checkout.tls.KeyReloader",
    ["cannot reload client key:", `-----BEGIN ${key}-----`, ...PRIVATE_KEY_LINES, `-----END ${key}-----`].join("\n"),
  );
}
