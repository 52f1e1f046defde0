import { type Dialect, type Printing, quoted } from "../sql/dialect.ts";
import { reject } from "../sql/rejection.ts";
import type {
  ResolvedColumn,
  ResolvedExpression,
  ResolvedFrom,
  ResolvedQuery,
  ResolvedSelect,
} from "../sql/resolved.ts";
import type { CastTarget, ChainNode, Literal, OperationNode } from "../sql/syntax.ts";
import { SQLITE_UNITS } from "./date-functions.ts";
import { isNumeric } from "./numeric.ts";
import { printSqliteCall } from "./print-call.ts";

/** The same plan for a SQLite file. What SQLite would answer otherwise than MySQL is refused, never approximated in silence. */
export const SQLITE_DIALECT: Dialect = {
  name: "sqlite",
  // One file is one schema.
  table: (_schema, table) => `\`main\`.${quoted(table)}`,
  expression: printSqlite,
  from: printSqliteFrom,
  check: checkSelect,
  fullSetOperations: false,
  stringsInText: false,
};

function printSqlite(node: ResolvedExpression, printing: Printing): string | null {
  switch (node.kind) {
    case "literal":
      return printLiteral(node.literal, node.at, printing);
    case "operation":
      return printOperation(node, printing);
    case "chain":
      return printChain(node, printing);
    case "cast":
      return printCast(node.target, printing.list(node.operands), node.at);
    case "dateArithmetic": {
      if (!SQLITE_UNITS.has(node.unit))
        reject("SQL_FUNCTION", node.at, `INTERVAL … ${node.unit} is not available on this datasource`);
      const operands = printing.list(node.operands);
      return `mysql_date_${node.operator === "+" ? "add" : "sub"}(${operands}, '${node.unit}')`;
    }
    case "call":
      return printSqliteCall(node, printing);
    case "query":
      return printQuantified(node, printing);
    default:
      return null;
  }
}

function printLiteral(literal: Literal, at: number, printing: Printing): string | null {
  switch (literal.type) {
    case "hex":
    case "hexString":
    case "bit":
      return reject("SQL_LITERAL", at, "hexadecimal and binary literals are not available on this datasource");
    case "DATE":
    case "TIME":
    case "TIMESTAMP":
      return printing.string(literal.value);
    case "string":
      if (literal.value.includes("\u0000")) reject("SQL_LITERAL", at, "the character NUL in a text");
      return null;
    case "number":
      if (/^\d+$/.test(literal.value) && BigInt(literal.value) > 9_223_372_036_854_775_807n) {
        reject("SQL_LITERAL", at, "a number that is too large for this datasource");
      }
      return null;
    default:
      return null;
  }
}

type Operation = OperationNode<ResolvedColumn, ResolvedQuery>;

function printOperation(node: Operation, printing: Printing): string | null {
  const not = node.negated ? "NOT " : "";
  switch (node.operator) {
    case "<=>":
      return `(${comparedOf(node, printing).join(" IS ")})`;
    case "BETWEEN": {
      const [value, low, high] = comparedOf(node, printing);
      return `(${value} ${not}BETWEEN ${low} AND ${high})`;
    }
    case "XOR":
      return operandsOf(node, printing).reduce((left, right) => `((NOT ${left}) <> (NOT ${right}))`);
    case "BINARY":
      return `(${printing.list(node.operands)} COLLATE BINARY)`;
    case "COLLATE":
      return `(${printing.list(node.operands)} COLLATE ${collation(node)})`;
    case "LIKE": {
      const [value, pattern] = operandsOf(node, printing);
      const detail = node.detail ?? "\\";
      return `(${value} ${not}LIKE ${pattern}${detail === "" ? "" : ` ESCAPE '${detail}'`})`;
    }
    case "IN":
      return printIn(node, not, printing);
    case "REGEXP":
      return node.operands[1]?.kind === "literal" ? null : refuse(node.at, "REGEXP BINARY");
    case "~":
    case "MEMBER OF":
      return refuse(node.at, node.operator);
    default:
      return COMPARISONS.has(node.operator) ? `(${comparedOf(node, printing).join(` ${node.operator} `)})` : null;
  }
}

const COMPARISONS: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);

/** MySQL compares a text with a number as numbers; SQLite would call every number smaller. Columns have a type of their own. */
function comparedOf({ operands }: Operation, printing: Printing): string[] {
  const hasNumber = operands.some(isNumeric);
  return operands.map((operand) => {
    const text = printing.expression(operand);
    return hasNumber && operand.kind !== "column" && !isNumeric(operand) ? `CAST(${text} AS REAL)` : text;
  });
}

function operandsOf({ operands }: { readonly operands: readonly ResolvedExpression[] }, printing: Printing): string[] {
  return operands.map((operand) => printing.expression(operand));
}

function collation({ detail = "", at }: Operation): string {
  if (detail.endsWith("_bin")) return "BINARY";
  return detail.endsWith("_ci") ? "NOCASE" : refuse(at, `COLLATE ${detail}`);
}

/** A list of rows is a VALUES clause here. */
function printIn(node: Operation, not: string, printing: Printing): string {
  const [left] = node.operands;
  if (left?.kind !== "operation" || left.operator !== "ROW") {
    const [value, ...items] = comparedOf(node, printing);
    return `(${value} ${not}IN (${items.join(", ")}))`;
  }
  const [row, ...rows] = operandsOf(node, printing);
  return `(${row} ${not}IN (VALUES ${rows.join(", ")}))`;
}

/** Division of whole numbers gives a fraction in MySQL; a remainder may have one. */
function printChain(node: ChainNode<ResolvedColumn, ResolvedQuery>, printing: Printing): string {
  return operandsOf(node, printing).reduce((left, right, i) => {
    switch (node.operators[i - 1]) {
      case "/":
        return `(CAST(${left} AS REAL) / ${right})`;
      case "DIV":
        return `CAST((CAST(${left} AS REAL) / ${right}) AS INTEGER)`;
      case "%":
        return `mysql_mod(${left}, ${right})`;
      case "^":
        return refuse(node.at, "^");
      default:
        return `(${left} ${node.operators[i - 1]} ${right})`;
    }
  });
}

function printCast({ type, length, scale }: CastTarget, operand: string, at: number): string {
  switch (type) {
    case "SIGNED":
    case "UNSIGNED":
    case "INTEGER":
    case "INT":
      return `mysql_signed(${operand})`;
    case "CHAR":
    case "VARCHAR":
    case "NCHAR":
      return length === undefined ? `CAST(${operand} AS TEXT)` : `substr(CAST(${operand} AS TEXT), 1, ${length})`;
    case "DECIMAL":
      return `round(CAST(${operand} AS REAL), ${length === undefined ? "0" : (scale ?? "0")})`;
    case "DOUBLE":
    case "REAL":
    case "FLOAT":
      return `CAST(${operand} AS REAL)`;
    case "DATE":
      return `mysql_date(${operand})`;
    case "USING":
      return operand;
    default:
      return refuse(at, `CAST AS ${type}`);
  }
}

/** SQLite has no ANY and ALL, but two of them are IN. */
function printQuantified(node: Extract<ResolvedExpression, { kind: "query" }>, printing: Printing): string | null {
  if (node.form !== "any" && node.form !== "all") return null;
  const isIn = node.form === "any" && node.operator === "=";
  if (!isIn && !(node.form === "all" && node.operator === "<>"))
    return refuse(node.at, `${node.operator} ${node.form.toUpperCase()}`);
  const left = printing.list(node.operands);
  return `(${left} ${isIn ? "" : "NOT "}IN (${printing.query(node.query)}))`;
}

function printSqliteFrom(node: ResolvedFrom): string | null {
  return node.kind === "jsonTable" ? refuse(node.document.at, "JSON_TABLE") : null;
}

function checkSelect(select: ResolvedSelect): void {
  if (select.rollup)
    reject("SQL_CLAUSE", select.groupBy[0]?.at ?? 0, "WITH ROLLUP is not available on this datasource");
  const grouped = select.groupBy.length > 0 || select.aggregated;
  if (select.having !== undefined && !grouped) refuse(select.having.at, "HAVING without GROUP BY");
}

function refuse(at: number, what: string): never {
  return reject("SQL_CLAUSE", at, `${what} is not available on this datasource`);
}
