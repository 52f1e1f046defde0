import type { Cursor } from "./cursor.ts";
import { LIMITS } from "./limits.ts";
import { reject } from "./rejection.ts";
import type { Literal, LiteralNode } from "./syntax.ts";

const TEMPORAL = /^[0-9 :.T+-]{1,40}$/;
const ODBC: Readonly<Record<string, "DATE" | "TIME" | "TIMESTAMP">> = { D: "DATE", T: "TIME", TS: "TIMESTAMP" };

/** A literal of any kind, or null when something else stands here. */
export function parseLiteral(cursor: Cursor): LiteralNode | null {
  const token = cursor.peek();
  const literal = (value: Literal): LiteralNode => ({ kind: "literal", literal: value, at: token.at });
  switch (token.kind) {
    case "string":
      return literal({ type: "string", value: parseStrings(cursor) });
    case "number":
      return literal({ type: "number", value: checkedNumber(cursor) });
    case "hex":
    case "hexString":
    case "bit":
      return literal({ type: token.kind, value: cursor.next().value });
    case "symbol":
      return token.text === "{" ? literal(parseOdbc(cursor)) : null;
    case "word":
      return parseWordLiteral(cursor, literal);
    default:
      return null;
  }
}

/** Strings that stand side by side are one. */
function parseStrings(cursor: Cursor): string {
  const parts = [cursor.next().value];
  while (cursor.peek().kind === "string" && cursor.peek().prefixed !== true) {
    if (parts.length > LIMITS.arguments) reject("SQL_TOO_COMPLEX", cursor.peek().at, "too many strings side by side");
    parts.push(cursor.next().value);
  }
  return parts.join("");
}

function checkedNumber(cursor: Cursor): string {
  const { value, at } = cursor.next();
  if (!Number.isFinite(Number(value))) reject("SQL_LITERAL", at, "a number that is out of range");
  return value;
}

function parseWordLiteral(cursor: Cursor, literal: (value: Literal) => LiteralNode): LiteralNode | null {
  const { text } = cursor.peek();
  if (text === "NULL" || text === "TRUE" || text === "FALSE") {
    cursor.next();
    return literal({ type: text });
  }
  if ((text === "DATE" || text === "TIME" || text === "TIMESTAMP") && cursor.peek(1).kind === "string") {
    cursor.next();
    return literal({ type: text, value: parseTemporal(cursor) });
  }
  return null;
}

function parseTemporal(cursor: Cursor): string {
  const { at } = cursor.peek();
  const value = cursor.string("a date or time");
  if (!TEMPORAL.test(value)) reject("SQL_LITERAL", at, "a date or time that cannot be read");
  return value;
}

/** `{d '2024-01-02'}`, `{t '…'}`, `{ts '…'}`. */
function parseOdbc(cursor: Cursor): Literal {
  const { at } = cursor.next();
  const type = ODBC[cursor.next().text];
  if (type === undefined) return reject("SQL_LEXICAL", at, "braces are only for {d '…'}, {t '…'} and {ts '…'}");
  const value = parseTemporal(cursor);
  cursor.expect("}");
  return { type, value };
}
