/** Parts of dates and times as prepared statements send them, little-endian; what is zero at the end is left out. */
const LENGTH_OF_DATE = 4;
const LENGTH_OF_DATETIME = 7;
const LENGTH_OF_TIME = 8;
/** More digits than a fraction can have: the server does not know how many there are. */
const MOST_DECIMALS = 6;

/** Two digits each; making them anew for every part of every date is what reading dates costs most. */
const TWO_DIGITS: readonly string[] = Array.from({ length: 256 }, (_, i) => String(i).padStart(2, "0"));

const two = (value: number | undefined): string => TWO_DIGITS[value ?? 0] ?? "00";

/** `2026-03-01`, also for `0000-00-00`, which is no date anywhere else. */
export function dateText(bytes: Buffer): string {
  if (bytes.length < LENGTH_OF_DATE) return "0000-00-00";
  const year = (bytes[0] ?? 0) + 256 * (bytes[1] ?? 0);
  return `${String(year).padStart(4, "0")}-${two(bytes[2])}-${two(bytes[3])}`;
}

/** `2026-03-01 08:05:00`, with as many digits of a fraction as the column has. */
export function datetimeText(bytes: Buffer, decimals: number): string {
  const date = dateText(bytes);
  if (bytes.length < LENGTH_OF_DATETIME) return `${date} 00:00:00${fraction(0, decimals)}`;
  const micros = bytes.length > LENGTH_OF_DATETIME ? bytes.readUInt32LE(LENGTH_OF_DATETIME) : 0;
  return `${date} ${two(bytes[4])}:${two(bytes[5])}:${two(bytes[6])}${fraction(micros, decimals)}`;
}

/** `-838:59:59`: a span, which may be longer than a day. */
export function timeText(bytes: Buffer, decimals: number): string {
  if (bytes.length < LENGTH_OF_TIME) return `00:00:00${fraction(0, decimals)}`;
  const hours = bytes.readUInt32LE(1) * 24 + (bytes[5] ?? 0);
  const micros = bytes.length > LENGTH_OF_TIME ? bytes.readUInt32LE(LENGTH_OF_TIME) : 0;
  const sign = bytes[0] === 0 ? "" : "-";
  return `${sign}${String(hours).padStart(2, "0")}:${two(bytes[6])}:${two(bytes[7])}${fraction(micros, decimals)}`;
}

function fraction(micros: number, decimals: number): string {
  if (decimals === 0) return "";
  if (decimals > MOST_DECIMALS) return micros === 0 ? "" : `.${String(micros).padStart(MOST_DECIMALS, "0")}`;
  return `.${String(micros).padStart(MOST_DECIMALS, "0").slice(0, decimals)}`;
}
