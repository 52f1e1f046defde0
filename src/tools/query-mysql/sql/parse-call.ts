import { checkArguments } from "./check-arguments.ts";
import type { Cursor } from "./cursor.ts";
import { type AllowedFunction, BARE_CALLS, FUNCTIONS } from "./functions.ts";
import { LIMITS } from "./limits.ts";
import { parseSpecialForm, type SpecialForm } from "./parse-special.ts";
import { parseOver } from "./parse-window.ts";
import type { ParsedExpression } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { Token } from "./token.ts";

/** A call of an allowed function. Any other name, and any name in quotes, is refused before its arguments are read. */
export function parseCall(cursor: Cursor): ParsedExpression {
  const token = cursor.next();
  const special = token.kind === "word" ? parseSpecialForm(cursor, token) : null;
  if (special !== null) return withOver(cursor, special, token);
  const { allowed, name } = lookUp(token);
  if (BARE_CALLS.has(name) && !cursor.sees("(")) return finish(cursor, token, allowed, { name, operands: [] });
  cursor.expect("(");
  const operands = cursor.sees(")") ? [] : parseArguments(cursor);
  cursor.expect(")");
  return finish(cursor, token, allowed, { name, operands });
}

function lookUp(token: Token): { readonly name: string; readonly allowed: AllowedFunction } {
  const allowed = token.kind === "word" ? FUNCTIONS.get(token.text) : undefined;
  if (allowed === undefined) reject("SQL_FUNCTION", token.at, "this function is not available");
  return { name: token.text, allowed };
}

function parseArguments(cursor: Cursor): readonly ParsedExpression[] {
  return cursor.nested(() => cursor.list(() => cursor.grammar.expression(cursor), LIMITS.arguments));
}

function withOver(cursor: Cursor, form: ParsedExpression | SpecialForm, token: Token): ParsedExpression {
  if ("kind" in form) return form;
  return finish(cursor, token, lookUp({ ...token, text: form.name }).allowed, form);
}

function finish(cursor: Cursor, token: Token, allowed: AllowedFunction, form: SpecialForm): ParsedExpression {
  const count = form.operands.length + (form.star === true ? 1 : 0);
  if (count < allowed.least || count > allowed.most) {
    reject("SQL_FUNCTION", token.at, `${form.name} takes another number of arguments`);
  }
  checkArguments(form.name, form.operands, token.at);
  const over = allowed.kind !== "scalar" && cursor.take("OVER") ? parseOver(cursor) : undefined;
  if (allowed.kind === "window" && over === undefined) reject("SQL_FUNCTION", token.at, `${form.name} needs OVER`);
  const defaults = { distinct: false, star: false, orderBy: [] };
  return { kind: "call", ...defaults, ...form, at: token.at, ...(over === undefined ? {} : { over }) };
}
