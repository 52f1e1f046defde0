import { utf8Bytes } from "../../../model/json.ts";
import type { Cell } from "../executor.ts";

/** Bytes of a row set around its rows. */
const FRAME = 32;
/** What a code unit can become in JSON. */
const MOST_BYTES_OF_UNIT = 6;
const MOST_BYTES_OF_NUMBER = 26;

/**
 * Counts what rows take as JSON, as the boundary does. Exactly only from when it could matter: while the most that they can take
 * fits, nothing is written out to be measured.
 */
export class ByteMeter {
  readonly #most: number;
  #upper = FRAME;
  #exact: number | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether this row fits too, beside those before it. */
  fits(row: readonly Cell[], before: readonly (readonly Cell[])[]): boolean {
    if (this.#exact === null) {
      this.#upper += upperBound(row);
      if (this.#upper <= this.#most) return true;
      this.#exact = before.reduce((sum, one) => sum + exactBytes(one), FRAME);
    }
    this.#exact += exactBytes(row);
    return this.#exact <= this.#most;
  }
}

function exactBytes(row: readonly Cell[]): number {
  return utf8Bytes(JSON.stringify(row)) + 1;
}

function upperBound(row: readonly Cell[]): number {
  let bytes = 3;
  for (const cell of row) {
    if (typeof cell === "string") bytes += cell.length * MOST_BYTES_OF_UNIT + 3;
    else if (typeof cell === "object" && cell !== null) bytes += cell.hex.length + 11;
    else bytes += MOST_BYTES_OF_NUMBER;
  }
  return bytes;
}
