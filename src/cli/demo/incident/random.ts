/** A small seeded generator (mulberry32), so that the incident is the same on every machine. Not for secrets of any worth. */
export interface Random {
  /** At least 0, below 1. */
  fraction(): number;
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly [T, ...(readonly T[])]): T;
  /** Characters drawn from an alphabet. */
  text(alphabet: string, length: number): string;
}

export const HEX = "0123456789abcdef";
export const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
export const ALPHANUMERIC: string = `${UPPER}abcdefghijklmnopqrstuvwxyz0123456789`;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number): number => low + Math.floor(fraction() * (high - low + 1));
  return {
    fraction,
    between,
    chance: (probability) => fraction() < probability,
    pick: ([first, ...rest]) => {
      const place = between(0, rest.length);
      return place === 0 ? first : (rest[place - 1] ?? first);
    },
    text: (alphabet, length) => Array.from({ length }, () => alphabet.charAt(between(0, alphabet.length - 1))).join(""),
  };
}
