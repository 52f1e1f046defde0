import type { Cursor } from "./cursor.ts";
import { LIMITS } from "./limits.ts";
import { reject } from "./rejection.ts";

/** `[AS] alias`; in a select list a string may name the column too. */
export function parseAlias(cursor: Cursor, stringAllowed: boolean): string | undefined {
  const explicit = cursor.take("AS");
  const token = cursor.peek();
  if (stringAllowed && token.kind === "string" && token.prefixed !== true)
    return checkedAlias(cursor.next().value, token.at);
  if (cursor.seesName()) return cursor.name("an alias");
  if (explicit) cursor.unexpected("expected an alias");
  return undefined;
}

function checkedAlias(alias: string, at: number): string {
  if (alias.trim() === "" || alias.length > LIMITS.identifier)
    reject("SQL_LEXICAL", at, "an alias that is empty or too long");
  return alias;
}

/** `(a, b, c)` behind the name of a table expression; empty when there is none. */
export function parseColumnNames(cursor: Cursor): readonly string[] {
  if (!cursor.take("(")) return [];
  const names = cursor.list(() => cursor.name("a column name"), LIMITS.selectItems);
  cursor.expect(")");
  return names;
}
