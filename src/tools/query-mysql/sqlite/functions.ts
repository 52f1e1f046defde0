import type { SqliteDatabase, SqliteValue } from "./database.ts";
import { DATE_FUNCTIONS } from "./date-functions.ts";
import { TEXT_FUNCTIONS } from "./text-functions.ts";

/** A MySQL function as SQLite can call it: null when any argument is null, integers as bigint. */
export type SqliteFunction = (...values: readonly (number | string)[]) => SqliteValue | boolean;

/** MySQL functions that SQLite lacks or means otherwise, under their MySQL names. Printed with the prefix `mysql_`. */
export const SQLITE_FUNCTIONS: ReadonlyMap<string, SqliteFunction> = new Map([...TEXT_FUNCTIONS, ...DATE_FUNCTIONS]);

/** Functions that look at NULL themselves. */
const SEES_NULL: ReadonlySet<string> = new Set(["FIELD"]);

export function registerFunctions(database: SqliteDatabase): void {
  const options = { deterministic: true, varargs: true, useBigIntArguments: true };
  for (const [name, body] of SQLITE_FUNCTIONS) {
    database.function(`mysql_${name.toLowerCase()}`, options, wrapped(body, SEES_NULL.has(name)));
  }
  database.function("regexp", options, wrapped(matches, false));
}

function wrapped(body: SqliteFunction, seesNull: boolean): (...values: SqliteValue[]) => SqliteValue {
  return (...values) => {
    if (!seesNull && values.includes(null)) return null;
    const result = body(...(values.map(plain) as (number | string)[]));
    if (typeof result === "boolean") return result ? 1n : 0n;
    return typeof result === "number" && Number.isSafeInteger(result) ? BigInt(result) : result;
  };
}

/** Whole numbers that a double cannot hold stay digits. */
function plain(value: SqliteValue): SqliteValue {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

const compiled = new Map<string, RegExp>();

/** `value REGEXP pattern`, without regard to case, as the default collations have it. The validator bounds the pattern. */
function matches(pattern: number | string, value: number | string): boolean {
  const source = String(pattern);
  let expression = compiled.get(source);
  if (expression === undefined) {
    expression = new RegExp(
      source.replace(/\[\[:(\w+):\]\]/g, (_, name: string) => POSIX[name] ?? "[]"),
      "is",
    );
    if (compiled.size < 100) compiled.set(source, expression);
  }
  return expression.test(String(value));
}

const POSIX: Readonly<Record<string, string>> = {
  digit: "[0-9]",
  alpha: "[A-Za-z]",
  alnum: "[A-Za-z0-9]",
  space: "\\s",
  upper: "[A-Z]",
  lower: "[a-z]",
  punct: "[!-/:-@[-`{-~]",
};
