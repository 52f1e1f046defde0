// The whole projector of query_logs on 10,000 log4j-like lines, beside parsing the same raw answer from JSON. Run after `npm run build`.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedaction } from "../dist/index.js";
import { filesSource } from "../dist/tools/query-logs/backends/files/files-source.js";
import { queryLogsResultProjector } from "../dist/tools/query-logs/projector.js";
import { compare, gate } from "./measure.mjs";

const LINES = 10_000;
const START = Date.UTC(2026, 2, 1, 8);
const MESSAGES = [
  (n) => `com.acme.pay.Charge - charge order=${n} amount=${n % 977}.50 took ${n % 300} ms`,
  (n) =>
    `com.zaxxer.hikari.pool.HikariPool - HikariPool-1 - Connection is not available, request timed out after ${30_000 + (n % 9)}ms`,
  (n) => `com.acme.web.Access - GET /api/v1/items/${n} 200 ${n % 4000} from 10.2.${n % 250}.${n % 199}`,
  (n) =>
    `com.acme.auth.Login - user u${n} logged in with token=tk_${(n * 7919).toString(36)}Zq9xW on node-${n % 40}.shop.internal`,
];
const line = (n) => {
  const time = new Date(START + n * 37).toISOString().replace("T", " ").replace(".", ",").replace("Z", "");
  return `${time} ${n % 50 === 0 ? "ERROR" : "INFO "} [http-nio-8080-exec-${n % 32}] ${MESSAGES[n % MESSAGES.length](n)}`;
};

const folder = mkdtempSync(join(tmpdir(), "dualview-bench-"));
writeFileSync(join(folder, "app.log"), `${Array.from({ length: LINES }, (_, n) => line(n)).join("\n")}\n`);
const query = {
  source: "app",
  service: null,
  level: null,
  keywords: [],
  pattern: null,
  from: START - 1_000,
  to: START + LINES * 37 + 1_000,
  limit: LINES + 1,
};
const source = filesSource({ name: "app", files: [join(folder, "app.log")], timeZone: "UTC" });
const raw = await source.search(query, { signal: new AbortController().signal, maxRawBytes: 64 * 1024 * 1024 });
rmSync(folder, { recursive: true });
if (raw.events.length !== LINES) throw new Error(`${raw.events.length} events were read`);
const text = JSON.stringify(raw);
console.log(`raw: ${(Buffer.byteLength(text) / 1e6).toFixed(1)} MB, ${LINES} events`);

const redaction = createRedaction();
const project = async () => {
  const redact = redaction.redactor({ salt: "00".repeat(32), memory: { secrets: [], aliases: [], dropped: 0 } });
  return queryLogsResultProjector.project(raw, query, { limits: { maxBytes: 16_384 }, redact });
};
const { p50 } = await compare("projector of query_logs", project, async () => JSON.parse(text), {
  rounds: 15,
  warmUp: 3,
});
gate("projector of query_logs on 10,000 lines, p50", p50 / 1_000, 250, "ms");
console.log(`${Math.round(LINES / (p50 / 1e6)).toLocaleString("en-US")} lines/s`);
