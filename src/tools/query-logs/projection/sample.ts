import type { Aggregate } from "./aggregate.ts";
import type { EventView } from "./view.ts";

/** Events in the order in which they deserve room, in three classes. */
export interface Sample {
  /** The first event of every pattern, errors before others, rarest first: a single odd event is never lost. */
  readonly firsts: readonly number[];
  /** The last event of every pattern that is an error. */
  readonly lasts: readonly number[];
  /** Events that fill the largest gaps in time, the largest first. */
  readonly fills: readonly number[];
}

/** Chooses events across the whole range, always the same for the same events. Ties go to the earlier line. */
export function sampleEvents(patterns: readonly Aggregate[], events: readonly EventView[], fills: number): Sample {
  const rarest = [...patterns].sort(
    (a, b) =>
      Number(isError(b)) - Number(isError(a)) || a.members.length - b.members.length || (a.text < b.text ? -1 : 1),
  );
  const firsts = rarest.map(({ members }) => members[0]).filter((i) => i !== undefined);
  const taken = new Set(firsts);
  const lasts = rarest
    .filter(isError)
    .map(({ members }) => members.at(-1))
    .filter((i) => i !== undefined && !taken.has(i)) as readonly number[];
  for (const i of lasts) taken.add(i);
  return { firsts, lasts, fills: fillGaps(events, taken, fills) };
}

function isError({ level }: Aggregate): boolean {
  return level === "ERROR" || level === "FATAL";
}

/** Farthest-point sampling on time; on position where the events have no times. */
function fillGaps(events: readonly EventView[], taken: ReadonlySet<number>, wanted: number): number[] {
  const timed = events.some(({ ms }) => ms !== null);
  const place = events.map(({ ms }, i) => (timed ? ms : i));
  const distance = place.map((ms, i) => (ms === null || taken.has(i) ? -1 : Number.POSITIVE_INFINITY));
  const shorten = (from: number): void => {
    const origin = place[from] ?? 0;
    distance.forEach((old, i) => {
      if (old >= 0) distance[i] = Math.min(old, Math.abs((place[i] ?? 0) - (origin ?? 0)));
    });
  };
  shortenAll(distance, place, taken);
  const fills: number[] = [];
  while (fills.length < wanted) {
    let best = -1;
    distance.forEach((value, i) => {
      if (value >= 0 && (best < 0 || value > (distance[best] ?? -1))) best = i;
    });
    if (best < 0) break;
    fills.push(best);
    distance[best] = -1;
    shorten(best);
  }
  return fills;
}

/** Distances to the nearest taken event, in two passes over the events by time. */
function shortenAll(distance: number[], place: readonly (number | null)[], taken: ReadonlySet<number>): void {
  const order = place.flatMap((at, i) => (at === null ? [] : [{ at, i }])).sort((a, b) => a.at - b.at || a.i - b.i);
  for (const pass of [order, [...order].reverse()]) {
    let near: number | null = null;
    for (const { at, i } of pass) {
      if (taken.has(i)) near = at;
      else if (near !== null) distance[i] = Math.min(distance[i] ?? 0, Math.abs(at - near));
    }
  }
}
