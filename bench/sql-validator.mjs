// What the validator of query_mysql takes: a 60-line query, beside the same query parsed alone by another parser (a WASM build of
// sqlparser-rs), and statements made to be slow. Run after `npm run build`.
import { init, parse } from "@guanmingchiu/sqlparser-ts";
import { policyCatalog } from "../dist/tools/query-mysql/catalog.js";
import { parseSqlPolicy } from "../dist/tools/query-mysql/policy.js";
import { parseStatement } from "../dist/tools/query-mysql/sql/parser.js";
import { MysqlSqlValidator } from "../dist/tools/query-mysql/validator.js";
import { compare, gate, quantile } from "./measure.mjs";

const policy = parseSqlPolicy({
  datasource: "ops",
  defaultSchema: "ops",
  tables: {
    "ops.services": ["id", "name", "team", "tier", "parent_id", "since"],
    "ops.incidents": ["id", "service_id", "severity", "title", "status", "opened_at", "closed_at", "cost"],
    "ops.deployments": ["id", "service_id", "version", "status", "started_at", "finished_at", "notes"],
    "ops.metrics": ["service_id", "at", "p99", "errors", "requests"],
  },
  hiddenColumns: { "ops.services": ["token"], "ops.deployments": ["secret_ref"] },
});

const QUERY = `
WITH recent AS (
  SELECT
    d.service_id,
    MAX(d.started_at) AS last_started,
    COUNT(*) AS deployments,
    SUM(CASE WHEN d.status = 'failed' THEN 1 ELSE 0 END) AS failed
  FROM deployments d
  WHERE d.started_at >= '2024-03-01 00:00:00'
    AND d.started_at < '2024-03-08 00:00:00'
    AND d.status IN ('ok', 'failed', 'rolled_back')
  GROUP BY d.service_id
),
load_before AS (
  SELECT
    m.service_id,
    AVG(m.p99) AS p99,
    SUM(m.errors) / NULLIF(SUM(m.requests), 0) AS error_share
  FROM metrics m
  WHERE m.at BETWEEN '2024-03-01' AND '2024-03-07 23:59:59'
  GROUP BY m.service_id
),
ranked AS (
  SELECT
    i.id,
    i.service_id,
    i.severity,
    i.title,
    i.cost,
    TIMESTAMPDIFF(MINUTE, i.opened_at, COALESCE(i.closed_at, '2024-03-08')) AS minutes,
    ROW_NUMBER() OVER (PARTITION BY i.service_id ORDER BY i.severity, i.opened_at DESC) AS place
  FROM incidents i
  WHERE i.status <> 'muted'
    AND (i.title LIKE '%timeout%' OR i.title LIKE '%超时%' OR i.severity <= 2)
)
SELECT
  s.name AS service,
  COALESCE(p.name, '-') AS parent,
  UPPER(s.team) AS team,
  r.title,
  r.minutes,
  ROUND(r.cost, 2) AS cost,
  IFNULL(c.deployments, 0) AS deployments,
  IFNULL(c.failed, 0) AS failed,
  ROUND(l.p99, 1) AS p99,
  CASE
    WHEN l.error_share > 0.05 THEN 'bad'
    WHEN l.error_share > 0.01 THEN 'poor'
    ELSE 'good'
  END AS health
FROM ranked r
JOIN services s ON s.id = r.service_id
LEFT JOIN services p ON p.id = s.parent_id
LEFT JOIN recent c ON c.service_id = s.id
LEFT JOIN load_before l ON l.service_id = s.id
WHERE r.place <= 3
  AND s.tier IN (1, 2)
  AND EXISTS (SELECT 1 FROM deployments x WHERE x.service_id = s.id AND x.status = 'failed')
ORDER BY cost DESC, r.minutes DESC, service
LIMIT 50`.trim();

const many = (text, times, between = "") => Array(times).fill(text).join(between);
const SLOW = {
  "16 KB of text": `SELECT '${many("a", 16_000)}' FROM services`,
  "500 conditions": `SELECT id FROM services WHERE ${many("id = 1", 500, " OR ")}`,
  "500 items of IN": `SELECT id FROM services WHERE id IN (${many("1", 500, ", ")})`,
  "4,000 words": `SELECT ${many("a ", 4_100)}`,
  "5,000 parentheses": `SELECT ${many("(", 5_000)}1${many(")", 5_000)}`,
  "3,500 negations": `SELECT ${many("NOT ", 3_500)}1`,
  "900 subqueries": `${many("SELECT * FROM (", 900)}SELECT 1 AS a${many(") t", 900)}`,
  "200 columns, each named": `SELECT ${Array.from({ length: 200 }, (_, i) => `id AS a${i}`).join(", ")} FROM services ORDER BY a199`,
  "30 levels": `SELECT ${many("ABS(", 14)}1${many(")", 14)}, ${many("(SELECT ", 10)}1${many(")", 10)}`,
  "a recursive table": `WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT ${many("i", 200, ", ")} FROM n`,
  "a name that is not there": `SELECT ${many("b", 64)} FROM services`,
  "a long pattern": `SELECT id FROM services WHERE name REGEXP '${many("(a?)", 49)}'`,
};

await init();
const validator = new MysqlSqlValidator(policy, policyCatalog(policy));
if (validator.validate(QUERY).kind !== "allowed") throw new Error(JSON.stringify(validator.validate(QUERY)));
console.log(`query: ${QUERY.split("\n").length} lines, ${QUERY.length} characters`);

const rounds = { rounds: 2_000, warmUp: 500 };
const whole = await compare(
  "validate: read, resolve, print, hash",
  () => validator.validate(QUERY),
  () => parse(QUERY, "mysql"),
  rounds,
);
await compare(
  "parse alone",
  () => parseStatement(QUERY),
  () => parse(QUERY, "mysql"),
  rounds,
);
gate("validator, 60-line query, p50", whole.p50, 200, "µs");

let slowest = 0;
for (const [name, sql] of Object.entries(SLOW)) {
  const times = Array.from({ length: 20 }, () => {
    const started = process.hrtime.bigint();
    validator.validate(sql);
    return Number(process.hrtime.bigint() - started) / 1_000_000;
  });
  slowest = Math.max(slowest, quantile(times, 0.5));
  console.log(`${name}: p50 ${quantile(times, 0.5).toFixed(2)} ms, first ${times[0].toFixed(2)} ms`);
}
gate("the slowest of them, p50", slowest, 20, "ms");
