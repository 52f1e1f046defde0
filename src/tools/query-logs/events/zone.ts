/** Turns a clock reading without a zone into an instant. */
export interface Zone {
  readonly name: string;
  /** `wall` is the reading as if it were UTC, in milliseconds. */
  toUtc(wall: number): number;
}

const OFFSET = /^(?:UTC|GMT)?([+-])(\d{2}):?(\d{2})$/;
const HOUR_MS = 3_600_000;

/** A zone by IANA name (`Asia/Shanghai`) or offset (`+08:00`, `UTC`); null when it is neither. */
export function parseZone(name: string): Zone | null {
  if (/^(?:Z|UTC|GMT)$/i.test(name)) return { name, toUtc: (wall) => wall };
  const offset = OFFSET.exec(name);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    const shift = (offset[1] === "-" ? -minutes : minutes) * 60_000;
    return { name, toUtc: (wall) => wall - shift };
  }
  return namedZone(name);
}

function namedZone(name: string): Zone | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  } catch {
    return null;
  }
  const known = new Map<number, number>();
  const offsetAt = (instant: number): number => {
    const hour = Math.floor(instant / HOUR_MS);
    let offset = known.get(hour);
    if (offset === undefined) {
      offset = wallAt(format, hour * HOUR_MS) - hour * HOUR_MS;
      if (known.size > 10_000) known.clear();
      known.set(hour, offset);
    }
    return offset;
  };
  // Twice, because the offset is the one in force at the instant, not at the reading taken for an instant.
  return { name, toUtc: (wall) => wall - offsetAt(wall - offsetAt(wall)) };
}

function wallAt(format: Intl.DateTimeFormat, instant: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(instant)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
