import { createHmac } from "node:crypto";

import type { RunMemory } from "../model/memory.ts";
import { folded } from "./folded.ts";
import { wholeAlias } from "./placeholders.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const LENGTH = 10;

/**
 * Alias of an identifier: a keyed hash of kind and normalised value. Equal values get equal aliases in every tool and process of a
 * run; without the run's salt nothing can be computed from it.
 */
export function aliasOf(salt: string, kind: string, value: string): string {
  const digest = createHmac("sha256", Buffer.from(salt, "hex"))
    .update(`${kind}\u0000${normalised(kind, folded(value))}`)
    .digest();
  let alias = ALPHABET[(digest[0] as number) % 26] as string;
  for (let index = 1; index < LENGTH; index++) alias += ALPHABET[(digest[index] as number) & 31];
  return alias;
}

/** The form in which two spellings of one identifier are equal. */
export function normalised(kind: string, value: string): string {
  switch (kind) {
    case "ip":
      return value.includes(":") ? canonicalIpv6(value.toLowerCase()) : value;
    case "mac":
      return value.toLowerCase().replaceAll("-", ":");
    case "host":
    case "email":
    case "idcard":
    case "container":
      return value.toLowerCase();
    case "phone":
      return value.replace(/[^0-9]/g, "").replace(/^(?:00)?86(?=1[3-9]\d{9}$)/, "");
    case "bankcard":
      return value.replace(/[^0-9]/g, "");
    default:
      return value;
  }
}

/** Full eight groups without leading zeros; `::1` and `0:0::1` are one address. */
function canonicalIpv6(address: string): string {
  const [head = "", tail] = address.split("::", 2);
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(missing).fill("0"), ...right]
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

/** The value behind a placeholder that is the whole of `text`; null when it is none or this run did not give it. */
export function valueOfAlias(memory: RunMemory, text: string): string | null {
  const place = wholeAlias(text);
  if (place === null) return null;
  return memory.aliases.find((entry) => entry.alias === place.alias && entry.kind === place.kind)?.value ?? null;
}
