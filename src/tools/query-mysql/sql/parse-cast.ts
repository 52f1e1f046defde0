import type { Cursor } from "./cursor.ts";
import { reject } from "./rejection.ts";
import type { CastTarget } from "./syntax.ts";

/** Types of CAST, with how many numbers each may carry. */
const CAST_TYPES: ReadonlyMap<string, number> = new Map([
  ...["SIGNED", "UNSIGNED", "INTEGER", "INT", "DATE", "JSON", "YEAR", "DOUBLE", "REAL", "FLOAT"].map(
    (type) => [type, 0] as const,
  ),
  ...["CHAR", "NCHAR", "BINARY", "DATETIME", "TIME", "VARCHAR"].map((type) => [type, 1] as const),
  ["DECIMAL", 2],
]);
/** Types a column of JSON_TABLE may have besides. */
const COLUMN_TYPES: ReadonlyMap<string, number> = new Map([
  ...["BIGINT", "SMALLINT", "TINYINT", "TEXT", "BOOLEAN", "TIMESTAMP"].map((type) => [type, 0] as const),
]);

/** The type behind AS in a CAST, or of a column. */
export function parseCastTarget(cursor: Cursor, use: "cast" | "column"): CastTarget {
  const token = cursor.next();
  const extra = use === "column" ? COLUMN_TYPES.get(token.text) : undefined;
  const numbers = CAST_TYPES.get(token.text) ?? extra;
  if (token.kind !== "word" || numbers === undefined) reject("SQL_SYNTAX", token.at, "a type that is not supported");
  if (token.text === "SIGNED" || token.text === "UNSIGNED") cursor.takeAny(["INTEGER", "INT"]);
  const target = { type: token.text, ...parseNumbers(cursor, numbers) };
  if (token.text === "CHAR") skipCharset(cursor);
  return target;
}

/** The one character set there is; naming it changes nothing. */
function skipCharset(cursor: Cursor): void {
  if (!cursor.take("CHARACTER", "SET") && !cursor.take("CHARSET")) return;
  cursor.expect("UTF8MB4");
}

function parseNumbers(cursor: Cursor, most: number): { readonly length?: string; readonly scale?: string } {
  if (most === 0 || !cursor.take("(")) return {};
  const length = parseSmall(cursor);
  const scale = most > 1 && cursor.take(",") ? { scale: parseSmall(cursor) } : {};
  cursor.expect(")");
  return { length, ...scale };
}

function parseSmall(cursor: Cursor): string {
  const token = cursor.next();
  if (token.kind !== "number" || !/^\d{1,4}$/.test(token.value)) reject("SQL_LITERAL", token.at, "a length");
  return token.value;
}
