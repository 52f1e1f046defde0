// How fast text is redacted: mixed logs line by line and in pieces of 64 KiB, beside a list of regular expressions as scanners of
// secrets use them; then inputs made to be slow. In CPU seconds of this process. Run after `npm run build`.
import { createRedaction } from "../dist/index.js";
import { gate } from "./measure.mjs";

const redaction = createRedaction();
const redactor = () => redaction.redactor({ salt: "00".repeat(32), memory: { secrets: [], aliases: [], dropped: 0 } });

const KINDS = [
  (n) =>
    `2026-03-01T08:${two(n)}:07.123Z INFO [http-nio-8080-exec-${n % 32}] com.acme.pay.Charge - charge order=${n} amount=${n % 977}.50 took ${n % 300} ms`,
  (n) =>
    `2026-03-01 08:${two(n)}:07,123 ERROR [pool-3-thread-1] com.zaxxer.hikari.pool.HikariPool - HikariPool-1 - Connection is not available, request timed out after ${30_000 + (n % 9)}ms`,
  (n) =>
    `10.2.${n % 250}.${n % 199} - - [01/Mar/2026:08:${two(n)}:07 +0000] "GET /api/v1/items/${n}?page=${n % 9} HTTP/1.1" 200 ${n % 4000} "-" "curl/8.5.0"`,
  (n) =>
    `{"ts":"2026-03-01T08:${two(n)}:07Z","level":"warn","service":"checkout","msg":"retry ${n % 5} of 5","latency_ms":${n % 900},"user_id":${n}}`,
  (n) => `time=2026-03-01T08:${two(n)}:07Z level=info msg="cache miss" key=item:${n} shard=${n % 64} took=${n % 40}ms`,
  () => `\tat com.acme.pay.ChargeService.charge(ChargeService.java:118) ~[pay-service-2.4.1.jar!/:2.4.1]`,
  (n) => `2026-03-01 08:${two(n)}:07.123 订单 ${n} 支付失败，重试第 ${n % 5} 次，耗时 ${n % 900} 毫秒`,
  (n) =>
    `Mar  1 08:${two(n)}:07 node-${n % 40} kubelet[1204]: Liveness probe failed: HTTP probe failed with statuscode: 503`,
  (n) =>
    `2026-03-01T08:${two(n)}:07Z INFO auth: user u${n} logged in with token=tk_${(n * 7919).toString(36)}Zq9xW from 203.0.113.${n % 250}`,
];
function two(n) {
  return String(n % 60).padStart(2, "0");
}

/** Rules in the manner of scanners that look for vendors' tokens and for values behind telling names. */
const RULES = [
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_[0-9A-Za-z]{36}\b/g,
  /\bglpat-[0-9A-Za-z_-]{20}\b/g,
  /\bxox[abprs]-[0-9A-Za-z-]{10,72}\b/g,
  /\bsk_(?:live|test)_[0-9A-Za-z]{24,}\b/g,
  /\bAIza[0-9A-Za-z_-]{35}\b/g,
  /\beyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}\b/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/]+:[^\s@/]+@[^\s/]+/gi,
  /(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key)\s*["']?\s*[:=]\s*["']?[^\s"',;]{4,}/gi,
  /\bBearer\s+[0-9A-Za-z._~+/-]{10,}=*/gi,
  /\b[\w.+-]+@[\w-]+\.[\w.-]+\b/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b/g,
];

const MEGABYTE = 1e6;
const lines = [];
for (let bytes = 0, n = 0; bytes < 6 * MEGABYTE; n += 1) {
  const line = KINDS[n % KINDS.length](n);
  lines.push(line);
  bytes += Buffer.byteLength(line) + 1;
}
const text = `${lines.join("\n")}\n`;
const bytes = Buffer.byteLength(text);
const pieces = [];
for (let at = 0; at < text.length; ) {
  const end = text.indexOf("\n", at + 65_536) + 1 || text.length;
  pieces.push(text.slice(at, end));
  at = end;
}

/** CPU seconds of one piece of work. */
function seconds(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** The middle of some rounds, after two that warm up. */
function speed(work) {
  const times = Array.from({ length: 7 }, () => seconds(work))
    .slice(2)
    .sort((a, b) => a - b);
  return bytes / MEGABYTE / times[2];
}

const over = (parts) => () => {
  const redact = redactor();
  for (const part of parts) redact.text(part);
};
const rules = () => {
  for (const line of lines) for (const rule of RULES) line.replace(rule, "[held]");
};
const speeds = { lines: speed(over(lines)), pieces: speed(over(pieces)), rules: speed(rules) };
const shown = Object.entries(speeds).map(([name, value]) => `${name} ${value.toFixed(1)} MB`);
console.log(`${(bytes / MEGABYTE).toFixed(1)} MB of mixed logs, per CPU second: ${shown.join(", ")}`);
gateAtLeast("redaction line by line", speeds.lines, 20);
gateAtLeast("redaction in pieces of 64 KiB", speeds.pieces, 20);

function gateAtLeast(name, value, least) {
  const ok = value >= least;
  console.log(`${ok ? "ok  " : "MISS"} ${name}: ${value.toFixed(1)} MB per CPU second (at least ${least})`);
  if (!ok) process.exitCode = 1;
}

const HOSTILE = {
  "one letter": (size) => "a".repeat(size),
  "equals signs": (size) => "=".repeat(size),
  quotes: (size) => '"'.repeat(size),
  "open braces": (size) => "{".repeat(size),
  "open brackets": (size) => "[".repeat(size),
  "password=": (size) => "password=".repeat(size / 9),
  backslashes: (size) => "\\".repeat(size),
  "a=b,": (size) => "a=b,".repeat(size / 4),
  '{"a":': (size) => '{"a":'.repeat(size / 5),
  "://": (size) => "://".repeat(size / 3),
  "a@": (size) => "a@".repeat(size / 2),
  "1.": (size) => "1.".repeat(size / 2),
  "::": (size) => "::".repeat(size / 2),
  "eyJ.": (size) => "eyJ.".repeat(size / 4),
  "-----BEGIN ": (size) => "-----BEGIN ".repeat(size / 11),
  "%25": (size) => "%25".repeat(size / 3),
  "\\u0061": (size) => "\\u0061".repeat(size / 6),
  "&#97;": (size) => "&#97;".repeat(size / 5),
  "token ": (size) => "token ".repeat(size / 6),
  密码: (size) => "密码：".repeat(size / 3),
  "base64 text": (size) => Buffer.from("password=Zq8xW ".repeat(size / 20)).toString("base64"),
  "hex text": (size) => Buffer.from("password=Zq8xW ".repeat(size / 30)).toString("hex"),
  "<a>": (size) => "<a>".repeat(size / 3),
  "(": (size) => "(".repeat(size),
  "--a": (size) => "--a".repeat(size / 3),
  "INSERT INTO t VALUES (": (size) => "INSERT INTO t VALUES (".repeat(size / 22),
  "a|b": (size) => "a|b\n".repeat(size / 4),
  "secrets, each another": (size) =>
    Array.from({ length: size / 25 }, (_, n) => `password=Zq${n.toString(36)}xW81k\n`).join(""),
};
console.log("\n1 MB each, CPU time, and how it grows for 4 times the size:");
for (const [name, make] of Object.entries(HOSTILE)) {
  const timeOf = (size) => {
    const input = make(Math.floor(size));
    return seconds(() => redactor().text(input)) * 1_000;
  };
  timeOf(MEGABYTE / 4);
  const [quarter, whole] = [Math.min(timeOf(MEGABYTE / 4), timeOf(MEGABYTE / 4)), timeOf(MEGABYTE)];
  const growth = whole < 20 ? 1 : whole / quarter;
  console.log(`     ${name.padEnd(24)} ${whole.toFixed(0).padStart(5)} ms, ${growth.toFixed(1)} times`);
  if (whole > 500) gate(`1 MB of ${name}`, whole, 500, "ms");
  if (growth > 5) gate(`growth of ${name}`, growth, 5, "times");
}
