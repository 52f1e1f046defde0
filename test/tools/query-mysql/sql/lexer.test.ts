import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenize } from "../../../../src/tools/query-mysql/sql/lexer.ts";
import { SqlRejection } from "../../../../src/tools/query-mysql/sql/rejection.ts";

const values = (sql: string): string[] =>
  tokenize(sql, 16_384)
    .slice(0, -1)
    .map(({ value }) => value);

function codeOf(sql: string): string | null {
  try {
    tokenize(sql, 16_384);
    return null;
  } catch (error) {
    if (error instanceof SqlRejection) return error.code;
    throw error;
  }
}

describe("tokenize", () => {
  it("takes two dashes for a comment only before white space or the end", () => {
    expect(values("7--2")).toEqual(["7", "-", "-", "2"]);
    expect(values("7 -- 2")).toEqual(["7"]);
    expect(values("7 --")).toEqual(["7"]);
  });

  it("refuses comments a server would act on, unfinished ones and nested ones", () => {
    for (const sql of ["1 /*! x */", "1 /*!50000 x */", "1 /*M! x */", "1 /*m!100100 x */", "/*+ x */ 1"]) {
      expect(codeOf(sql)).toBe("SQL_LEXICAL");
    }
    expect(codeOf("1 /* open")).toBe("SQL_LEXICAL");
    expect(codeOf("1 /* a /* b */ */")).toBe("SQL_LEXICAL");
    expect(values("a /* b */ c # d\n, e")).toEqual(["a", "c", ",", "e"]);
  });

  it("does not let a lone carriage return end a comment", () => {
    expect(codeOf("a -- b\rc")).toBe("SQL_LEXICAL");
    expect(values("a -- b\r\nc")).toEqual(["a", "c"]);
  });

  it("decodes escapes, doubled quotes and prefixes of strings", () => {
    expect(values(String.raw`'it\'s' 'a''b' "c""d" 'x\ty' '\%\_' _utf8mb4'u' N'n'`)).toEqual([
      "it's",
      "a'b",
      'c"d',
      "x\ty",
      String.raw`\%\_`,
      "u",
      "n",
    ]);
    expect(values(String.raw`'a\0b'`)).toEqual(["a\u0000b"]);
    expect(codeOf("_latin1'x'")).toBe("SQL_LITERAL");
  });

  it("tells strings with a character set, which do not continue others", () => {
    const prefixed = tokenize("'a' N'b' _utf8mb4'c' _utf8mb4 X'64' \"e\"", 100).map((token) => token.prefixed === true);
    expect(prefixed).toEqual([false, true, true, true, false, false]);
  });

  it("refuses what is no MySQL or would carry state: variables, markers, dollar quotes, brackets", () => {
    for (const sql of ["@a", "@@a", "?", "$$a$$", "[a]", "a := 1", ":a", "\\N", "a\\G"]) {
      expect(codeOf(sql)).toBe("SQL_LEXICAL");
    }
  });

  it("refuses invisible and look-alike white space outside of strings, control characters anywhere", () => {
    for (const sql of ["a\u00a0b", "a\u3000b", "a\u200bb", "\ufeffa", "`a\u200bb`"]) {
      expect(codeOf(sql)).toBe("SQL_CHARACTER");
    }
    for (const sql of ["a\u0000", "'a\u0001b'", "a\u000bb", "'\ud800'"]) expect(codeOf(sql)).toBe("SQL_CHARACTER");
    expect(values("'a\u00a0b'")).toEqual(["a\u00a0b"]);
  });

  it("keeps the case of names in other scripts apart", () => {
    expect(tokenize("ＳＥＬＥＣＴ", 100)[0]).toMatchObject({ kind: "word", text: "ＳＥＬＥＣＴ" });
  });

  it("refuses names that are empty, too long or run on from a number", () => {
    for (const sql of ["``", "`a `", `\`${"a".repeat(65)}\``, "a".repeat(65), "12ab", "0xg", "`a"]) {
      expect(codeOf(sql)).toBe("SQL_LEXICAL");
    }
  });

  it("gives back every string it is given, whatever stands in it", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(..."'\"`\\-/*;#%_a中🔥 \n")), (characters) => {
        const text = characters.join("");
        const written = `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
        expect(values(written)).toEqual([text]);
      }),
    );
  });

  it("answers any text with tokens or a code, never with another error", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(codeOf(text) ?? "SQL_").toMatch(/^SQL_/);
      }),
    );
  });
});
