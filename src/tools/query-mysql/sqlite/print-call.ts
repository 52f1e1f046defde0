import type { Printing } from "../sql/dialect.ts";
import { printOrderBy, printOver } from "../sql/print-expression.ts";
import { reject } from "../sql/rejection.ts";
import type { ResolvedColumn, ResolvedExpression, ResolvedQuery } from "../sql/resolved.ts";
import type { CallNode } from "../sql/syntax.ts";
import { SQLITE_UNITS } from "./date-functions.ts";
import { SQLITE_FUNCTIONS } from "./functions.ts";

type Call = CallNode<ResolvedColumn, ResolvedQuery>;

const same = (names: string): readonly (readonly [string, string])[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, name.toLowerCase()]);

/** Functions that SQLite has under this or another name with the same meaning. */
const NATIVE: ReadonlyMap<string, string> = new Map([
  ...same(`
    ABS ACOS ASIN ATAN ATAN2 CEIL CEILING COS DEGREES EXP FLOOR LN LOG10 LOG2 PI POW POWER RADIANS ROUND SIGN SIN SQRT TAN
    COALESCE IFNULL NULLIF INSTR LTRIM RTRIM REPLACE CONCAT_WS JSON_ARRAY JSON_OBJECT JSON_EXTRACT JSON_VALID
    AVG COUNT MAX MIN SUM
    CUME_DIST DENSE_RANK FIRST_VALUE LAG LAST_VALUE LEAD NTH_VALUE NTILE PERCENT_RANK RANK ROW_NUMBER
  `),
  ["IF", "iif"],
  ["CHAR_LENGTH", "length"],
  ["CHARACTER_LENGTH", "length"],
  ["LENGTH", "octet_length"],
  ["OCTET_LENGTH", "octet_length"],
  ["ASCII", "unicode"],
  ["GREATEST", "max"],
  ["LEAST", "min"],
  ["JSON_VALUE", "json_extract"],
  ["JSON_ARRAYAGG", "json_group_array"],
  ["JSON_OBJECTAGG", "json_group_object"],
]);

const CLOCK: Readonly<Record<string, string>> = {
  NOW: "datetime('now')",
  CURRENT_TIMESTAMP: "datetime('now')",
  LOCALTIME: "datetime('now')",
  LOCALTIMESTAMP: "datetime('now')",
  UTC_TIMESTAMP: "datetime('now')",
  CURDATE: "date('now')",
  CURRENT_DATE: "date('now')",
  UTC_DATE: "date('now')",
  UNIX_TIMESTAMP: "unixepoch('now')",
};

/** SQLite text of a call; a function it does not have is refused. */
export function printSqliteCall(node: Call, printing: Printing): string {
  const clock = CLOCK[node.name];
  if (clock !== undefined && node.operands.length === 0) return clock;
  switch (node.name) {
    case "CONCAT":
      return `(${node.operands.map((operand) => printing.expression(operand)).join(" || ")} || '')`;
    case "ISNULL":
      return `(${printing.list(node.operands)} IS NULL)`;
    case "TRIM":
      return printTrim(node, printing);
    case "JSON_UNQUOTE":
      return printUnquoted(node, printing);
    case "GROUP_CONCAT":
      return printGroupConcat(node, printing);
    default:
      return printNamed(node, printing);
  }
}

function printNamed(node: Call, printing: Printing): string {
  const name = SQLITE_FUNCTIONS.has(node.name) ? `mysql_${node.name.toLowerCase()}` : NATIVE.get(node.name);
  if (name === undefined || (node.distinct && node.operands.length > 1)) {
    return refuse(node);
  }
  if (!isSupported(node)) return refuse(node);
  const start = `${node.distinct ? "DISTINCT " : ""}${node.star ? "*" : ""}`;
  const keyword = node.keyword === undefined ? "" : `'${node.keyword}', `;
  const over = (): string => (node.over === undefined ? "" : printOver(node.over, printing));
  return `${name}(${start}${keyword}${printing.list(node.operands)})${over()}`;
}

const PARTS: ReadonlySet<string> = new Set(["YEAR", "QUARTER", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"]);

/** Forms of functions that are there in part: another unit, format or number of arguments would be answered wrongly. */
function isSupported({ name, keyword = "", operands }: Call): boolean {
  switch (name) {
    case "EXTRACT":
      return PARTS.has(keyword);
    case "TIMESTAMPDIFF":
      return SQLITE_UNITS.has(keyword);
    case "DATE_FORMAT":
      return operands.length === 2 && isPlainFormat(operands[1]);
    case "FROM_UNIXTIME":
      return operands.length === 1;
    default:
      return !name.startsWith("JSON_") || !operands.some(isBoolean);
  }
}

/** Weeks of a year are counted in too many ways. */
function isPlainFormat(node: ResolvedExpression | undefined): boolean {
  return node?.kind === "literal" && node.literal.type === "string" && !/%[UuVvXx]/.test(node.literal.value);
}

/** SQLite has no booleans: in a JSON document they would become numbers. */
function isBoolean(node: ResolvedExpression): boolean {
  return node.kind === "literal" && (node.literal.type === "TRUE" || node.literal.type === "FALSE");
}

function refuse(node: Call): never {
  return reject("SQL_FUNCTION", node.at, `${node.name} is not available on this datasource in this form`);
}

/** SQLite takes a set of characters where MySQL takes a text: only one character means the same. */
function printTrim(node: Call, printing: Printing): string {
  const [text, remove] = node.operands;
  if (text === undefined) return refuse(node);
  const isOne =
    remove?.kind === "literal" && remove.literal.type === "string" && [...remove.literal.value].length === 1;
  if (remove !== undefined && !isOne) return refuse(node);
  const name = node.keyword === "LEADING" ? "ltrim" : node.keyword === "TRAILING" ? "rtrim" : "trim";
  const operands = remove === undefined ? [text] : [text, remove];
  return `${name}(${printing.list(operands)})`;
}

/** SQLite's json_extract gives text without quotes already. */
function printUnquoted(node: Call, printing: Printing): string {
  const [inner] = node.operands;
  const isExtract = inner?.kind === "call" && inner.name === "JSON_EXTRACT";
  return isExtract ? printing.expression(inner) : refuse(node);
}

/** A separator and DISTINCT exclude each other here. */
function printGroupConcat(node: Call, printing: Printing): string {
  const text = node.operands.map((operand) => printing.expression(operand)).join(" || ");
  const value = node.operands.length === 1 ? text : `(${text})`;
  const orderBy = printOrderBy(node.orderBy, printing);
  const separator = node.separator ?? ",";
  if (node.distinct) return separator === "," ? `group_concat(DISTINCT ${value}${orderBy})` : refuse(node);
  return `group_concat(${value}, '${separator}'${orderBy})`;
}
