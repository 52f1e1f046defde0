import { type Finding, ok, warning } from "./finding.ts";

/** How far a server's clock is from this machine's, in milliseconds, and by how much that may be wrong. */
export interface ClockSkew {
  readonly skewMs: number;
  readonly uncertaintyMs: number;
}

/** Beyond this a call's times no longer tell what came first. */
const LARGEST_SKEW_MS = 2_000;

/** Asks a server for its time; the answer is taken to be from the middle of the round trip. */
export async function measureSkew(now: () => Promise<number>): Promise<ClockSkew> {
  const sent = Date.now();
  const theirs = await now();
  const received = Date.now();
  return { skewMs: theirs - (sent + received) / 2, uncertaintyMs: (received - sent) / 2 };
}

/** What a skew means for the records and rows that both clocks write into. */
export function assessSkew(
  check: string,
  server: "Redis" | "the audit database",
  { skewMs, uncertaintyMs }: ClockSkew,
): Finding {
  const certain = Math.max(0, Math.abs(skewMs) - uncertaintyMs);
  if (certain <= LARGEST_SKEW_MS) return ok(check, `The clocks of this machine and ${server} agree.`);
  const seconds = Math.round(certain / 1_000);
  return warning(check, {
    what: `The clock of ${server} is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} this machine's.`,
    why: "Times of calls come from this machine, lifetimes and other rows from the server: together they mislead.",
    fix: "Synchronise both machines with the same time servers (NTP).",
  });
}
