import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aliasOf, normalised, valueOfAlias } from "../../src/redact/alias.ts";
import { newRedactor, SALT } from "./redactor.ts";

describe("aliasOf", () => {
  it("begins with a letter and has ten characters of base32", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(aliasOf(SALT, "sql", value)).toMatch(/^[a-z][a-z2-7]{9}$/);
      }),
    );
  });

  it("is equal for equal kind and value, and different for another kind, value or salt", () => {
    expect(aliasOf(SALT, "ip", "10.1.2.3")).toBe(aliasOf(SALT, "ip", "10.1.2.3"));
    const others = [
      aliasOf(SALT, "host", "10.1.2.3"),
      aliasOf(SALT, "ip", "10.1.2.4"),
      aliasOf("ff", "ip", "10.1.2.3"),
    ];
    expect(new Set([...others, aliasOf(SALT, "ip", "10.1.2.3")]).size).toBe(4);
  });
});

describe("normalised", () => {
  it("makes two spellings of one identifier equal", () => {
    const pairs: readonly (readonly [string, string, string])[] = [
      ["ip", "2001:DB8::0:1", "2001:db8:0:0:0:0:0:1"],
      ["mac", "3C-22-FB-AA-BB-CC", "3c:22:fb:aa:bb:cc"],
      ["host", "DB-1.Acme.Lan", "db-1.acme.lan"],
      ["phone", "+86 138-1234-5678", "13812345678"],
      ["bankcard", "6222 0212 3456 7890 128", "6222021234567890128"],
      ["idcard", "11010519491231002x", "11010519491231002X"],
    ];
    for (const [kind, one, other] of pairs) expect(normalised(kind, one), one).toBe(normalised(kind, other));
  });

  it("leaves SQL literals as they are", () => {
    expect(normalised("sql", "Bob ")).toBe("Bob ");
  });
});

describe("valueOfAlias", () => {
  it("gives the value back for a whole alias of this run and for nothing else", () => {
    const redactor = newRedactor();
    const alias = redactor.text("10.1.2.3");
    const memory = redactor.learned();
    expect(valueOfAlias(memory, alias)).toBe("10.1.2.3");
    for (const text of [
      `${alias} `,
      alias.replace("[[ip", "[[host"),
      "[[ip:abcdefghij]]",
      "[[secret:pw]]",
      "10.1.2.3",
    ]) {
      expect(valueOfAlias(memory, text), text).toBeNull();
    }
  });
});
