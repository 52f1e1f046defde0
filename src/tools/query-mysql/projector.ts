import { z } from "zod";
import { BoundaryError } from "../../model/errors.ts";
import { type JsonValue, utf8Bytes } from "../../model/json.ts";
import { HELD_PIECE, withoutPieces } from "../../redact/pieces.ts";
import { cutText, findPlaceholders, secretPlaceholder } from "../../redact/placeholders.ts";
import type { Redact } from "../../redact/redact.ts";
import type { ProjectionContext, Projector } from "../tool.ts";
import type { Cell, RowSet } from "./executor.ts";
import type { MysqlQueryPlan, PlanColumn } from "./plan.ts";
import { type SqlPolicy, sqlPolicyDigest } from "./policy.ts";
import type { CellValue, QueryMysqlResult, RowItem } from "./result.ts";

/** What stands for a value of a sensitive column. */
export const MASK: string = secretPlaceholder("sensitive_column");

/** Hexadecimal digits of eight bytes. */
const MOST_MADE_HEX = 16;

/** Lengths that texts of a row too large for the answer are cut to, until it fits. */
const CELL_STEPS = [1_024, 512, 256, 128, 64, 32, 16] as const;

const cell: z.ZodType<Cell> = z.union([
  z.null(),
  z.boolean(),
  z.number(),
  z.string(),
  z.strictObject({ hex: z.string().regex(/^(?:[0-9a-f]{2})*$/) }),
]);
const rowSet: z.ZodType<RowSet> = z.strictObject({ rows: z.array(z.array(cell)).readonly(), cutByBytes: z.boolean() });

/** Rows as the model may see them: masked, redacted, whole as far as they fit, and exactly marked when they do not. */
export function mysqlResultProjector(policy: SqlPolicy): Projector<MysqlQueryPlan> {
  const { maxCellBytes } = policy;
  return {
    id: "query_mysql",
    version: "2",
    policyDigest: sqlPolicyDigest(policy),
    project: (raw, plan, context) => projectRows(raw, plan, context, maxCellBytes),
    measure: (raw) => ({ returnedCount: readRowSet(raw).rows.length }),
  };
}

function readRowSet(raw: JsonValue): RowSet {
  const parsed = rowSet.safeParse(raw);
  if (!parsed.success) throw new BoundaryError("BACKEND_SCHEMA_ERROR");
  return parsed.data;
}

function projectRows(
  raw: JsonValue,
  plan: MysqlQueryPlan,
  { limits, redact }: ProjectionContext,
  maxCellBytes: number,
): QueryMysqlResult {
  const { rows, cutByBytes } = readRowSet(raw);
  if (rows.some((row) => row.length !== plan.columns.length)) throw new BoundaryError("BACKEND_SCHEMA_ERROR");
  if (rows.length === 0 && cutByBytes) throw new BoundaryError("NOTHING_FITS");
  const columns = plan.columns.map(({ name }) => name);
  const frame = utf8Bytes(JSON.stringify({ items: [], columns, truncated: false }));
  const room = limits.maxBytes - frame;
  const items: RowItem[] = [];
  let used = 0;
  for (const row of rows.slice(0, plan.maxRows)) {
    const values = plan.columns.map((column, i) => shownCell(row[i] ?? null, column, redact));
    const item = fittingItem(`r${items.length + 1}`, columns, values, maxCellBytes, items.length === 0 ? room : null);
    used += utf8Bytes(JSON.stringify(item)) + 1;
    if (used > room) break;
    items.push(item);
  }
  if (items.length === 0 && rows.length > 0) throw new BoundaryError("NOTHING_FITS");
  const truncated = cutByBytes || items.length < rows.length || items.some(({ cut }) => cut !== undefined);
  return { items, columns, truncated };
}

/** A value as it may be shown: masked by where it comes from, else redacted by the names of its column and by its text. */
function shownCell(value: Cell, column: PlanColumn, redact: Redact): CellValue {
  if (value === null) return null;
  if (column.sensitive) return MASK;
  if (typeof value === "object") return shownBytes(value.hex, column, redact);
  return shownValue(value, column, redact);
}

/** What a statement made of text is shown without the pieces that a redactor could no longer tell for a secret. */
function shownValue(value: string | number | boolean, column: PlanColumn, redact: Redact): CellValue {
  const shown = redactByNames(value, column, redact) as CellValue;
  return column.rewritten && typeof shown === "string" ? withoutPieces(shown) : shown;
}

/** The alias of a column must not hide what its base column, or the member of a JSON document, is called. */
function redactByNames(value: JsonValue, { name, lineage, members }: PlanColumn, redact: Redact): JsonValue {
  const names = new Set([...lineage.map((source) => source.split(".").slice(2).join(".")), ...members, name]);
  return [...names].reduce<JsonValue>((shown, each) => redact.field(each, shown), value);
}

/** Bytes that are text are redacted as text: hexadecimal would hide a secret from a scanner, not from a reader. */
function shownBytes(hex: string, column: PlanColumn, redact: Redact): CellValue {
  const text = Buffer.from(hex, "hex").toString("utf8");
  if (Buffer.from(text, "utf8").toString("hex") !== hex) return shownHex(hex, column);
  const shown = shownValue(text, column, redact);
  return shown === text ? { hex } : shown;
}

/** Other bytes can hold a text, and then some: in a column that a statement made they are shown up to the length of a number. */
function shownHex(hex: string, { rewritten }: PlanColumn): CellValue {
  return rewritten && hex.length > MOST_MADE_HEX ? HELD_PIECE : { hex };
}

/** The item of a row; the first one is cut further where it would not fit at all. */
function fittingItem(
  id: string,
  columns: readonly string[],
  values: readonly CellValue[],
  maxCellBytes: number,
  room: number | null,
): RowItem {
  let item = itemOf(id, columns, values, maxCellBytes);
  for (const step of CELL_STEPS) {
    if (room === null || utf8Bytes(JSON.stringify(item)) + 1 <= room) break;
    if (step < maxCellBytes) item = itemOf(id, columns, values, step);
  }
  return item;
}

function itemOf(id: string, columns: readonly string[], values: readonly CellValue[], mostBytes: number): RowItem {
  const cut: string[] = [];
  const cells = values.map((value, i) => {
    const shown = shortened(value, mostBytes);
    if (shown !== value) cut.push(columns[i] ?? "");
    return [columns[i] ?? "", shown] as const;
  });
  const item = { item_id: id, cells: Object.fromEntries(cells) };
  return cut.length === 0 ? item : { ...item, cut };
}

function shortened(value: CellValue, maxBytes: number): CellValue {
  if (typeof value === "string") return isPlaceholder(value) ? value : cutText(value, { maxBytes });
  if (typeof value !== "object" || value === null || value.hex.length <= maxBytes) return value;
  return { hex: value.hex.slice(0, maxBytes - (maxBytes % 2)) };
}

/** A value that is one placeholder stays whole, so that it can be used and cited. */
function isPlaceholder(value: string): boolean {
  const [found] = findPlaceholders(value);
  return found?.start === 0 && found.end === value.length;
}
