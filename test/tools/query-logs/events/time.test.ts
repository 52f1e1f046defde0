import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTime, timeOfNumber } from "../../../../src/tools/query-logs/events/time.ts";
import { parseZone } from "../../../../src/tools/query-logs/events/zone.ts";
import { WRITTEN } from "../fixture.ts";

const NAIVE = { zone: null, written: WRITTEN };
const read = (text: string): string | undefined => readTime(text, 0, NAIVE)?.iso;

describe("times of log lines", () => {
  it.each([
    ["2026-07-29T10:15:10Z", "2026-07-29T10:15:10.000Z"],
    ["2026-07-29T18:15:10+08:00", "2026-07-29T10:15:10.000Z"],
    ["2026-07-29 06:15:10 -0400", "2026-07-29T10:15:10.000Z"],
    ["2026-07-29 10:15:10,481", "2026-07-29T10:15:10.481Z"],
    ["2026/07/29 10:15:10", "2026-07-29T10:15:10.000Z"],
    ["29/Jul/2026:18:15:10 +0800", "2026-07-29T10:15:10.000Z"],
    ["29-Jul-2026 10:15:10.007", "2026-07-29T10:15:10.007Z"],
    ["Wed Jul 29 10:15:10 2026", "2026-07-29T10:15:10.000Z"],
    ["Wed, 29 Jul 2026 10:15:10 GMT", "2026-07-29T10:15:10.000Z"],
    ["29.07.2026 10:15:10", "2026-07-29T10:15:10.000Z"],
    ["Jul 29, 2026 10:15:10 PM", "2026-07-29T22:15:10.000Z"],
    ["Jul 29, 2026 12:15:10 AM", "2026-07-29T00:15:10.000Z"],
    ["2026-07-29-10.15.10.007", "2026-07-29T10:15:10.007Z"],
    ["20260729 10:15:10", "2026-07-29T10:15:10.000Z"],
    ["20260729T101510Z", "2026-07-29T10:15:10.000Z"],
    ["26/07/29 10:15:10", "2026-07-29T10:15:10.000Z"],
    ["Jul 29 10:15:10", "2026-07-29T10:15:10.000Z"],
    ["Jul  9 10:15:10", "2026-07-09T10:15:10.000Z"],
    ["E0729 10:15:10.123456", "2026-07-29T10:15:10.123456Z"],
    ["07-29 10:15:10.811", "2026-07-29T10:15:10.811Z"],
    ["1785320110", "2026-07-29T10:15:10.000Z"],
    ["1785320110250", "2026-07-29T10:15:10.250Z"],
    ["1785320110250777", "2026-07-29T10:15:10.250777Z"],
    ["1785320110250777123", "2026-07-29T10:15:10.250777123Z"],
    ["1785320110.25", "2026-07-29T10:15:10.250Z"],
  ])("reads %j", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    "2026-13-01 10:00:00",
    "2026-02-10 25:61:00",
    "12:30:00 later",
    "1234567890123456789012",
    "10.0.0.7 up",
    "Julia 29 10:15:10",
  ])("sees no time in %j", (text) => {
    expect(read(text)).toBeUndefined();
  });

  it("says when zone or year did not stand in the text", () => {
    expect(readTime("2026-07-29T10:15:10Z", 0, NAIVE)?.assumed).toBe(false);
    expect(readTime("1785320110", 0, NAIVE)?.assumed).toBe(false);
    expect(readTime("2026-07-29 10:15:10", 0, NAIVE)?.assumed).toBe(true);
    expect(readTime("Jul 29 10:15:10", 0, NAIVE)?.assumed).toBe(true);
  });

  it("reads times without a zone in the zone of their source, also across its clock changes", () => {
    const reference = { zone: parseZone("America/New_York"), written: WRITTEN };
    expect(readTime("2026-01-15 12:00:00", 0, reference)?.iso).toBe("2026-01-15T17:00:00.000Z");
    expect(readTime("2026-07-15 12:00:00", 0, reference)?.iso).toBe("2026-07-15T16:00:00.000Z");
    expect(readTime("2026-03-08 03:30:00", 0, reference)?.iso).toBe("2026-03-08T07:30:00.000Z");
  });

  it("takes December lines of a January file for last year's", () => {
    const january = { zone: null, written: Date.UTC(2026, 0, 2) };
    expect(readTime("Dec 31 23:59:59", 0, january)?.iso).toBe("2025-12-31T23:59:59.000Z");
    expect(readTime("Jan 01 00:00:01", 0, january)?.iso).toBe("2026-01-01T00:00:01.000Z");
  });

  it("reads back every instant it is given in ISO form", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), (date) => {
        expect(readTime(date.toISOString(), 0, NAIVE)?.ms).toBe(date.getTime());
      }),
    );
  });

  it("tells the unit of a number by its size, and other numbers from times", () => {
    expect(timeOfNumber(1785320110)?.iso).toBe("2026-07-29T10:15:10.000Z");
    expect(timeOfNumber(1785320110250)?.iso).toBe("2026-07-29T10:15:10.250Z");
    expect(timeOfNumber("1785320110250777123")?.iso).toBe("2026-07-29T10:15:10.250777123Z");
    expect(timeOfNumber(42)).toBeNull();
  });

  it("knows zones by name and by offset, and no others", () => {
    expect(parseZone("+05:30")?.toUtc(0)).toBe(-19_800_000);
    expect(parseZone("Asia/Shanghai")?.toUtc(Date.UTC(2026, 0, 1, 8))).toBe(Date.UTC(2026, 0, 1));
    expect(parseZone("Mars/Olympus")).toBeNull();
  });
});
