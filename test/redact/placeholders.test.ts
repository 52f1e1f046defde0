import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aliasPlaceholder,
  cutText,
  findPlaceholders,
  hasSecretPlaceholder,
  LEGEND,
  secretPlaceholder,
  wholeAlias,
} from "../../src/redact/placeholders.ts";

const secret = secretPlaceholder("pw");
const alias = aliasPlaceholder("ip", "k3f9q2xabc".replace("9", "7"));

describe("findPlaceholders", () => {
  it("tells secrets from identifiers and gives their places", () => {
    expect(findPlaceholders(`a ${secret} b ${alias}`)).toEqual([
      { start: 2, end: 2 + secret.length, kind: "pw" },
      { start: 5 + secret.length, end: 5 + secret.length + alias.length, kind: "ip", alias: "k3f7q2xabc" },
    ]);
  });

  it("takes nothing that only resembles a placeholder", () => {
    for (const text of [
      "[[ip:short]]",
      "[[ip:3abcdefgh]]",
      "[secret:pw]",
      "[[secret:pw]",
      "[[ -f x ]]",
      "[[IP:abcdefgh]]",
    ]) {
      expect(findPlaceholders(text), text).toEqual([]);
    }
  });

  it("finds a placeholder inside the brackets of an IPv6 URL", () => {
    expect(findPlaceholders(`http://[${alias}]:80/`)).toHaveLength(1);
  });
});

describe("what a request may hold", () => {
  it("knows a secret's placeholder anywhere in it", () => {
    expect(hasSecretPlaceholder(`x=${secret}`)).toBe(true);
    expect(hasSecretPlaceholder(`x=${alias}`)).toBe(false);
    expect(hasSecretPlaceholder(LEGEND)).toBe(false);
  });

  it("takes an alias for a value only when it is the whole of it", () => {
    expect(wholeAlias(alias)).toMatchObject({ kind: "ip", alias: "k3f7q2xabc" });
    for (const text of [` ${alias}`, `${alias}%`, secret, "", "10.0.0.1"]) expect(wholeAlias(text), text).toBeNull();
  });
});

describe("cutText", () => {
  it("ends before a placeholder that does not fit", () => {
    expect(cutText(`abc ${alias} def`, { maxChars: 8 })).toBe("abc ");
    expect(cutText(`abc ${alias} def`, { maxBytes: 4 + alias.length })).toBe(`abc ${alias}`);
  });

  it("gives a text that fits back as it is", () => {
    expect(cutText("密码 ok", { maxBytes: 9 })).toBe("密码 ok");
    expect(cutText("密码 ok", { maxBytes: 5 })).toBe("密");
  });

  it("stays within the limit and cuts neither a placeholder nor a character", () => {
    const part = fc.constantFrom(alias, secret, "a", "密", "😀", "[[", "]]", " ");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.nat({ max: 120 }), (parts, limit) => {
        const text = parts.join("");
        for (const cut of [cutText(text, { maxBytes: limit }), cutText(text, { maxChars: limit })]) {
          expect(text.startsWith(cut)).toBe(true);
          expect(Buffer.from(cut, "utf8").toString("utf8")).toBe(cut);
          for (const place of findPlaceholders(text)) {
            expect(cut.length > place.start && cut.length < place.end).toBe(false);
          }
        }
        expect(Buffer.byteLength(cutText(text, { maxBytes: limit }))).toBeLessThanOrEqual(limit);
        expect(cutText(text, { maxChars: limit }).length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
