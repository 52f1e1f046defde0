import { anyColumn, type GeneratedCte, type GeneratedScope, someColumn } from "./generated-scope.ts";
import type { Random } from "./random.ts";
import type { Kind } from "./world.ts";

/** What an expression may contain where it stands. */
export interface Place {
  readonly random: Random;
  readonly scope: GeneratedScope | null;
  readonly ctes: readonly GeneratedCte[];
  readonly depth: number;
  readonly aggregates: boolean;
  readonly windows: boolean;
  /** A query that gives one column of this kind; `single` when it must give one row at most. */
  readonly query: (place: Place, kind: Kind, single: boolean) => string;
}

const TEXTS = [
  "open",
  "closed",
  "core",
  "网关",
  "超时",
  "it's",
  "a\\b",
  "x_y%z",
  "🔥hot",
  "",
  "--",
  "/* */",
  "50%_off",
  "?",
];
const NUMBERS = ["0", "1", "2", "7", "-3", "2.5", "1e1", "9007199254740993", "0x1F", "b'101'", "TRUE", "NULL"];
const TIMES = [
  "DATE '2024-01-15'",
  "'2024-02-01'",
  "TIMESTAMP '2024-01-03 05:00:00'",
  "{d '2024-03-01'}",
  "'2024-01-08 01:30:00'",
];

export function quoteText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

const deeper = (place: Place): Place => ({ ...place, depth: place.depth - 1 });
const inside = (place: Place): Place => ({ ...deeper(place), aggregates: false, windows: false });

export function someExpression(place: Place, kind: Kind): string {
  switch (kind) {
    case "number":
      return someNumber(place);
    case "text":
      return someText(place);
    case "time":
      return someTime(place);
    case "json":
      return someColumn(place.random, place.scope, "json") ?? `JSON_OBJECT('k', ${someNumber(deeper(place))})`;
  }
}

function leaf({ random, scope }: Place, kind: Kind, literals: readonly string[]): string {
  const column = random.chance(0.75) ? someColumn(random, scope, kind) : null;
  return column ?? random.pick(literals);
}

type Maker = (place: Place) => string;

const NUMBER_FORMS: readonly Maker[] = [
  (p) => `${someNumber(p)} ${p.random.pick(["+", "-", "*", "/", "%", "DIV", "+", "-"])} (${someNumber(p)})`,
  (p) => `- ${parenthesised(someNumber(p))}`,
  (p) => `ABS(${someNumber(p)})`,
  (p) => `CHAR_LENGTH(${someText(p)})`,
  (p) => `COALESCE(${someNumber(p)}, ${someNumber(p)})`,
  (p) => `CASE WHEN ${someTest(p)} THEN ${someNumber(p)} ELSE ${someNumber(p)} END`,
  (p) => `CASE ${someText(p)} WHEN ${someText(p)} THEN ${someNumber(p)} END`,
  (p) => `IF(${someTest(p)}, ${someNumber(p)}, ${someNumber(p)})`,
  (p) => `ROUND(${someNumber(p)}, 2)`,
  (p) => `DATEDIFF(${someTime(p)}, ${someTime(p)})`,
  (p) => `TIMESTAMPDIFF(HOUR, ${someTime(p)}, ${someTime(p)})`,
  (p) => `EXTRACT(YEAR FROM ${someTime(p)})`,
  (p) => `LOCATE(${someText(p)}, ${someText(p)})`,
  (p) => `CAST(${someNumber(p)} AS DECIMAL(20, 3))`,
  (p) => `(${someTest(p)})`,
  (p) => `NULLIF(${someNumber(p)}, ${someNumber(p)})`,
  (p) => `FIELD(${someText(p)}, ${someText(p)}, ${someText(p)})`,
  (p) => `JSON_LENGTH(${someExpression(p, "json")})`,
  (p) => `(${p.query(inside(p), "number", true)})`,
];

const AGGREGATE_FORMS: readonly Maker[] = [
  () => "COUNT(*)",
  (p) => `COUNT(DISTINCT ${someText(p)})`,
  (p) => `SUM(${someNumber(p)})`,
  (p) => `MAX(${someNumber(p)})`,
  (p) => `MIN(${someNumber(p)})`,
  (p) => `AVG(${someNumber(p)})`,
  (p) => `SUM(CASE WHEN ${someTest(p)} THEN 1 ELSE 0 END)`,
  (p) => `BIT_OR(${someColumn(p.random, p.scope, "number") ?? "1"})`,
];

/** Windows whose answer does not depend on the order of equal rows. */
const WINDOW_FORMS: readonly Maker[] = [
  (p) => `RANK() OVER (ORDER BY ${someNumber(p)})`,
  (p) => `DENSE_RANK() OVER (PARTITION BY ${someText(p)} ORDER BY ${someNumber(p)} DESC)`,
  (p) => `SUM(${someNumber(p)}) OVER (PARTITION BY ${someText(p)})`,
  (p) => `COUNT(*) OVER (PARTITION BY ${someColumn(p.random, p.scope, "text") ?? "1"})`,
  (p) => `MAX(${someNumber(p)}) OVER (ORDER BY ${someColumn(p.random, p.scope, "number") ?? "1"})`,
];

const TEXT_FORMS: readonly Maker[] = [
  (p) => `CONCAT(${someText(p)}, ${someText(p)})`,
  (p) => `CONCAT_WS('-', ${someText(p)}, ${someNumber(p)})`,
  (p) => `UPPER(${someText(p)})`,
  (p) => `SUBSTR(${someText(p)}, 2, 3)`,
  (p) => `REPLACE(${someText(p)}, 'o', '0')`,
  (p) => `COALESCE(${someText(p)}, ${someText(p)})`,
  (p) => `CASE WHEN ${someTest(p)} THEN ${someText(p)} ELSE ${someText(p)} END`,
  (p) => `CAST(${someNumber(p)} AS CHAR)`,
  (p) => `DATE_FORMAT(${someTime(p)}, '%Y-%m')`,
  (p) => `JSON_UNQUOTE(JSON_EXTRACT(${someExpression(p, "json")}, '$.code'))`,
  (p) => `TRIM(BOTH 'a' FROM ${someText(p)})`,
  (p) => `LEFT(${someText(p)}, 3)`,
  (p) => `LPAD(${someText(p)}, 5, '*')`,
  (p) => `(${p.query(inside(p), "text", true)})`,
];

const TEST_FORMS: readonly Maker[] = [
  (p) => `${someNumber(p)} ${p.random.pick(["=", "<>", "<", ">=", "<=>", "!="])} ${someNumber(p)}`,
  (p) => `${someText(p)} ${p.random.pick(["=", "<>", "<", ">=", "<=>"])} ${someText(p)}`,
  (p) => `${someTime(p)} ${p.random.pick(["=", "<", ">="])} ${someTime(p)}`,
  (p) => `${someNumber(p)} BETWEEN ${someNumber(p)} AND ${someNumber(p)}`,
  (p) => `${someTime(p)} NOT BETWEEN ${someTime(p)} AND ${someTime(p)}`,
  (p) => `${someText(p)} ${p.random.pick(["IN", "NOT IN"])} (${someText(p)}, ${someText(p)})`,
  (p) => `${someNumber(p)} IN (1, 2, ${someNumber(p)})`,
  (p) => `${someText(p)} LIKE ${quoteText(`%${p.random.pick(["o", "超", "\\%", "_", "'"])}%`)}`,
  (p) => `${someText(p)} REGEXP '^[a-m]'`,
  (p) => `(${someTest(p)} ${p.random.pick(["AND", "OR", "XOR", "&&"])} ${someTest(p)})`,
  (p) => `NOT (${someTest(p)})`,
  (p) => `(${someTest(p)}) IS ${p.random.pick(["TRUE", "NOT TRUE", "UNKNOWN", "FALSE"])}`,
  (p) => `(${someNumber(p)}, ${someText(p)}) = (${someNumber(p)}, ${someText(p)})`,
  (p) => nullTest(p),
  (p) => `EXISTS (${p.query(inside(p), p.random.pick(["number", "text"]), false)})`,
  (p) => `${someNumber(p)} ${p.random.pick(["IN", "NOT IN"])} (${p.query(inside(p), "number", false)})`,
  (p) => `${someText(p)} IN (${p.query(inside(p), "text", false)})`,
  (p) => `${someNumber(p)} ${p.random.pick(["> ALL", "= ANY", "<> SOME"])} (${p.query(inside(p), "number", false)})`,
];

function nullTest({ random, scope }: Place): string {
  const found = scope === null ? null : anyColumn(random, scope);
  return `${found?.text ?? "NULL"} IS ${random.chance(0.5) ? "NOT " : ""}NULL`;
}

function someNumber(place: Place): string {
  const { random, depth, aggregates, windows } = place;
  if (aggregates && random.chance(0.5)) return random.pick(AGGREGATE_FORMS)(inside(place));
  if (windows && random.chance(0.15)) return random.pick(WINDOW_FORMS)(inside(place));
  if (depth <= 0 || random.chance(0.4)) return leaf(place, "number", NUMBERS);
  return random.pick(NUMBER_FORMS)(deeper(place));
}

function someText(place: Place): string {
  const { random, depth } = place;
  if (depth <= 0 || random.chance(0.45)) return leaf(place, "text", TEXTS.map(quoteText));
  return random.pick(TEXT_FORMS)(deeper(place));
}

function someTime(place: Place): string {
  const { random, depth } = place;
  if (depth <= 0 || random.chance(0.6)) return leaf(place, "time", TIMES);
  const inner = deeper(place);
  return random.pick<Maker>([
    (p) =>
      `(${someTime(p)} ${p.random.pick(["+", "-"])} INTERVAL ${p.random.below(40)} ${p.random.pick(["DAY", "HOUR", "MONTH"])})`,
    (p) => `DATE(${someTime(p)})`,
    (p) => `LAST_DAY(${someTime(p)})`,
    (p) => `COALESCE(${someTime(p)}, ${someTime(p)})`,
    (p) => `DATE_ADD(${someTime(p)}, INTERVAL '1:30' HOUR_MINUTE)`,
  ])(inner);
}

/** A condition. */
export function someTest(place: Place): string {
  return place.random.pick(TEST_FORMS)(deeper({ ...place, depth: Math.max(place.depth, 0) }));
}

function parenthesised(text: string): string {
  return `(${text})`;
}
