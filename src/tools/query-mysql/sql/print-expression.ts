import { type Printing, quoted } from "./dialect.ts";
import type {
  ResolvedColumn,
  ResolvedExpression,
  ResolvedOrderItem,
  ResolvedQuery,
  ResolvedWindow,
} from "./resolved.ts";
import type { CallNode, CastNode, FrameBound, Literal, OperationNode, QueryNode, WindowFrame } from "./syntax.ts";

type Operation = OperationNode<ResolvedColumn, ResolvedQuery>;
type Call = CallNode<ResolvedColumn, ResolvedQuery>;

/** MySQL text of an expression. Everything that is not a leaf or a call stands in parentheses. */
export function printExpression(node: ResolvedExpression, printing: Printing): string {
  switch (node.kind) {
    case "literal":
      return printLiteral(node.literal, printing);
    case "column":
      return printColumn(node.column);
    case "operation":
      return printOperation(node, printing);
    case "chain": {
      const operands = node.operands.map((operand) => printing.expression(operand));
      return `(${operands.reduce((text, operand, i) => `${text} ${node.operators[i - 1]} ${operand}`)})`;
    }
    case "case":
      return printCase(node, printing);
    case "cast":
      return printCast(node, printing);
    case "dateArithmetic": {
      const [date, amount] = node.operands.map((operand) => printing.expression(operand));
      return `(${date} ${node.operator} INTERVAL ${amount} ${node.unit})`;
    }
    case "call":
      return printCall(node, printing);
    case "query":
      return printSubquery(node, printing);
  }
}

function printColumn(column: ResolvedColumn): string {
  return column.kind === "output" ? quoted(column.name) : `${quoted(column.relation)}.${quoted(column.name)}`;
}

function printLiteral(literal: Literal, printing: Printing): string {
  switch (literal.type) {
    case "string":
      return printing.string(literal.value);
    case "number":
      return literal.value;
    case "hex":
      return `0x${literal.value}`;
    case "hexString":
      return `X'${literal.value}'`;
    case "bit":
      return `b'${literal.value}'`;
    case "DATE":
    case "TIME":
    case "TIMESTAMP":
      return `${literal.type} '${literal.value}'`;
    default:
      return literal.type;
  }
}

const COMPARING: ReadonlySet<string> = new Set([
  ...["=", "<=>", "<>", "<", "<=", ">", ">="],
  ...["BETWEEN", "IN", "LIKE", "REGEXP"],
]);
const PREFIX: Readonly<Record<string, string>> = { NOT: "NOT", NEGATE: "-", "~": "~", BINARY: "BINARY" };

/** Whether a parameter among these would be taken as the text it is: beside a number, or alone, MySQL gives it another type. */
function givesType(operands: readonly ResolvedExpression[]): boolean {
  const isString = (node: ResolvedExpression): boolean => node.kind === "literal" && node.literal.type === "string";
  const others = operands.filter((operand) => !isString(operand));
  return others.length > 0 && others.every(({ kind }) => kind === "column" || kind === "call");
}

function printOperation(node: Operation, printing: Printing): string {
  const prefix = PREFIX[node.operator];
  const binds = COMPARING.has(node.operator) && givesType(node.operands);
  const operands = node.operands.map((operand) => (binds ? printing.compared(operand) : printing.expression(operand)));
  const [left = "", ...rest] = operands;
  const not = node.negated ? "NOT " : "";
  if (prefix !== undefined) return `(${prefix} ${left})`;
  switch (node.operator) {
    case "ROW":
      return `(${operands.join(", ")})`;
    case "COLLATE":
      return `(${left} COLLATE ${node.detail ?? ""})`;
    case "BETWEEN":
      return `(${left} ${not}BETWEEN ${rest.join(" AND ")})`;
    case "IN":
      return `(${left} ${not}IN (${rest.join(", ")}))`;
    case "LIKE":
    case "REGEXP":
      return `(${left} ${not}${node.operator} ${rest.join("")}${escapeClause(node.detail)})`;
    case "MEMBER OF":
      return `(${left} MEMBER OF(${rest.join("")}))`;
    case "IS NULL":
    case "IS TRUE":
    case "IS FALSE":
      return `(${left} IS ${not}${node.operator.slice(3)})`;
    default:
      return `(${operands.join(` ${node.operator} `)})`;
  }
}

/** The backslash is the default; the other characters were checked by the parser. */
function escapeClause(character: string | undefined): string {
  return character === undefined || character === "\\" ? "" : ` ESCAPE '${character}'`;
}

function printCase(node: Extract<ResolvedExpression, { kind: "case" }>, printing: Printing): string {
  const operands = node.operands.map((operand) => printing.expression(operand));
  const base = node.hasBase ? ` ${operands.shift()}` : "";
  const otherwise = node.hasElse ? ` ELSE ${operands.pop()}` : "";
  let branches = "";
  for (let i = 0; i + 1 < operands.length; i += 2) branches += ` WHEN ${operands[i]} THEN ${operands[i + 1]}`;
  return `(CASE${base}${branches}${otherwise} END)`;
}

/** Synonyms that only one of the servers knows. */
const CAST_NAMES: Readonly<Record<string, string>> = {
  INTEGER: "SIGNED",
  INT: "SIGNED",
  VARCHAR: "CHAR",
  NCHAR: "CHAR",
  REAL: "DOUBLE",
};

function printCast(node: CastNode<ResolvedColumn, ResolvedQuery>, printing: Printing): string {
  const operand = printing.list(node.operands);
  const { type, length, scale } = node.target;
  if (type === "USING") return `CONVERT(${operand} USING utf8mb4)`;
  return `CAST(${operand} AS ${CAST_NAMES[type] ?? type}${printNumbers(length, scale)})`;
}

export function printNumbers(length: string | undefined, scale: string | undefined): string {
  if (length === undefined) return "";
  return scale === undefined ? `(${length})` : `(${length}, ${scale})`;
}

function printCall(node: Call, printing: Printing): string {
  if (node.name === "TRIM") return printTrim(node, printing);
  if (node.name === "CHAR")
    return `CHAR(${printing.list(node.operands)}${node.keyword === undefined ? "" : " USING utf8mb4"})`;
  if (node.name === "EXTRACT") return `EXTRACT(${node.keyword ?? ""} FROM ${printing.list(node.operands)})`;
  const start = `${node.distinct ? "DISTINCT " : ""}${node.star ? "*" : ""}`;
  const keyword = node.keyword === undefined ? "" : `${node.keyword}, `;
  const inside = `${start}${keyword}${printArguments(node, printing)}${printOrderBy(node.orderBy, printing)}`;
  const separator = node.separator === undefined ? "" : ` SEPARATOR '${node.separator}'`;
  return `${node.name}(${inside}${separator})${node.over === undefined ? "" : printOver(node.over, printing)}`;
}

function printTrim({ keyword, operands }: Call, printing: Printing): string {
  const [text, remove] = operands;
  const removed = remove === undefined ? "" : `${printing.expression(remove)} `;
  const side = keyword ?? (remove === undefined ? undefined : "BOTH");
  const inner = text === undefined ? "" : printing.expression(text);
  return side === undefined ? `TRIM(${inner})` : `TRIM(${side} ${removed}FROM ${inner})`;
}

/** A path of these functions must stand in the text; the parser let only plain ones through. */
function printArguments(node: Call, printing: Printing): string {
  const [document, path] = node.operands;
  const isPath = node.name === "JSON_VALUE" || node.name === "JSON_QUERY";
  if (isPath && document !== undefined && path?.kind === "literal" && path.literal.type === "string") {
    return `${printing.expression(document)}, '${path.literal.value}'`;
  }
  return printing.list(node.operands);
}

export function printOrderBy(items: readonly ResolvedOrderItem[], printing: Printing): string {
  if (items.length === 0) return "";
  const texts = items.map(
    ({ expression, descending }) => printing.expression(expression) + (descending ? " DESC" : ""),
  );
  return ` ORDER BY ${texts.join(", ")}`;
}

export function printOver(over: ResolvedWindow | string, printing: Printing): string {
  return typeof over === "string" ? ` OVER ${quoted(over)}` : ` OVER (${printWindow(over, printing)})`;
}

export function printWindow({ base, partitionBy, orderBy, frame }: ResolvedWindow, printing: Printing): string {
  const parts = [
    base === undefined ? "" : quoted(base),
    partitionBy.length === 0 ? "" : `PARTITION BY ${printing.list(partitionBy)}`,
    printOrderBy(orderBy, printing).trim(),
    frame === undefined ? "" : printFrame(frame),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function printFrame({ unit, from, to }: WindowFrame): string {
  return to === undefined ? `${unit} ${printBound(from)}` : `${unit} BETWEEN ${printBound(from)} AND ${printBound(to)}`;
}

function printBound({ type, amount, unit }: FrameBound): string {
  if (amount === undefined) return type;
  const text = "value" in amount.literal ? amount.literal.value : "";
  if (unit === undefined) return `${text} ${type}`;
  return `INTERVAL ${amount.literal.type === "string" ? `'${text}'` : text} ${unit} ${type}`;
}

function printSubquery(node: QueryNode<ResolvedColumn, ResolvedQuery>, printing: Printing): string {
  const left = printing.list(node.operands);
  const query = `(${printing.query(node.query)})`;
  switch (node.form) {
    case "scalar":
      return query;
    case "exists":
      return `(EXISTS ${query})`;
    case "in":
      return `(${left} ${node.negated ? "NOT " : ""}IN ${query})`;
    default:
      return `(${left} ${node.operator ?? "="} ${node.form.toUpperCase()} ${query})`;
  }
}
