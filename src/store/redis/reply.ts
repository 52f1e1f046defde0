import type { Amounts } from "../../model/budget.ts";
import type { JsonValue } from "../../model/json.ts";
import { damaged, writtenByNewer } from "./redis-failure.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Text of a reply. Bytes that are no UTF-8 are damage, never replaced. */
export function textOf(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  if (!(value instanceof Uint8Array)) throw damaged(what);
  try {
    return UTF8.decode(value);
  } catch {
    throw damaged(what);
  }
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw damaged(what);
  return value;
}

export function countOf(value: unknown, what: string): number {
  const text = textOf(value, what);
  const number = Number(text);
  if (text === "" || !Number.isSafeInteger(number)) throw damaged(what);
  return number;
}

export function jsonOf(value: unknown, what: string): JsonValue {
  try {
    return JSON.parse(textOf(value, what)) as JsonValue;
  } catch {
    throw damaged(what);
  }
}

/** Fields and values in turns, as HGETALL gives them. */
export function fieldsOf(value: unknown, what: string): ReadonlyMap<string, unknown> {
  const list = listOf(value, what);
  const fields = new Map<string, unknown>();
  for (let i = 0; i + 1 < list.length; i += 2) fields.set(textOf(list[i], what), list[i + 1]);
  return fields;
}

/** The four amounts as the scripts read and write them. */
export function amountsText({ calls, requestBytes, rawBytes, projectionBytes }: Amounts): string {
  return `${calls} ${requestBytes} ${rawBytes} ${projectionBytes}`;
}

export function amountsOf(value: unknown, what: string): Amounts {
  return amountsFrom(textOf(value, what).split(" "), what);
}

export function amountsFrom(words: readonly unknown[], what: string): Amounts {
  if (words.length !== 4) throw damaged(what);
  const [calls, requestBytes, rawBytes, projectionBytes] = words;
  return {
    calls: countOf(calls, what),
    requestBytes: countOf(requestBytes, what),
    rawBytes: countOf(rawBytes, what),
    projectionBytes: countOf(projectionBytes, what),
  };
}

/** The first word of a script's answer, unless that says that the script could not read what is stored. */
export function kindOf([kind]: readonly unknown[]): string {
  const word = textOf(kind, "answer");
  if (word === "version") throw writtenByNewer();
  if (word === "damaged") throw damaged("run");
  return word;
}

/** The kind of an answer, which is one of these. */
export function oneOf<T extends string>(kinds: readonly T[], reply: readonly unknown[]): T {
  const word = kindOf(reply);
  const kind = kinds.find((one) => one === word);
  if (kind === undefined) throw damaged("answer");
  return kind;
}
