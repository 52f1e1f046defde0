import type { Cursor } from "./cursor.ts";
import { LIMITS } from "./limits.ts";
import { parseAlias } from "./parse-alias.ts";
import { parseCastTarget } from "./parse-cast.ts";
import type { ParsedFrom } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { JsonColumn } from "./syntax.ts";

/** Paths are printed as quoted text, since a server takes no parameter there; so only plain ones are allowed. */
const PLAIN_PATH = /^\$(?:\.[\p{L}_][\p{L}\p{N}_]{0,63}|\."[\p{L}\p{N}_ .:@/-]{1,64}"|\.\*|\[(?:\d{1,9}|\*)\])*$/u;

/** `JSON_TABLE(document, path COLUMNS (…)) AS alias`. */
export function parseJsonTable(cursor: Cursor): ParsedFrom {
  const { at } = cursor.peek();
  cursor.expect("JSON_TABLE", "(");
  const document = cursor.nested(() => cursor.grammar.expression(cursor));
  cursor.expect(",");
  const path = parseJsonPath(cursor);
  const columns = parseColumns(cursor);
  cursor.expect(")");
  const alias = parseAlias(cursor, false);
  if (alias === undefined) cursor.unexpected("JSON_TABLE needs an alias");
  return { kind: "jsonTable", document, path, columns, alias, at };
}

function parseJsonPath(cursor: Cursor): string {
  const { at } = cursor.peek();
  const path = cursor.string("a JSON path");
  if (!isPlainPath(path)) reject("SQL_LITERAL", at, "a JSON path of this form is not supported here");
  return path;
}

export function isPlainPath(path: string): boolean {
  return path.length <= LIMITS.pattern && PLAIN_PATH.test(path);
}

function parseColumns(cursor: Cursor): readonly JsonColumn[] {
  cursor.expect("COLUMNS", "(");
  const columns = cursor.nested(() => cursor.list(() => parseColumn(cursor), LIMITS.arguments));
  cursor.expect(")");
  return columns;
}

function parseColumn(cursor: Cursor): JsonColumn {
  if (cursor.take("NESTED")) {
    cursor.take("PATH");
    return { kind: "nested", path: parseJsonPath(cursor), columns: parseColumns(cursor) };
  }
  const name = cursor.name("a column name");
  if (cursor.take("FOR")) {
    cursor.expect("ORDINALITY");
    return { kind: "ordinality", name };
  }
  const type = parseCastTarget(cursor, "column");
  const exists = cursor.take("EXISTS");
  cursor.expect("PATH");
  const path = parseJsonPath(cursor);
  return { kind: "path", name, type, exists, path, ...parseHandlers(cursor) };
}

function parseHandlers(cursor: Cursor): { readonly onEmpty?: string; readonly onError?: string } {
  const found: { onEmpty?: string; onError?: string } = {};
  for (const _ of ["EMPTY", "ERROR"]) {
    const word = cursor.takeAny(["NULL", "ERROR", "DEFAULT"]);
    if (word === undefined) break;
    const action = word === "DEFAULT" ? `DEFAULT ${parseDefault(cursor)}` : word;
    cursor.expect("ON");
    if (cursor.take("EMPTY")) found.onEmpty = action;
    else if (cursor.take("ERROR")) found.onError = action;
    else cursor.unexpected("expected EMPTY or ERROR");
  }
  return found;
}

function parseDefault(cursor: Cursor): string {
  const { at } = cursor.peek();
  const text = cursor.string("a default in quotes");
  if (!/^[A-Za-z0-9 ._-]{0,64}$/.test(text)) reject("SQL_LITERAL", at, "a default of this form is not supported");
  return `'${text}'`;
}
