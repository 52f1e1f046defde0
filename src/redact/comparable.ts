import { findPlaceholders, HELD_BACK } from "./placeholders.ts";

/** The spellings a call has met of the identifier behind each alias. */
export class Spellings {
  readonly #known = new Map<string, string[]>();

  add(alias: string, value: string): void {
    const spellings = this.#known.get(alias);
    if (spellings === undefined) this.#known.set(alias, [value]);
    else spellings.push(value);
  }

  /** The spelling that stands in `source`, or any; undefined when the alias was not given by this call. */
  in(source: string, alias: string): string | undefined {
    const spellings = this.#known.get(alias);
    if (spellings === undefined || spellings.length === 1) return spellings?.[0];
    return spellings.find((value) => source.includes(value)) ?? spellings[0];
  }
}

/** A redacted text with its aliases put back and its secrets as `HELD_BACK`. */
export function comparableText(redacted: string, source: string, spellings: Spellings): string {
  const places = findPlaceholders(redacted);
  if (places.length === 0) return redacted;
  const known = new Map<string, string | undefined>();
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, alias } of places) {
    if (alias !== undefined && !known.has(alias)) known.set(alias, spellings.in(source, alias));
    const value = alias === undefined ? HELD_BACK : known.get(alias);
    pieces.push(redacted.slice(from, start), value ?? redacted.slice(start, end));
    from = end;
  }
  return pieces.join("") + redacted.slice(from);
}
