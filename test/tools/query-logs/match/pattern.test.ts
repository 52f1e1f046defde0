import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "../../../../src/tools/query-logs/match/pattern.ts";
import { cpuMs } from "../fixture.ts";

const test = (pattern: string, text: string): boolean => compilePattern(pattern).test(text);

describe("patterns", () => {
  it.each([
    ["time.?out", "read timed out", false],
    ["timed? out", "read timed out", true],
    ["^read", "read timed out", true],
    ["^timed", "read timed out", false],
    ["out$", "read timed out", true],
    ["\\bout\\b", "read timed out", true],
    ["\\bime", "read timed out", false],
    ["[0-9]{3}", "status 503", true],
    ["status (500|503)", "status 503", true],
    ["STATUS 503", "status 503", true],
    ["[A-F]+\\d", "ab1", true],
    ["a.c", "a\nc", false],
    ["^second", "first\nsecond", true],
    ["超时", "连接超时", true],
    ["x{2,3}y", "xy", false],
    ["", "anything", true],
  ])("%j in %j: %s", (pattern, text, expected) => {
    expect(test(pattern, text)).toBe(expected);
  });

  it.each([
    "(?=a)",
    "(?<n>a)",
    "\\1",
    "(a",
    "a)",
    "[a",
    "*a",
    "a**",
    "\\p{L}",
    "a{5,2}",
    "a{999}",
    "\\z",
    "((((((((((((((((((((((a))))))))))))))))))))))",
  ])("refuses %j", (pattern) => {
    expect(() => compilePattern(pattern)).toThrow(expect.objectContaining({ code: "PATTERN_UNSUPPORTED" }));
  });

  it("agrees with the engine of the language on what it supports", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      ".",
      "[ab]",
      "[^a]",
      "(a|b)",
      "(ab)?",
      "a*",
      "b+",
      "a{1,2}",
      "\\d",
      "\\b",
      "^",
      "$",
    );
    const text = fc.array(fc.constantFrom("a", "b", "1", " ", "\n"), { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), text, (pieces, subject) => {
        const source = pieces.join("");
        expect(test(source, subject)).toBe(new RegExp(source, "m").test(subject));
      }),
      { numRuns: 2000 },
    );
  });

  it("only names texts to look for that occur wherever it matches", () => {
    const piece = fc.constantFrom("a", "b", "ab", "a?", "(ab|b)", "b+", ".", "[ab]", "[a]");
    const text = fc.array(fc.constantFrom("a", "b"), { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), text, (pieces, subject) => {
        const pattern = compilePattern(pieces.join(""));
        if (pattern.test(subject)) expect(pattern.needles.filter((needle) => !subject.includes(needle))).toEqual([]);
      }),
    );
  });

  it.each(["(a+)+$", "(a|a)*b", "(a*)*c", "([a-z]+)*\\d", "a*a*a*a*a*b"])("stays linear on %j", (pattern) => {
    const compiled = compilePattern(pattern);
    expect(cpuMs(() => compiled.test("a".repeat(200_000)))).toBeLessThan(1000);
  });

  it("stays within its memory on texts of many different characters", () => {
    const text = Array.from({ length: 60_000 }, (_, i) => String.fromCharCode(0x4e00 + (i % 20_000))).join("");
    expect(test("(超|时)+x[^y]{3}z", text)).toBe(false);
  });

  it("matches across a held-back secret only what would match with any secret", () => {
    const text = "a=\uffff end";
    for (const source of [
      "a=",
      "a=.* end",
      "a=.+ end",
      "a=\\S+ end",
      "a=[^,]* end",
      "a=(?:x|.*) end",
      "^a.*end$",
      "end",
    ])
      expect(test(source, text), source).toBe(true);
    for (const source of [
      "a=.",
      "a=. end",
      "a=.{1,9} end",
      "a=.? end",
      "a=[^x]",
      "a=[^x]* end",
      "a=\\W",
      "a=\\b",
      "a=\\B",
      "a=$",
      "a=\uffff",
    ])
      expect(test(source, text), source).toBe(false);
  });
});
