import { type Printing, quoted } from "./dialect.ts";
import { printNumbers, printOrderBy, printWindow } from "./print-expression.ts";
import { reject } from "./rejection.ts";
import type { OutputColumn, ResolvedBody, ResolvedFrom, ResolvedQuery, ResolvedSelect } from "./resolved.ts";
import type { JsonColumn, Limit } from "./syntax.ts";

/** Text of a query. `limit` replaces its own. */
export function printQuery(query: ResolvedQuery, printing: Printing, limit: Limit | undefined = query.limit): string {
  const ctes = query.ctes.map(({ id, query: inner }) => `${quoted(id)} AS (${printing.query(inner)})`);
  const start = ctes.length === 0 ? "" : `WITH ${query.recursive ? "RECURSIVE " : ""}${ctes.join(", ")} `;
  const body = printBody(query.body, printing);
  const inline = query.body.kind === "select" && isInline(query.body, printing);
  checkOutputOrder(query, printing);
  const orderBy = printing.within(inline, () => printOrderBy(query.orderBy, printing));
  return `${start}${body}${orderBy}${printLimit(limit)}`;
}

function checkOutputOrder({ body, orderBy }: ResolvedQuery, { dialect }: Printing): void {
  if (body.kind !== "set" || dialect.fullSetOperations) return;
  const other = orderBy.find(({ expression }) => expression.kind !== "column");
  if (other !== undefined)
    reject("SQL_CLAUSE", other.expression.at, "this datasource orders a UNION by its columns only");
}

function printLimit(limit: Limit | undefined): string {
  if (limit === undefined) return "";
  return ` LIMIT ${limit.count}${limit.offset === 0n ? "" : ` OFFSET ${limit.offset}`}`;
}

function printBody(body: ResolvedBody, printing: Printing): string {
  if (body.kind === "select") return printSelect(body, printing);
  if (body.kind === "nested") return printDerived(printing.query(body.query), body.outputs, body.relation);
  // Parameters are taken in the order of the text, so the first part is printed first.
  const first = printArm(body.first, printing);
  const arms = body.rest.map(
    ({ operator, all, body: arm }) => ` ${operator}${all ? " ALL" : ""} ${printArm(arm, printing)}`,
  );
  return first + arms.join("");
}

/** A part of a set operation that is one itself becomes a derived table: no server needs to know its precedence. */
function printArm(arm: ResolvedBody, printing: Printing): string {
  const text = printBody(arm, printing);
  return arm.kind === "set" ? printDerived(text, arm.outputs, printing.relation()) : text;
}

function printDerived(text: string, outputs: readonly OutputColumn[], relation: string): string {
  const columns = outputs.map(({ alias }) => `${quoted(relation)}.${quoted(alias)} AS ${quoted(alias)}`);
  return `SELECT ${columns.join(", ")} FROM (${text}) AS ${quoted(relation)}`;
}

function isInline(select: ResolvedSelect, { dialect }: Printing): boolean {
  return dialect.stringsInText && select.groupBy.length > 0;
}

function printSelect(select: ResolvedSelect, printing: Printing): string {
  printing.dialect.check(select);
  const inline = isInline(select, printing);
  const items = printing.within(inline, () =>
    select.items
      .map((item, i) => `${printing.expression(item)} AS ${quoted(select.outputs[i]?.alias ?? "")}`)
      .join(", "),
  );
  const from = select.from === undefined ? "" : ` FROM ${printFrom(select.from, printing)}`;
  const where = select.where === undefined ? "" : ` WHERE ${printing.expression(select.where)}`;
  const { having } = select;
  const rest = printing.within(inline, () => {
    const groupBy = select.groupBy.length === 0 ? "" : ` GROUP BY ${printing.list(select.groupBy)}`;
    const rollup = select.rollup ? " WITH ROLLUP" : "";
    return `${groupBy}${rollup}${having === undefined ? "" : ` HAVING ${printing.expression(having)}`}`;
  });
  const windows = select.windows.map(({ name, spec }) => `${quoted(name)} AS (${printWindow(spec, printing)})`);
  const window = windows.length === 0 ? "" : ` WINDOW ${windows.join(", ")}`;
  return `SELECT ${select.distinct ? "DISTINCT " : ""}${items}${from}${where}${rest}${window}`;
}

function printFrom(node: ResolvedFrom, printing: Printing): string {
  const own = printing.dialect.from(node, printing);
  if (own !== null) return own;
  switch (node.kind) {
    case "table":
      return `${printing.dialect.table(node.schema, node.table)} AS ${quoted(node.relation)}`;
    case "cte":
      return `${quoted(node.id)} AS ${quoted(node.relation)}`;
    case "derived":
      return `(${printing.query(node.query)}) AS ${quoted(node.relation)}`;
    case "jsonTable":
      return printJsonTable(node, printing);
    case "join":
      return printJoin(node, printing);
  }
}

function printJoin(node: Extract<ResolvedFrom, { kind: "join" }>, printing: Printing): string {
  const left = printFrom(node.left, printing);
  const right = printFrom(node.right, printing);
  const isOuter = node.type === "LEFT" || node.type === "RIGHT";
  const fallback = isOuter ? " ON (1 = 1)" : "";
  const on = node.on === undefined ? fallback : ` ON ${printing.expression(node.on)}`;
  return `${left} ${node.type} JOIN ${node.right.kind === "join" ? `(${right})` : right}${on}`;
}

function printJsonTable(node: Extract<ResolvedFrom, { kind: "jsonTable" }>, printing: Printing): string {
  const counter = { next: 1 };
  const document = printing.expression(node.document);
  const columns = printJsonColumns(node.columns, counter);
  return `JSON_TABLE(${document}, '${node.path}' COLUMNS (${columns})) AS ${quoted(node.relation)}`;
}

/** The resolver named the columns j1, j2 … in the same order. */
function printJsonColumns(columns: readonly JsonColumn[], counter: { next: number }): string {
  return columns.map((column) => printJsonColumn(column, counter)).join(", ");
}

function printJsonColumn(column: JsonColumn, counter: { next: number }): string {
  if (column.kind === "nested")
    return `NESTED PATH '${column.path}' COLUMNS (${printJsonColumns(column.columns, counter)})`;
  const name = quoted(`j${counter.next++}`);
  if (column.kind === "ordinality") return `${name} FOR ORDINALITY`;
  const { type, length, scale } = column.type;
  const onEmpty = column.onEmpty === undefined ? "" : ` ${column.onEmpty} ON EMPTY`;
  const onError = column.onError === undefined ? "" : ` ${column.onError} ON ERROR`;
  const exists = column.exists ? "EXISTS " : "";
  return `${name} ${type}${printNumbers(length, scale)} ${exists}PATH '${column.path}'${onEmpty}${onError}`;
}
