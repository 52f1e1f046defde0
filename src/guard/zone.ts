import type { Moment } from "./moment.ts";

const ZONE_AFTER =
  /^ ?\(?(?:(Z)(?![A-Za-z])|(?:UTC|GMT) ?([+-]\d{1,2})(?::?(\d{2}))?|([+-])(\d{2}):?(\d{2})(?![\d:])|(UTC|GMT|北京时间|中国时间|东八区|Beijing time|China time|JST|EST|EDT|CST|CDT|MST|MDT|PST|PDT|CET|CEST|BST|IST)(?![A-Za-z]))\)?/i;
const ZONE_BEFORE =
  /(?:(?:UTC|GMT) ?([+-]\d{1,2})(?::?(\d{2}))?|(UTC|GMT|北京时间|中国时间|东八区|Beijing time|China time|JST|PST|PDT|EST|EDT|CET|CEST))(?:时间)? ?[:,]? ?(?:的)?$/i;
const NAMED_ZONES: Readonly<Record<string, number>> = {
  utc: 0,
  gmt: 0,
  北京时间: 480,
  中国时间: 480,
  东八区: 480,
  "beijing time": 480,
  "china time": 480,
  jst: 540,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  cet: 60,
  cest: 120,
  bst: 60,
  ist: 330,
};

/** A zone that stands by itself is no number either. */
export function blankZones(text: string): string {
  return text.replace(/(?:UTC|GMT) ?[+-]\d{1,2}(?::?\d{2})?/gi, (zone) => "\u0001".repeat(zone.length));
}

const IN_BRACKETS = /^ ?\([+-]\d{2}:?\d{2}\)/;

/** A zone directly behind or before the time. `-08:00` behind a bare clock time is the end of a range, unless it stands in brackets. */
export function withZone(text: string, moment: Moment, source: string): { moment: Moment; from: number; to: number } {
  const { start, end } = moment;
  if (moment.timeOfDay === null) return { moment, from: start, to: end };
  const after = ZONE_AFTER.exec(text.slice(end, end + 16));
  const bare = after !== null && after[4] !== undefined && !IN_BRACKETS.test(after[0]);
  const minus = bare && after[4] === "-" && !/T\d/.test(source);
  const space = bare && after[0].startsWith(" ") && moment.day === null;
  if (after !== null && !minus && !space) {
    return {
      moment: { ...moment, zone: zoneOf(after), end: end + after[0].length },
      from: start,
      to: end + after[0].length,
    };
  }
  const before = ZONE_BEFORE.exec(text.slice(Math.max(0, start - 20), start));
  if (before === null) return { moment, from: start, to: end };
  const zone =
    before[1] !== undefined ? offset(before[1], before[2]) : (NAMED_ZONES[(before[3] ?? "").toLowerCase()] ?? null);
  return { moment: { ...moment, zone, start: start - before[0].length }, from: start - before[0].length, to: end };
}

function zoneOf(found: RegExpExecArray): number | null {
  if (found[1] !== undefined) return 0;
  if (found[2] !== undefined) return offset(found[2], found[3]);
  if (found[4] !== undefined) return offset(`${found[4]}${found[5] ?? "0"}`, found[6]);
  return NAMED_ZONES[(found[7] ?? "").toLowerCase()] ?? null;
}

function offset(hours: string, minutes: string | undefined): number {
  const sign = hours.startsWith("-") ? -1 : 1;
  return sign * (Math.abs(Number(hours)) * 60 + Number(minutes ?? 0));
}
