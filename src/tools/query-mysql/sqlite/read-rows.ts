import type { Cell } from "../executor.ts";
import type { SqliteDatabase, SqliteValue } from "./database.ts";
import type { RunReply, RunRequest } from "./protocol.ts";

/** Runs one statement and reads rows until they end or the bytes are used up. The statement itself bounds their number. */
export function readRows(database: SqliteDatabase, { sql, params, maxBytes }: RunRequest): RunReply {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  const rows: (readonly Cell[])[] = [];
  let bytes = 0;
  for (const row of statement.iterate(...params)) {
    const cells = Object.values(row).map(cellOf);
    for (const cell of cells) bytes += bytesOf(cell);
    if (bytes > maxBytes) return { kind: "rows", rows, cutByBytes: true };
    rows.push(cells);
  }
  return { kind: "rows", rows, cutByBytes: false };
}

function cellOf(value: SqliteValue): Cell {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return { hex: Buffer.from(value).toString("hex") };
  return typeof value === "string" ? value : null;
}

function bytesOf(cell: Cell): number {
  if (typeof cell === "string") return Buffer.byteLength(cell, "utf8");
  return typeof cell === "object" && cell !== null ? cell.hex.length : 8;
}
